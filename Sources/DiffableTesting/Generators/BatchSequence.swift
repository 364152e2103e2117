package import Diffable

/// Consecutive batches of one list, as a source would make them.
package struct BatchSequence<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// The current state of the list.
  package private(set) var snapshot = Snapshot<SectionID, ItemID>()
  private var revision = Revision.empty

  /// Creates a sequence that begins with an empty list.
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

  /// A batch that shows the current state from scratch.
  package func reset() throws(SnapshotError) -> UpdateBatch<SectionID, ItemID> {
    try UpdateBatch(showing: snapshot, target: revision)
  }
}
