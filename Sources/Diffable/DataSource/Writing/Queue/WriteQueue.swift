internal import Synchronization

/// What was enqueued and has not started: one write, the newest.
///
/// The order of writes is the order in which they get here. A lock would not do: on Linux eight
/// threads that want one lock hand it from one sleeping thread to the next, and a million writes take
/// half a minute instead of half a second. So the queue is one atomic word that threads exchange.
///
/// The word says that nothing is there, that nothing is there but a task drains the queue, that the
/// queue is closed, or else is a retained reference to the write. A reference is retained before it
/// is put into the word, and whoever takes it out of the word, which only one can, owns it from then
/// on. Nobody looks at what a reference in the word refers to. So no write is released twice, used
/// after its release, or lost, and whoever holds one holds it alone.
final class WriteQueue<Write: AnyObject & Sendable>: Sendable {
  private let word = Atomic<UInt>(Vacancy.idle.rawValue)

  /// What the word says when it is not a reference; no object has an address this small.
  private enum Vacancy: UInt {
    case idle
    case draining
    case closed
  }

  /// What became of a write that was put into the queue.
  enum Answer {
    /// It waits, in the place of an older one if there was one.
    case waits(insteadOf: Write?)
    /// It waits, and whoever put it has to start a task that drains the queue.
    case waitsForDrain
    case isClosed
  }

  /// Puts a write into the queue, in the place of the one that waits there.
  func put(_ write: Write) -> Answer {
    let reference = UInt(bitPattern: Unmanaged.passRetained(write).toOpaque())
    var old = word.load(ordering: .relaxed)
    while true {
      guard old != Vacancy.closed.rawValue else {
        _ = take(reference)
        return .isClosed
      }
      let result = word.compareExchange(
        expected: old, desired: reference, ordering: .acquiringAndReleasing)
      if result.exchanged { break }
      old = result.original
    }
    return old == Vacancy.idle.rawValue ? .waitsForDrain : .waits(insteadOf: take(old))
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

  /// Ends draining, unless a write has come meanwhile.
  ///
  /// - Returns: Whether it has ended.
  func endDraining() -> Bool {
    let result = word.compareExchange(
      expected: Vacancy.draining.rawValue, desired: Vacancy.idle.rawValue,
      ordering: .acquiringAndReleasing)
    return Vacancy(rawValue: result.original) != nil
  }

  /// Takes no more writes, and answers the one that waits.
  func close() -> Write? {
    take(word.exchange(Vacancy.closed.rawValue, ordering: .acquiringAndReleasing))
  }

  deinit { _ = close() }

  /// The write that a word refers to, if it does; the word must have been taken out of the queue.
  private func take(_ word: UInt) -> Write? {
    guard Vacancy(rawValue: word) == nil, let pointer = UnsafeRawPointer(bitPattern: word) else {
      return nil
    }
    return Unmanaged<Write>.fromOpaque(pointer).takeRetainedValue()
  }
}
