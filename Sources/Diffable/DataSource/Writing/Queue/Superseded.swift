internal import Synchronization

/// A write that a newer one may supersede while it waits in a queue.
protocol Supersedable: AnyObject, Sendable {
  /// What must be done even if the write is superseded.
  associatedtype Requests: Sendable

  /// Whether a newer write has to know what this one asks for.
  var isToBeHeeded: Bool { get }
  /// What this write asks for together with what it has superseded.
  func requests(after older: Requests?) -> Requests
  /// The write that this one has superseded.
  var superseded: Superseded<Self> { get }
}

/// The write that another one has superseded, until what it asks for is known.
///
/// Two threads may want to know that at once: the thread that has enqueued the newer write, and the
/// actor that performs it. Both can find it out, so neither waits for the other, and the first one
/// settles the older write.
struct Superseded<Write: Supersedable>: ~Copyable, Sendable {
  enum State {
    case nothing
    /// A write that the newer one holds, with the reference that the queue had.
    case write(Unmanaged<Write>)
    case settled(Write.Requests)
  }

  private let state = Lock(State.nothing)

  /// Records the write that is about to be superseded, which must not be accessed yet.
  ///
  /// - Parameter write: `nil` if it was not superseded after all.
  func expect(_ write: Unmanaged<Write>?) {
    // Nothing is released here: until the write is superseded, it belongs to the queue.
    let new = write.map(State.write) ?? .nothing
    state.withLock { $0 = new }
  }

  /// What the superseded writes ask for; `nil` if there are none that ask for anything.
  var requests: Write.Requests? {
    let state = state.withLock { state in
      // The reference is retained while the lock keeps it from being released.
      if case .write(let write) = state {
        return (write: write.takeUnretainedValue() as Write?, settled: Write.Requests?.none)
      }
      if case .settled(let requests) = state { return (write: nil, settled: requests) }
      return (write: nil, settled: nil)
    }
    guard let write = state.write else { return state.settled }
    return write.requests(after: write.superseded.requests)
  }

  /// Finds out what the superseded write asks for.
  ///
  /// - Returns: The write, for the caller to answer and to release; `nil` if there is none, or if
  ///   another thread was faster.
  func settle() -> Write? {
    guard let requests else { return nil }
    let older: Unmanaged<Write>? = state.withLock { state in
      guard case .write(let older) = state else { return nil }
      state = .settled(requests)
      return older
    }
    return older?.takeRetainedValue()
  }
}
