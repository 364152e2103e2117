public import Diffable

extension ListController {
  /// Follows a source until it finishes, the task is cancelled, the host goes away, or the list is
  /// told to follow something else.
  ///
  /// The task that calls this holds the controller all the time; ``start(following:)`` does not. A
  /// source that was followed before is taken up where the list left it.
  ///
  /// - Returns: Why it has ended. A cancelled task returns when the batch under way is on the screen.
  @discardableResult
  public func follow(_ source: any ListSource<SectionID, ItemID>) async -> FollowingEnd {
    await follower.follow(source, after: display.token) { await take($0) }
  }

  /// Follows a source as long as there is a controller.
  ///
  /// The task that this starts belongs to the controller and ends with it, with ``stop()``, and with
  /// everything else that ends ``follow(_:)``.
  public func start(following source: any ListSource<SectionID, ItemID>) {
    follower.start(source, after: display.token) { [weak self] in await self?.take($0) ?? .hostGone
    }
  }

  /// Ends what ``start(following:)`` began.
  ///
  /// A batch under way is shown to its end.
  public func stop() {
    follower.stop()
  }

  /// Waits until a revision of the source that the list follows, or a later one, is on the screen.
  ///
  /// `settled(_:)` of the source says that a batch was handed over; this says that the host has
  /// shown it to its end. During a drag no batch is shown, so this waits for the end of the drag.
  ///
  /// - Parameter revision: The revision, for example what `apply` returned. It may be one that is
  ///   still to come.
  /// - Returns: Whether it is on the screen. It is not if the list stops following the source, follows
  ///   another one, or follows none, or if the waiting task is cancelled.
  @discardableResult
  public func displayed(_ revision: Revision) async -> Bool {
    await follower.displayed(revision, shown: self.revision, display.token)
  }

  /// The source that the list follows, with its revision on display; `nil` as long as something else is
  /// on display, and for a source that cannot be changed.
  ///
  /// Until the first batch of another source is shown, the revision is one of the source before it.
  var shownSource: (source: any EditableListSource<SectionID, ItemID>, revision: Revision)? {
    guard let source = follower.editableSource, let revision,
      source.token(for: revision) == display.token
    else { return nil }
    return (source, revision)
  }

  /// Shows a batch of the source when its turn has come, unless the list is elsewhere by then.
  private func take(
    _ batch: UpdateBatch<SectionID, ItemID>
  ) async -> Follower<SectionID, ItemID>.Outcome {
    let number = follower.number
    await turns.take()
    defer { turns.pass() }
    // The follower ends by itself when something else was followed meanwhile.
    guard number == follower.number else { return .shown }
    guard batch.base == nil || batch.baseToken == display.token else {
      return .elsewhere(display.token)
    }
    await show(inTurn: batch)
    return host == nil ? .hostGone : .shown
  }
}
