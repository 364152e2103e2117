extension ListSource {
  /// The changes, as batches that lead from one state to the next.
  ///
  /// Each call makes a subscriber of its own, from this moment on. The first batch shows the state
  /// at the time it is asked for from scratch, or leads on from the state that `after` names. From
  /// then on each batch starts at the revision where the one before it ended: it is worked out when
  /// it is asked for, as the policy says, so that a subscriber is never behind by more than it
  /// wants. A batch that spans several revisions carries the marks of all of them and the strongest
  /// presentation; each duplicate that was dropped on the way is listed once. An item whose model
  /// several revisions changed is reconfigured once, and one that they changed and changed back is
  /// not.
  ///
  /// The stream ends when the source finishes or nobody holds it any longer, after the state at that
  /// time was handed over, and at once when the task that waits is cancelled. To end it earlier,
  /// leave the loop or forget the stream.
  ///
  /// - Parameters:
  ///   - policy: How to serve a subscriber that cannot keep up.
  ///   - token: Names the state that the subscriber already shows: the token of the batch that it
  ///     showed last. If the history does not have that state, the first batch shows the live one
  ///     from scratch, whatever the token is: of an earlier life of the source, of a revision that is
  ///     forgotten or still to come, or no token at all.
  /// - Returns: A stream for one task at a time. Two tasks that share it take turns.
  /// - Complexity: O(1). A batch of one revision is handed out as its writer computed it; a longer
  ///   one costs finding the difference, once for all subscribers that ask for the same.
  public nonisolated func updates(
    _ policy: UpdatePolicy = .coalesced, after token: ResumeToken? = nil
  ) -> AsyncStream<Batch> {
    reader.updates(policy, after: token)
  }

  /// Waits until every subscriber that is there now has been handed a revision.
  ///
  /// Handed over does not mean shown: a subscriber has shown a batch when it asks for the next one.
  /// A subscriber that has not asked for anything yet keeps nobody waiting, nor does one that goes
  /// away, nor one whose own task waits here. So waiting inside the loop over the batches is safe;
  /// only a child task of the loop's is not recognised as part of it. Returns early when the source
  /// finishes or the waiting task is cancelled.
  ///
  /// - Parameter revision: The revision to wait for, for example what
  ///   ``EditableListSource/apply(_:presentation:ifRevision:)`` returned. It may be one that is
  ///   still to come.
  /// - Complexity: O(k) for k subscribers, and O(1) for each batch taken in the meantime.
  public nonisolated func settled(_ revision: Revision) async {
    await reader.hub.settled(revision)
  }

  /// What changed between two revisions: order, content, and the marks of those in between.
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
