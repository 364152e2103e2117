public import Diffable

/// What a proposal would change, for the function that decides on it.
public struct ProposedChange<Batch: DeltaBatch>: Sendable {
  /// The name of the proposal.
  public let id: WriteID
  /// The name of the change, for undo.
  public let name: String?
  /// The change as it would be made now: the live state, the state after it, and what differs.
  public let batch: Batch
  /// The contradictions between the proposal and what others have changed since its base.
  ///
  /// Those with what its writer had heard of before it was sent are told to its writer only.
  public let conflicts: [MergeConflict<Batch.SectionID, Batch.ItemID>]

  /// The changes, one after another, as `batch.changes`.
  ///
  /// - Complexity: O(c · log n) for c changes among n items.
  public var changes: [ListChange<Batch.SectionID, Batch.ItemID>] { batch.changes }
}
