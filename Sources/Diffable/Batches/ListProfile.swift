/// The kind of list view that a batch is meant for; it determines how the batch is cut into stages.
///
/// Real list views reject some batches whose indices are correct, or display them wrongly. A
/// profile names a family of views with the same rules. ``UpdateBatch/stages(for:)`` cuts a batch
/// so that every stage is valid for that family.
public struct ListProfile: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case collectionView
    case tableView
    case movesApart
    case sequential
  }

  package let kind: Kind

  /// The number of changes above which a batch becomes a reset; `nil`, the default, means never.
  ///
  /// A view that animates thousands of changes at once is slower than one that shows the new state
  /// from scratch, and users cannot follow such an animation. Changes are counted as in
  /// ``SnapshotDifference/changeCount``.
  package var changeLimit: Int?

  /// Views that take a batch as a whole: deletes by old index, inserts by new index.
  ///
  /// For `UICollectionView`.
  public static let collectionView = ListProfile(kind: .collectionView)

  /// Like ``collectionView``, for views that take row moves in another stage than inserted and deleted sections.
  ///
  /// For `UITableView`.
  public static let tableView = ListProfile(kind: .tableView)

  /// Like ``collectionView``, for views that take moves in another stage than deletes and inserts.
  ///
  /// For `NSCollectionView`: its documentation says that moves are performed last, and that indices
  /// reflect what was performed before. That has two readings, which differ if there are moves and
  /// other changes.
  public static let movesApart = ListProfile(kind: .movesApart)

  /// Views that take one operation at a time, with indices in the running state.
  ///
  /// The running state is the result of the operations before it.
  ///
  /// For AppKit's `NSTableView`, GTK's `GListModel` and Android's `RecyclerView`.
  public static let sequential = ListProfile(kind: .sequential)

  /// Whether a stage is one operation on neighbouring elements.
  package var takesOneOperation: Bool { kind == .sequential }

  private init(kind: Kind) {
    self.kind = kind
  }

  /// The same profile with a limit above which a batch becomes a reset.
  public func resetting(past changeLimit: Int) -> ListProfile {
    var profile = self
    profile.changeLimit = changeLimit
    return profile
  }
}

extension ListProfile: CustomStringConvertible {
  /// The name of the profile and its limit, such as `tableView(reset past 100)`.
  public var description: String {
    changeLimit.map { "\(kind)(reset past \($0))" } ?? "\(kind)"
  }
}
