internal import Synchronization

/// A write that was enqueued: what to apply, and the promise of its outcome.
package final class QueuedWrite<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Supersedable
{
  typealias Marks = Snapshot<SectionID, ItemID>.Marks
  /// The input of a write: an order, and the models given with it.
  package typealias Input = (
    snapshot: Snapshot<SectionID, ItemID>, given: GivenContent<SectionID, ItemID>
  )

  /// What a write asks for that must be done even if a newer one supersedes it.
  struct Requests: Sendable {
    var marks = Marks()
    /// Whether everything is to be shown from scratch.
    var isReset = false
  }

  /// Makes the input, following the policy for duplicates.
  let make: @Sendable (DuplicatePolicy) throws(SnapshotError) -> Input
  /// The approximate number of identifiers that it holds.
  let weight: Int
  let presentation: Presentation
  let outcome = Promise<Ticket.Outcome>()
  /// The marks of the snapshot.
  let marks: Marks
  let superseded = Superseded<QueuedWrite>()

  init(
    weight: Int, presentation: Presentation, marks: Marks = Marks(),
    _ make: @escaping @Sendable (DuplicatePolicy) throws(SnapshotError) -> Input
  ) {
    self.make = make
    self.weight = weight
    self.presentation = presentation
    self.marks = marks
  }

  var isToBeHeeded: Bool { !marks.isEmpty || presentation == .reset }

  /// What this write asks for together with what it has superseded.
  func requests(after older: Requests?) -> Requests {
    var all = Requests(marks: marks, isReset: presentation == .reset)
    guard let older else { return all }
    all.marks.takeOver(older.marks)
    all.isReset = all.isReset || older.isReset
    // As with the marks of revisions: if there are more than items, most items no longer exist.
    guard all.marks.count <= Swift.max(1024, weight) else {
      return Requests(marks: Marks(), isReset: true)
    }
    return all
  }
}

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
