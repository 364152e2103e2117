import Synchronization

/// What was enqueued and has not started: one write, the newest.
///
/// The order of writes is the order in which they get here.
final class WriteQueue<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  typealias Write = QueuedWrite<SectionID, ItemID>
  typealias Superseded = Write.Superseded

  private struct State {
    /// The write that waits, and what it has superseded.
    var waiting: Waiting?
    var phase = Phase.idle
  }

  /// A write whose turn comes.
  struct Waiting {
    let write: Write
    /// The write before it, if that one, or one before it, asks for something that must be done.
    let superseded: Superseded?
  }

  private enum Phase {
    /// Nobody performs what waits.
    case idle
    /// A task drains the queue.
    case draining
    case closed
  }

  /// The result of putting a write into the queue.
  enum Answer {
    /// It waits, and replaces an older write if there was one.
    case waits(insteadOf: Write?)
    /// It waits, and has superseded a write that asks for something: the caller has to settle that.
    case waitsToSettle(Superseded)
    /// It waits, and the caller has to start a task that drains the queue.
    case waitsForDrain
    case isClosed
  }

  private let state = Lock(State())
  /// Whether a write waits; every write of the source asks, and mostly none does.
  private let isAnybodyWaiting = Atomic(false)

  /// Puts a write into the queue; it replaces a write that waits there.
  func put(_ write: Write) -> Answer {
    state.withLock { state in
      if state.phase == .closed { return .isClosed }
      isAnybodyWaiting.store(true, ordering: .releasing)
      guard let older = state.waiting, older.write.asksForMore || older.superseded != nil else {
        let older = state.waiting
        state.waiting = Waiting(write: write, superseded: nil)
        if state.phase == .draining { return .waits(insteadOf: older?.write) }
        state.phase = .draining
        return .waitsForDrain
      }
      let superseded = Superseded(older.write, after: older.superseded)
      state.waiting = Waiting(write: write, superseded: superseded)
      return .waitsToSettle(superseded)
    }
  }

  /// Takes the write that waits.
  func take() -> Waiting? {
    guard isAnybodyWaiting.load(ordering: .acquiring) else { return nil }
    return state.withLock { state in
      isAnybodyWaiting.store(false, ordering: .relaxed)
      defer { state.waiting = nil }
      return state.waiting
    }
  }

  /// Ends draining, unless a write has arrived meanwhile.
  ///
  /// - Returns: Whether it has ended.
  func endDraining() -> Bool {
    state.withLock { state in
      if state.waiting != nil { return false }
      if state.phase == .draining { state.phase = .idle }
      return true
    }
  }

  /// Closes the queue and returns the write that waits.
  func close() -> Waiting? {
    state.withLock { state in
      defer { state = State(waiting: nil, phase: .closed) }
      return state.waiting
    }
  }
}

extension WriteQueue {
  /// Puts a write into the queue, from any thread.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - hub: The hub of the source.
  ///   - drain: Performs writes until the queue is empty. It holds the source while it runs, so
  ///     every write gets an outcome.
  func enqueue(
    _ write: Write, hub: Hub, drain: @escaping @Sendable () async -> Void
  ) -> Ticket {
    let ticket = Ticket(promised: write.outcome.promised)
    switch put(write) {
    case .waitsForDrain:
      // Detached: the task that happens to be first must not pass on its priority or its task-local
      // values for good.
      Task.detached(operation: drain)
    case .waits(insteadOf: let older):
      if let older { hub.supersede(older) }
    case .waitsToSettle(let superseded):
      if let older = superseded.settle() { hub.supersede(older) }
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
