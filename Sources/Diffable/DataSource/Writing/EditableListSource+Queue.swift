extension EditableListSource {
  /// Hands over a snapshot to be applied in the order of these calls, without waiting.
  ///
  /// The order is fixed at the moment of the call, from whatever thread. A snapshot that has not
  /// started is replaced by a newer one, so however fast writers are, one waits at most, and the
  /// last one counts. Updates are never replaced. Every other write takes what is in the queue first:
  /// who enqueues and then applies ends on what was applied.
  ///
  /// A snapshot that another one replaces is released by a task if it is large. When many wait for
  /// that already, the caller releases it, which slows down whoever floods the queue.
  ///
  /// - Parameters:
  ///   - snapshot: The new state.
  ///   - presentation: How the change is to be shown.
  /// - Returns: A ticket that tells what became of the snapshot: it is `.rejected` for the reasons for
  ///   which ``apply(_:presentation:ifRevision:)`` throws, except that the queue does not know of
  ///   cancelled tasks.
  /// - Complexity: O(1), without a lock.
  @discardableResult
  public nonisolated func enqueue(
    _ snapshot: consuming Snapshot<SectionID, ItemID>, presentation: Presentation = .animated
  ) -> Ticket {
    let snapshot = snapshot
    let weight = snapshot.numberOfItems + snapshot.numberOfSections
    return enqueue(weight: weight, presentation: presentation) { _ in (snapshot, GivenContent()) }
  }

  /// Hands over what is made when its turn has come.
  nonisolated func enqueue(
    weight: Int, presentation: Presentation,
    _ make:
      @escaping @Sendable (DuplicatePolicy) throws(SnapshotError) ->
      QueuedWrite<SectionID, ItemID>.Input
  ) -> Ticket {
    let write = QueuedWrite<SectionID, ItemID>(
      weight: weight, presentation: presentation, make)
    return entrance.queue.enqueue(write, hub: reader.hub) { await self.drain() }
  }

  private func drain() async {
    // Others get their turn in between.
    while core.drainOnce() { await Task.yield() }
  }

  /// Applies the snapshots of a sequence, one after the other, until it ends.
  ///
  /// Each snapshot goes through the queue of ``enqueue(_:presentation:)``, so a newer one that
  /// anybody enqueues replaces it. The sequence is asked for the next element when the one before has
  /// been applied or replaced: it is never more than one ahead, and whatever it does with elements
  /// that come too fast is up to it. An `AsyncStream` that buffers the newest one, for example, skips
  /// what the source has no time for.
  ///
  /// The sequence is iterated where the caller runs, so one that belongs to the main actor is
  /// accepted. Snapshots are compared on the source.
  ///
  /// - Parameters:
  ///   - snapshots: The sequence.
  ///   - presentation: How the changes are to be shown.
  /// - Throws: What the sequence throws, ``DataSourceError`` if a snapshot is rejected, or
  ///   `CancellationError` if the task is cancelled. What was applied before stays.
  nonisolated(nonsending) public func follow<Snapshots: AsyncSequence>(
    _ snapshots: Snapshots, presentation: Presentation = .animated
  ) async throws where Snapshots.Element == Snapshot<SectionID, ItemID> {
    try await enqueueEach(of: snapshots) { enqueue($0, presentation: presentation) }
  }
}
