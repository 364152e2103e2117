extension ModelSource {
  /// The changes, as batches that lead from one state to the next, with the models.
  ///
  /// As ``DataSourceActor/updates(_:after:)``. What has changed in the content is found between the
  /// two states of a batch: an item that several revisions changed is reconfigured once, with the
  /// newest model, and one that they changed and changed back is not.
  ///
  /// - Parameters:
  ///   - policy: How to serve a subscriber that cannot keep up.
  ///   - token: Names the state that the subscriber already shows: the token of the batch that it
  ///     showed last. If the history does not have that state, the first batch is a reset.
  /// - Returns: A stream for one task at a time. Two tasks that share it take turns.
  /// - Complexity: O(1). A batch of one revision is handed out as its writer computed it; a longer
  ///   one costs finding the difference, once for all subscribers that ask for the same.
  public nonisolated func updates(
    _ policy: UpdatePolicy = .coalesced, after token: ResumeToken? = nil
  ) -> AsyncStream<ModelBatch<SectionID, Model>> {
    let reader = reader
    return hub.updates(
      policy, after: token, changeCount: { $0.update.difference.changeCount }
    ) { transition, _ in
      ModelBatch(update: await reader.batch(of: transition))
    }
  }

  /// Waits until every subscriber that is there now has been handed a revision.
  ///
  /// As ``DataSourceActor/settled(_:)``.
  public nonisolated func settled(_ revision: Revision) async {
    await hub.settled(revision)
  }

  /// What changed between two revisions: order and content, and the marks of those in between.
  ///
  /// - Parameters:
  ///   - base: The revision to start from. If it is the later one, the answer is the inverse.
  ///   - target: The revision to arrive at.
  /// - Returns: The difference, or `nil` if the history does not have both revisions.
  /// - Complexity: O(1) from a revision to the next, else that of finding the difference. It is
  ///   computed off the main executor.
  public nonisolated func difference(
    from base: Revision, to target: Revision
  ) async -> SnapshotDifference? {
    await reader.difference(from: base, to: target)
  }
}
