extension EditableListSource {
  /// Enqueues a snapshot without waiting; the source applies snapshots in the order of these calls.
  ///
  /// The order is fixed at the moment of the call, on any thread. A newer snapshot replaces one
  /// that has not started, so at most one waits, however fast writers are, and the last one counts.
  /// It takes over what the older one asks for besides its state: its marks and renames, whether to
  /// show the list from scratch, and models that were enqueued with a snapshot, for items that have
  /// none in the newer one.
  /// Updates are never replaced. Every other write performs what is in the queue first: code that
  /// enqueues and then applies ends with the state that it applied.
  ///
  /// A large snapshot that is replaced is released by a task. If many already wait for that, the
  /// caller releases it, which slows down a caller that floods the queue.
  ///
  /// - Parameters:
  ///   - snapshot: The new state.
  ///   - presentation: How to show the change.
  /// - Returns: A ticket for the outcome of the snapshot. It is `.rejected` for the reasons for
  ///   which ``apply(_:presentation:ifRevision:)`` throws, except that the queue does not know
  ///   about cancelled tasks.
  /// - Complexity: O(1), without a lock that writers share; O(m) if it takes over m marks.
  @discardableResult
  public nonisolated func enqueue(
    _ snapshot: consuming Snapshot<SectionID, ItemID>, presentation: Presentation = .animated
  ) -> Ticket {
    let snapshot = snapshot
    return enqueue(
      weight: snapshot.weight, marks: snapshot.marks, presentation: presentation
    ) { _ in (snapshot, GivenContent()) }
  }

  /// Enqueues a write that is made when its turn has come.
  nonisolated func enqueue(
    weight: Int, marks: Snapshot<SectionID, ItemID>.Marks = .init(),
    models: QueuedWrite<SectionID, ItemID>.Models = .none, presentation: Presentation,
    _ make:
      @escaping @Sendable (DuplicatePolicy) throws(SnapshotError) ->
      QueuedWrite<SectionID, ItemID>.Input
  ) -> Ticket {
    let write = QueuedWrite<SectionID, ItemID>(
      weight: weight, presentation: presentation, marks: marks, models: models, make)
    return entrance.queue.enqueue(write, hub: reader.hub) { await self.drain() }
  }

  private func drain() async {
    // Other calls to the actor get their turn in between.
    while core.drainOnce() { await Task.yield() }
  }

  /// Applies the snapshots of a sequence, one after another, until it ends.
  ///
  /// Each snapshot goes through the queue of ``enqueue(_:presentation:)``, so a newer one that is
  /// enqueued elsewhere replaces it. The next element is requested when the previous one has been
  /// applied or replaced, so the sequence is never more than one element ahead. The sequence
  /// decides what to do with elements that arrive too fast. For example, an `AsyncStream` that
  /// buffers the newest one skips what the source has no time for.
  ///
  /// The sequence is iterated in the caller's isolation, so it may belong to the main actor.
  /// Snapshots are compared on the source.
  ///
  /// - Parameters:
  ///   - snapshots: The sequence.
  ///   - presentation: How to show the changes.
  /// - Throws: What the sequence throws, ``DataSourceError`` if a snapshot is rejected, or
  ///   `CancellationError` if the task is cancelled. What was applied before stays.
  nonisolated(nonsending) public func follow<Snapshots: AsyncSequence>(
    _ snapshots: Snapshots, presentation: Presentation = .animated
  ) async throws where Snapshots.Element == Snapshot<SectionID, ItemID> {
    try await enqueueEach(of: snapshots) { enqueue($0, presentation: presentation) }
  }
}
