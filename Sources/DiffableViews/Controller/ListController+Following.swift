public import Diffable

extension ListController {
  /// Follows a source until it finishes or the task is cancelled.
  ///
  /// It also ends when the host is released or the list follows something else. The calling task
  /// holds the controller all the time; ``start(following:)`` does not. If the list has followed
  /// the source before, it continues where it stopped.
  ///
  /// - Returns: Why it has ended. If the task is cancelled or the list follows something else, it
  ///   returns at once, or when the current batch is on the screen.
  @discardableResult
  public func follow(_ source: any ListSource<SectionID, ItemID>) async -> FollowingEnd {
    leaveTurn()
    return await follower.follow(source, after: display.token) { await take($0) }
  }

  /// Follows a source as long as the controller exists.
  ///
  /// The source is held only if it is derived from another one. Keep any other source: following ends when it is
  /// released.
  ///
  /// The task that this starts belongs to the controller, and not to the caller: it has neither the caller's
  /// priority nor its task-local values. It ends with the controller, with
  /// ``stop()``, and for all reasons for which ``follow(_:)`` ends.
  public func start(following source: any ListSource<SectionID, ItemID>) {
    leaveTurn()
    follower.start(source, after: display.token) { [weak self] in
      await self?.take($0) ?? .hostGone
    }
  }

  /// Ends what ``start(following:)`` began.
  ///
  /// The current batch is shown completely.
  public func stop() {
    follower.stop()
  }

  /// Waits until a revision of the followed source, or a later one, is on the screen.
  ///
  /// `delivered(_:)` of the source returns when a batch was received; this returns when the host has
  /// shown it completely. During a drag no batch is shown, so this waits for the end of the drag.
  ///
  /// - Parameter revision: The revision, for example what `apply` returned. It may be one that is
  ///   still to come.
  /// - Returns: Whether it is on the screen. It stays there when the source is released. It is not there if
  ///   the list stops following the source before it was shown, shows something else, or follows no source,
  ///   or if the waiting task is cancelled.
  @discardableResult
  public func displayed(_ revision: Revision) async -> Bool {
    await follower.displayed(revision, display.token)
  }

  /// The followed source, with its revision on display.
  ///
  /// It is `nil` while something else is on display, and for a source without drags. Until
  /// the first batch of another source is shown, the revision is one of the previous source.
  var shownSource: (source: any ReorderableListSource<SectionID, ItemID>, revision: Revision)? {
    guard let source = follower.reorderableSource, let revision,
      source.token(for: revision) == display.token
    else { return nil }
    return (source, revision)
  }

  /// Ends the wait of a batch for its turn, since the list is going to show something else.
  func leaveTurn() {
    if let batchTurn { turns.leave(batchTurn) }
  }

  /// Shows a batch of the source in its turn, unless the list shows something else by then.
  private func take(
    _ batch: UpdateBatch<SectionID, ItemID>
  ) async -> Follower<SectionID, ItemID>.Outcome {
    let (number, turn) = (follower.number, turns.makeNumber())
    batchTurn = turn
    guard await turns.take(turn) else { return .shown }
    defer { turns.pass() }
    // The follower ends by itself if something else has been followed meanwhile.
    guard number == follower.number else { return .shown }
    guard batch.base == nil || batch.baseToken == display.token else {
      return .elsewhere(display.token)
    }
    await show(inTurn: batch)
    return host == nil ? .hostGone : .shown
  }
}
