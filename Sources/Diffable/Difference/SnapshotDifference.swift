/// What changed between two snapshots, in positions.
///
/// Deletes, reloads and the places that moves leave are in the *old* index space; inserts,
/// reconfigures and the places that moves go to are in the *new* one. The order of the operations
/// means nothing: all old positions refer to the state before, all new ones to the state after.
///
/// The items of a deleted or inserted section are not listed: they go and come with it. So an item
/// that leaves a deleted section for one that stays is an insert there, and one that enters an
/// inserted section is a delete where it was. Any other item that is in both snapshots stays, or
/// is a move; it is never a delete and an insert, even where it has got another identifier
/// (``itemRenames``). Moves are the fewest possible.
///
/// A difference knows positions only. ``Snapshot/applying(_:insertsFrom:)`` replays it.
public struct SnapshotDifference: Hashable, Sendable {
  /// Sections that are gone, in the old index space.
  public var sectionDeletes = RangeSet<Int>()
  /// Sections that are new, in the new index space.
  public var sectionInserts = RangeSet<Int>()
  /// Sections that stand elsewhere among those that stay, ordered by where they go.
  public var sectionMoves: [Move<Int>] = []
  /// Sections to show anew with all their items, in the old index space.
  public var sectionReloads = RangeSet<Int>()
  /// Sections that stay and whose headers and footers are to be updated in place, in the new index
  /// space.
  ///
  /// Their items are not concerned.
  public var sectionReconfigures = RangeSet<Int>()
  /// Items that are gone from sections that stay, in the old index space.
  public var itemDeletes = ItemPathSet()
  /// Items that are new in sections that stay, in the new index space.
  public var itemInserts = ItemPathSet()
  /// Items that stand elsewhere, ordered by where they go.
  public var itemMoves: [Move<ItemPath>] = []
  /// Items that stay or move and whose view is to be replaced, in the old index space.
  public var itemReloads = ItemPathSet()
  /// Items that stay or move and whose view is to be updated in place, in the new index space.
  ///
  /// Besides those that are marked, these are items of outlines that have been expanded or
  /// collapsed, have got their first child or lost the last: their views show another sign.
  public var itemReconfigures = ItemPathSet()
  /// Items that stay or move under another identifier, in the new index space.
  ///
  /// The view of such an item is updated in place: it is listed under ``itemReconfigures`` as well,
  /// unless it is reloaded. The identifiers are those of the states before and after. See
  /// ``Snapshot/replaceItem(_:with:)``.
  public var itemRenames = ItemPathSet()
  /// Sections that stay and hold another outline than before, in the new index space.
  ///
  /// What is visible of it is listed as the items of a list are. This says that something else may
  /// have changed as well: levels, flags, or what is hidden.
  public var outlineChanges = RangeSet<Int>()

  /// Creates a difference without any change.
  public init() {}

  /// Answers whether nothing changed at all, reloads and reconfigures included.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool {
    !isStructural && !hasRefreshes && outlineChanges.isEmpty && itemRenames.isEmpty
  }

  /// The number of changes: a moved, deleted, inserted, reloaded or reconfigured element each
  /// counts as one, and so does a changed outline; the items of an inserted or deleted section
  /// count with their section, and renamed items as what is reconfigured or reloaded.
  ///
  /// More than `Int.max` count as that, and sections at indices that no section can have do not
  /// count.
  ///
  /// - Complexity: O(r) for r ranges of section indices.
  public var changeCount: Int {
    [
      sectionDeletes.elementCount, sectionInserts.elementCount, sectionMoves.count,
      sectionReloads.elementCount, sectionReconfigures.elementCount, itemDeletes.count,
      itemInserts.count, itemMoves.count, itemReloads.count, itemReconfigures.count,
      outlineChanges.elementCount,
    ].reduce(0, ItemPathSet.sum)
  }

  /// Answers whether any element is deleted, inserted or moved.
  ///
  /// - Complexity: O(1).
  public var isStructural: Bool {
    !sectionDeletes.isEmpty || !sectionInserts.isEmpty || !sectionMoves.isEmpty
      || !itemDeletes.isEmpty || !itemInserts.isEmpty || !itemMoves.isEmpty
  }

  /// Answers whether any element is reloaded or reconfigured.
  ///
  /// - Complexity: O(1).
  public var hasRefreshes: Bool {
    !sectionReloads.isEmpty || !sectionReconfigures.isEmpty || !itemReloads.isEmpty
      || !itemReconfigures.isEmpty
  }
}

extension RangeSet<Int> {
  /// The number of indices in the set that a section can have.
  ///
  /// - Complexity: O(r) for r ranges.
  var elementCount: Int {
    guard !isEmpty else { return 0 }
    return ranges.reduce(0) { $0 + $1.clamped(to: ItemPath.indices).count }
  }
}
