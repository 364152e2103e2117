import Synchronization

/// A write that was enqueued: what to apply, and the promise of its outcome.
package final class QueuedWrite<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
>: Sendable {
  typealias Marks = Snapshot<SectionID, ItemID>.Marks
  /// The input of a write: an order, and the models given with it.
  package struct Input {
    package var snapshot: Snapshot<SectionID, ItemID>
    package var given: GivenContent<SectionID, ItemID>

    package init(
      _ snapshot: Snapshot<SectionID, ItemID>, _ given: GivenContent<SectionID, ItemID> = .init()
    ) {
      self.snapshot = snapshot
      self.given = given
    }
  }

  /// What a write asks for that must be done even if a newer one supersedes it.
  struct Requests: Sendable {
    var marks = Marks()
    /// Whether everything is to be shown from scratch.
    var isReset = false
    /// The models that were given with orders, the oldest first.
    var models: [GivenModels] = []
  }

  /// Models that are given with an order.
  struct GivenModels: Sendable {
    /// The number of items that they are for, or more.
    let count: Int
    /// Adds them; they replace models of the same items.
    let give: @Sendable (inout GivenContent<SectionID, ItemID>) -> Void
  }

  /// What a write says about models.
  enum Models: Sendable {
    /// It has none, and leaves those of others.
    case none
    /// It gives some of its items a model.
    case some(GivenModels)
    /// It is a list of models: each of its items has one.
    case whole
  }

  /// Makes the input, following the policy for duplicates.
  let make: @Sendable (DuplicatePolicy) throws(SnapshotError) -> Input
  /// The approximate number of identifiers that it holds.
  let weight: Int
  let presentation: Presentation
  let outcome = Promise(otherwise: Ticket.Outcome.rejected(.finished))
  /// The marks of the snapshot.
  let marks: Marks
  let models: Models

  init(
    weight: Int, presentation: Presentation, marks: Marks = Marks(), models: Models = .none,
    _ make: @escaping @Sendable (DuplicatePolicy) throws(SnapshotError) -> Input
  ) {
    self.make = make
    self.weight = weight
    self.presentation = presentation
    (self.marks, self.models) = (marks, models)
  }

  /// Whether it asks for something that must be done even if a newer one supersedes it.
  var asksForMore: Bool {
    if case .some = models { return true }
    return marks.count > 0 || presentation == .reset
  }

  /// What this write asks for together with what it has superseded.
  func requests(after older: Requests?) -> Requests {
    var all = Requests(marks: marks, isReset: presentation == .reset)
    if case .some(let models) = models { all.models = [models] }
    guard let older else { return all }
    if case .whole = models {} else { all.models = (older.models + all.models).joined() }
    all.marks.takeOver(older.marks)
    all.isReset = all.isReset || older.isReset
    let renames = all.marks.renames.count
    if Presentation.isReset(byMarks: all.marks.count - renames, weight: weight) {
      (all.marks, all.isReset) = (all.marks.onlyRenames, true)
    }
    if Presentation.areTooMany(renames: renames, weight: weight) { all.marks.forgetRenames() }
    return all
  }

  /// The input of this write, with what the writes that it has superseded have asked for.
  func input(
    _ duplicates: DuplicatePolicy, after older: Requests?
  ) throws(SnapshotError) -> Input {
    var input = try make(duplicates)
    guard let older else { return input }
    input.snapshot.marks.takeOver(older.marks)
    if case .whole = models { return input }
    var given = GivenContent<SectionID, ItemID>()
    for models in older.models { models.give(&given) }
    input.given.addMissing(given)
    return input
  }
}

extension Array {
  /// The same models in fewer lists, so that a flood of writes does not keep a list for each.
  ///
  /// - Complexity: Over many writes, O(log m) hashes for each of m models; none for a few writes.
  fileprivate func joined<SectionID, ItemID>() -> Self
  where Element == QueuedWrite<SectionID, ItemID>.GivenModels {
    guard count > 8 else { return self }
    var lists = self
    while lists.count > 1, lists[lists.count - 2].count <= 2 * lists[lists.count - 1].count {
      var all = GivenContent<SectionID, ItemID>()
      for list in lists.suffix(2) { list.give(&all) }
      lists.removeLast(2)
      let joined = all.compacted
      lists.append(Element(count: joined.itemCount) { $0.replace(with: joined) })
    }
    return lists
  }
}

extension QueuedWrite {
  /// A write that a newer one has superseded, until what it asks for is known.
  ///
  /// Two threads may want to know that at once: the thread that has enqueued the newer write, and the
  /// actor that performs it. Both can find it out, so neither waits for the other, and the first one
  /// settles the older write. It is found out outside of the lock of the queue, since marks are hashed.
  final class Superseded: Sendable {
    private enum State {
      case write(QueuedWrite, after: Superseded?)
      case settled(Requests)
    }

    private let state: Lock<State>

    init(_ write: QueuedWrite, after older: Superseded?) {
      state = Lock(.write(write, after: older))
    }

    /// What the write, and those that it has superseded, ask for.
    var requests: Requests {
      switch state.withLock({ $0 }) {
      case .write(let write, let older): write.requests(after: older?.requests)
      case .settled(let requests): requests
      }
    }

    /// Finds out what the write asks for.
    ///
    /// - Returns: The write, for the caller to answer and to release; `nil` if another thread was faster.
    func settle() -> QueuedWrite? {
      let requests = self.requests
      let former = state.withLock { state in
        let former = state
        if case .write = state { state = .settled(requests) }
        return former
      }
      if case .write(let write, _) = former { return write }
      return nil
    }
  }
}

/// The future outcome of an enqueued snapshot.
///
/// Every ticket gets an outcome, once, whatever happens to the source. Discarding a ticket costs
/// nothing.
public struct Ticket: Sendable {
  /// The outcome of an enqueued snapshot.
  public enum Outcome: Hashable, Sendable {
    /// It was applied and made a revision.
    case applied(Revision)
    /// It equals the state that the source already had.
    case unchanged
    /// A newer snapshot was enqueued before its turn came, and has taken over its marks.
    case superseded
    /// It was rejected, and nothing changed.
    case rejected(DataSourceError)
  }

  let promised: Promised<Outcome>

  /// The outcome of the snapshot; waits until it is known.
  ///
  /// Cancellation does not end the wait. It is short: as long as the writes before this one take,
  /// and its own.
  public var outcome: Outcome {
    get async { await promised.value }
  }
}
