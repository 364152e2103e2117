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

extension UpdateStage: Codable where SectionID: Codable, ItemID: Codable {
  private enum CodingKeys: String, CodingKey {
    case difference
    case snapshot
    case isReset
  }

  /// Reads `{"difference", "snapshot", "isReset"}`.
  ///
  /// A stage does not contain the state before it, so less can be checked than for a batch: its
  /// difference leads to its snapshot from some state, but only code that has that state can tell
  /// from which one.
  ///
  /// - Throws: `DecodingError` if the data is invalid: an identifier that appears twice, a reset
  ///   with a difference, or positions that do not exist.
  /// - Complexity: O(s + n + c log c) for s sections, n items and c changes, given good hashes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    difference = try container.decode(SnapshotDifference.self, forKey: .difference)
    snapshot = try container.decode(Snapshot<SectionID, ItemID>.self, forKey: .snapshot)
    isReset = try container.decode(Bool.self, forKey: .isReset)
    do throws(SnapshotError) {
      try snapshot.validate()
    } catch {
      throw DecodingError.refused(error, at: container.codingPath + [CodingKeys.snapshot])
    }
    let fault =
      isReset
      ? (difference.isEmpty ? nil : "a reset has none")
      : difference.misplacedPosition(to: snapshot.base)
    if let fault {
      throw DecodingError.dataCorruptedError(
        forKey: .difference, in: container,
        debugDescription: "The difference does not lead to the snapshot: \(fault).")
    }
  }
}

extension UpdateStage: CustomStringConvertible {
  /// What changes, and the state it leads to, in compact notation.
  public var description: String {
    isReset ? "reset to \(snapshot)" : "\(difference) ⇒ \(snapshot)"
  }
}
