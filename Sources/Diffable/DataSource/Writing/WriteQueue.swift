internal import Synchronization

/// What was enqueued and has not started: one write, the newest.
///
/// The order of writes is the order in which they get here. A lock would be too slow: if eight
/// threads on Linux contend for one lock, each passes it to a sleeping thread, and a million writes
/// take half a minute instead of half a second. So the queue is one atomic word that threads
/// exchange.
///
/// The word is one of four values: empty, empty while a task drains the queue, closed, or a
/// retained reference to the write. A reference is retained before it is put into the word. Only
/// one thread can take it out, and that thread owns it from then on. No thread accesses an object
/// through a reference that is still in the word. So no write is released twice, used after its
/// release, or lost, and each has a single owner.
///
/// A write that asks for something which a newer one must not lose has a bit beside its reference, and
/// so has every write that supersedes it. A thread that replaces such a reference does not own it: the
/// newer write does, and the thread must then settle ``Superseded``. So writes that ask for nothing
/// cost nothing more.
final class WriteQueue<Write: Supersedable>: Sendable {
  private let word = Atomic<UInt>(Vacancy.idle.rawValue)

  /// The values of the word that are not references; no object has an address this small.
  private enum Vacancy: UInt {
    case idle
    case draining
    case closed
  }

  /// The result of putting a write into the queue.
  enum Answer {
    /// It waits, and replaces an older write if there was one.
    case waits(insteadOf: Write?)
    /// It waits, and has superseded a write that asks for something: the caller has to settle that.
    case waitsToSettle
    /// It waits, and the caller has to start a task that drains the queue.
    case waitsForDrain
    case isClosed
  }

  /// The bit of a write that must be heeded; the addresses of objects are even.
  private static var heeded: UInt { 1 }

  /// Puts a write into the queue; it replaces a write that waits there.
  func put(_ write: Write) -> Answer {
    let reference = UInt(bitPattern: Unmanaged.passRetained(write).toOpaque())
    let own = write.isToBeHeeded ? Self.heeded : 0
    var old = word.load(ordering: .relaxed)
    while true {
      guard old != Vacancy.closed.rawValue else {
        _ = take(reference)
        return .isClosed
      }
      let older = unmanaged(old).flatMap { old & Self.heeded == 0 ? nil : $0 }
      if older != nil { write.superseded.expect(older) }
      let result = word.compareExchange(
        expected: old, desired: reference | own | (older == nil ? 0 : Self.heeded),
        ordering: .acquiringAndReleasing)
      if result.exchanged {
        if older != nil { return .waitsToSettle }
        return old == Vacancy.idle.rawValue ? .waitsForDrain : .waits(insteadOf: take(old))
      }
      if older != nil { write.superseded.expect(nil) }
      old = result.original
    }
  }

  /// Takes the write that waits.
  func take() -> Write? {
    var old = word.load(ordering: .relaxed)
    while Vacancy(rawValue: old) == nil {
      let result = word.compareExchange(
        expected: old, desired: Vacancy.draining.rawValue, ordering: .acquiringAndReleasing)
      if result.exchanged { return take(old) }
      old = result.original
    }
    return nil
  }

  /// Ends draining, unless a write has arrived meanwhile.
  ///
  /// - Returns: Whether it has ended.
  func endDraining() -> Bool {
    let result = word.compareExchange(
      expected: Vacancy.draining.rawValue, desired: Vacancy.idle.rawValue,
      ordering: .acquiringAndReleasing)
    return Vacancy(rawValue: result.original) != nil
  }

  /// Closes the queue and returns the write that waits.
  func close() -> Write? {
    take(word.exchange(Vacancy.closed.rawValue, ordering: .acquiringAndReleasing))
  }

  deinit { _ = close() }

  /// The write that a word refers to, if any; the word must have been taken out of the queue.
  private func take(_ word: UInt) -> Write? { unmanaged(word)?.takeRetainedValue() }

  private func unmanaged(_ word: UInt) -> Unmanaged<Write>? {
    guard Vacancy(rawValue: word) == nil,
      let pointer = UnsafeRawPointer(bitPattern: word & ~Self.heeded)
    else { return nil }
    return Unmanaged<Write>.fromOpaque(pointer)
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
  func enqueue<SectionID, ItemID>(
    _ write: Write, hub: Hub, drain: @escaping @Sendable () async -> Void
  ) -> Ticket where Write == QueuedWrite<SectionID, ItemID> {
    let ticket = Ticket(promised: write.outcome.promised)
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
