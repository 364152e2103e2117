package import Diffable

/// Batches of one list, each from the state before, as a source would make them.
package struct BatchSequence<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// What the list is by now.
  package private(set) var snapshot = Snapshot<SectionID, ItemID>()
  private var revision = Revision.empty

  /// Begins with an empty list.
  package init() {}

  /// The batch to the next state.
  package mutating func next(
    _ new: Snapshot<SectionID, ItemID>, presentation: Presentation = .animated
  ) throws(SnapshotError) -> UpdateBatch<SectionID, ItemID> {
    let batch = try UpdateBatch(
      from: snapshot, to: new, base: revision, presentation: presentation)
    snapshot = batch.snapshot
    revision = batch.target
    return batch
  }

  /// The state now, from scratch.
  package func reset() throws(SnapshotError) -> UpdateBatch<SectionID, ItemID> {
    try UpdateBatch(showing: snapshot, target: revision)
  }
}
