/// A write that was enqueued: what to apply, and whom to tell.
final class QueuedWrite<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// What is applied: an order, and what is given with it.
  typealias Input = (snapshot: Snapshot<SectionID, ItemID>, given: GivenContent<SectionID, ItemID>)

  /// Makes what is applied, as the policy for duplicates says.
  let make: @Sendable (DuplicatePolicy) throws(SnapshotError) -> Input
  /// About how many identifiers it holds.
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
