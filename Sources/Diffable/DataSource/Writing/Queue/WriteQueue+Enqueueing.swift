extension WriteQueue {
  /// Puts a write into the queue, from any thread.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - hub: The hub of the source.
  ///   - drain: Performs writes until the queue is empty. It holds the source while it runs, so
  ///     every write gets an outcome.
  func enqueue<SectionID, ItemID>(
    _ write: Write, hub: Hub, drain: @escaping @Sendable () async -> Void
  ) -> Ticket where Write == QueuedWrite<SectionID, ItemID> {
    let ticket = Ticket(promise: write.outcome)
    switch put(write) {
    case .waitsForDrain:
      // Detached: the task that happens to be first must not pass on its priority or its task-local
      // values for good.
      Task.detached(operation: drain)
    case .waits(insteadOf: let older):
      if let older { hub.supersede(older) }
    case .waitsToSettle:
      if let older = write.superseded.settle() { hub.supersede(older) }
    case .isClosed:
      write.outcome.fulfil(.rejected(.finished))
      hub.observe(.rejected(.finished))
    }
    return ticket
  }
}

extension Hub {
  /// Answers and releases a write that a newer one has superseded.
  func supersede<SectionID, ItemID>(_ write: consuming QueuedWrite<SectionID, ItemID>) {
    write.outcome.fulfil(.superseded)
    let weight = write.weight
    releaseInTask(Handover(write), weight: weight, pendingAtMost: 16)
    observe(.superseded)
  }
}

/// Enqueues every element of a sequence once the previous one has an outcome.
nonisolated(nonsending) func enqueueEach<Elements: AsyncSequence>(
  of elements: Elements, _ enqueue: (Elements.Element) -> Ticket
) async throws {
  for try await element in elements {
    try Task.checkCancellation()
    if case .rejected(let error) = await enqueue(element).outcome { throw error }
  }
  try Task.checkCancellation()
}
