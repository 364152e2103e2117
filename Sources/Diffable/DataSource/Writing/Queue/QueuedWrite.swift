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
