/// One update for a list view: what changes, and the data for the view afterwards.
///
/// The stages of a batch form a chain. The first starts from the state before the batch, each other
/// one from the ``snapshot`` of the previous one, and the last ends with the batch's snapshot. Set
/// the view's data to ``snapshot`` inside the view's update, together with the operations.
///
/// ```swift
/// for stage in batch.stages(for: .collectionView) {
///   if stage.isReset {
///     rows = stage.snapshot
///     view.reloadData()
///   } else {
///     view.performBatchUpdates {
///       rows = stage.snapshot
///       view.deleteItems(at: stage.difference.itemDeletes.map(indexPath))
///       // … and so on for the other kinds of change.
///     }
///   }
/// }
/// ```
public struct UpdateStage<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable, Equatable
{
  /// What changes; empty in a reset.
  ///
  /// Old positions are in the state before this stage, new ones in ``snapshot``.
  public var difference: SnapshotDifference
  /// The state after this stage.
  public var snapshot: Snapshot<SectionID, ItemID>
  /// Whether ``snapshot`` is to be shown from scratch.
  public var isReset: Bool

  /// Creates a stage that changes what a view shows.
  public init(difference: SnapshotDifference, snapshot: Snapshot<SectionID, ItemID>) {
    self.difference = difference
    self.snapshot = snapshot
    isReset = false
  }

  /// Creates a stage that shows a state from scratch.
  public init(resettingTo snapshot: Snapshot<SectionID, ItemID>) {
    difference = SnapshotDifference()
    self.snapshot = snapshot
    isReset = true
  }
}

extension UpdateStage: CustomStringConvertible {
  /// What changes, and the state it leads to, in compact notation.
  public var description: String {
    isReset ? "reset to \(snapshot)" : "\(difference) ⇒ \(snapshot)"
  }
}
