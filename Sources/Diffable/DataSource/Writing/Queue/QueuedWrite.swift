/// A write that was enqueued: what to apply, and the promise of its outcome.
package final class QueuedWrite<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable
{
  /// The input of a write: an order, and the models given with it.
  package typealias Input = (
    snapshot: Snapshot<SectionID, ItemID>, given: GivenContent<SectionID, ItemID>
  )

  /// Makes the input, following the policy for duplicates.
  let make: @Sendable (DuplicatePolicy) throws(SnapshotError) -> Input
  /// The approximate number of identifiers that it holds.
  let weight: Int
  let presentation: Presentation
  let outcome = Promise<Ticket.Outcome>()

  init(
    weight: Int, presentation: Presentation,
    _ make: @escaping @Sendable (DuplicatePolicy) throws(SnapshotError) -> Input
  ) {
    self.make = make
    self.weight = weight
    self.presentation = presentation
  }
}
