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
  public func follow(_ source: DataSourceActor<SectionID, ItemID>) async -> FollowingEnd {
    await follower.follow(source, after: revision) { batch in
      await display(batch)
      return host != nil
    }
  }

  /// Follows a source as long as there is a controller.
  ///
  /// The task that this starts belongs to the controller and ends with it, with ``stop()``, and with
  /// everything else that ends ``follow(_:)``.
  public func start(following source: DataSourceActor<SectionID, ItemID>) {
    follower.start(source, after: revision) { [weak self] batch in
      await self?.display(batch)
      return self?.host != nil
    }
  }

  /// Ends what ``start(following:)`` began.
  ///
  /// A batch under way is shown to its end.
  public func stop() {
    follower.stop()
  }
}
