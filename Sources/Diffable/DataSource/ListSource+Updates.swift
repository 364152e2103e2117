extension ListSource {
  /// The changes, as batches that lead from one state to the next.
  ///
  /// Each call makes a new subscriber, starting now. The first batch shows the current state from
  /// scratch, or starts at the state that `after` names. Each further batch starts at the revision
  /// where the previous one ended. It is computed when the subscriber requests it, as the policy
  /// says, so a subscriber never lags by more than the policy allows. A batch that spans several
  /// revisions carries the marks of all of them and the strongest presentation; each dropped
  /// duplicate is listed once. An item whose model was changed by several revisions is reconfigured
  /// once. It is not reconfigured if the changes cancel out.
  ///
  /// The stream ends when the source finishes or is released, after the last state has been
  /// delivered. It ends at once when the waiting task is cancelled. To end it earlier, leave the
  /// loop or release the stream.
  ///
  /// - Parameters:
  ///   - policy: How to serve a subscriber that cannot keep up.
  ///   - token: The state that the subscriber already shows: the token of the last batch that it
  ///     showed. If the history does not have that state, the first batch shows the live state from
  ///     scratch. This covers a token of another epoch, of a revision that is no longer or not yet
  ///     in the history, and text that is not a token.
  /// - Returns: A stream for one task at a time. Two tasks that share it take turns.
  /// - Complexity: O(1). A batch of one revision is delivered as its writer computed it. A longer
  ///   one costs finding the difference, once for all subscribers that request the same one.
  public nonisolated func updates(
    _ policy: UpdatePolicy = .coalesced, after token: ResumeToken? = nil
  ) -> AsyncStream<Batch> {
    reader.updates(policy, after: token)
  }

  /// Waits until every current subscriber has received a revision.
  ///
  /// Received does not mean shown: a subscriber has shown a batch when it requests the next one.
  /// This does not wait for subscribers that have not requested a batch yet, that end, or whose own
  /// task is the waiting one. So it is safe to wait inside the loop over the batches. If the loop
  /// starts a child task and waits for it, the child must not wait for a later revision: it would
  /// wait for the loop, and the loop for it. Returns early when the source finishes or the waiting
  /// task is cancelled.
  ///
  /// A derived source is a subscriber only while a subscriber of its own waits for a batch. So it
  /// is safe to wait inside the loop over the batches of a derived source, too. To wait for the
  /// subscribers of a derived source, call this method of that source.
  ///
  /// - Parameter revision: The revision to wait for, for example the result of
  ///   ``EditableListSource/apply(_:presentation:ifRevision:)``. It may be a future revision.
  /// - Complexity: O(k) for k subscribers, and O(1) for each batch taken in the meantime.
  public nonisolated func settled(_ revision: Revision) async {
    await reader.hub.settled(revision)
  }

  /// What changed between two revisions: order, content, and the marks of those in between.
  ///
  /// - Parameters:
  ///   - base: The revision to start from. If it is the later one, the result is the inverse.
  ///   - target: The revision to end at.
  /// - Returns: The difference, or `nil` if the history does not have both revisions.
  /// - Complexity: O(1) from a revision to the next, otherwise the cost of finding the difference,
  ///   off the main executor.
  public nonisolated func difference(
    from base: Revision, to target: Revision
  ) async -> SnapshotDifference? {
    await reader.difference(from: base, to: target)
  }
}
