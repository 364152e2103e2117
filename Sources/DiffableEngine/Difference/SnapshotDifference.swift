/// What changed between two snapshots, in positions.
///
/// Deletes, reloads and the sources of moves are in the *old* index space. Inserts, reconfigures
/// and the targets of moves are in the *new* one. The order of the operations does not matter: all
/// old positions refer to the state before, all new ones to the state after.
///
/// The items of a deleted or inserted section are not listed: they are deleted or inserted with it.
/// So an item that leaves a deleted section for one that stays is listed as an insert there. An
/// item that enters an inserted section is listed as a delete where it was. Any other item that is
/// in both snapshots stays or moves. It is never a delete and an insert, even if its identifier
/// changes (``itemRenames``). Moves are the fewest possible.
///
/// A difference has positions only. ``Snapshot/applying(_:insertsFrom:)`` replays it.
public struct SnapshotDifference: Hashable, Sendable {
  /// Deleted sections, in the old index space.
  public var sectionDeletes = RangeSet<Int>()
  /// Inserted sections, in the new index space.
  public var sectionInserts = RangeSet<Int>()
  /// Moved sections, ordered by their targets.
  public var sectionMoves: [Move<Int>] = []
  /// Sections to show again with all their items, in the old index space.
  public var sectionReloads = RangeSet<Int>()
  /// Staying sections whose headers and footers are updated in place, in the new index space.
  ///
  /// Their items are not affected.
  public var sectionReconfigures = RangeSet<Int>()
  /// Items deleted from sections that stay, in the old index space.
  public var itemDeletes = ItemPathSet()
  /// Items inserted in sections that stay, in the new index space.
  public var itemInserts = ItemPathSet()
  /// Moved items, ordered by their targets.
  public var itemMoves: [Move<ItemPath>] = []
  /// Items that stay or move and whose views are replaced, in the old index space.
  public var itemReloads = ItemPathSet()
  /// Items that stay or move and whose views are updated in place, in the new index space.
  ///
  /// These are items that are marked, and items of outlines whose disclosure changed: they were
  /// expanded or collapsed, gained their first child or lost their last one.
  public var itemReconfigures = ItemPathSet()
  /// Items that stay or move under another identifier, in the new index space.
  ///
  /// The view of such an item is updated in place: it is also listed in ``itemReconfigures``,
  /// unless it is reloaded, by itself or with its section. The identifiers are in the states before and after. See
  /// ``Snapshot/renameItem(_:to:)``.
  public var itemRenames = ItemPathSet()
  /// Sections that stay and hold another outline than before, in the new index space.
  ///
  /// Changes of the visible items are listed as for a flat list. An entry here means that something
  /// else may have changed too: levels, flags, or hidden items.
  public var outlineChanges = RangeSet<Int>()

  /// Creates a difference without any change.
  public init() {}

  /// Whether nothing changed at all, reloads and reconfigures included.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool {
    !isStructural && !hasRefreshes && outlineChanges.isEmpty && itemRenames.isEmpty
  }

  /// The number of changes.
  ///
  /// Each moved, deleted, inserted, reloaded or reconfigured element counts as one, and so does a
  /// changed outline. The items of an inserted or deleted section count with their section, and
  /// renamed items as reconfigured or reloaded ones. The count stops at `Int.max`, and ignores
  /// section indices that no section can have.
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

  /// Whether any element is deleted, inserted or moved.
  ///
  /// - Complexity: O(1).
  package var isStructural: Bool {
    !sectionDeletes.isEmpty || !sectionInserts.isEmpty || !sectionMoves.isEmpty
      || !itemDeletes.isEmpty || !itemInserts.isEmpty || !itemMoves.isEmpty
  }

  /// Whether any element is reloaded or reconfigured.
  ///
  /// - Complexity: O(1).
  package var hasRefreshes: Bool {
    !sectionReloads.isEmpty || !sectionReconfigures.isEmpty || !itemReloads.isEmpty
      || !itemReconfigures.isEmpty
  }
}

extension RangeSet<Int> {
  /// The number of possible section indices in the set.
  ///
  /// - Complexity: O(r) for r ranges.
  package var elementCount: Int {
    guard !isEmpty else { return 0 }
    return ranges.reduce(0) { $0 + $1.clamped(to: ItemPath.indices).count }
  }
}

extension SnapshotDifference: CustomStringConvertible {
  /// The changes in compact notation; `∅` if there are none.
  ///
  /// `-` is a delete, `+` an insert, `→` a move, `*` a reload and `~` a reconfigure. `⇝` is another
  /// identifier, `▸` another outline. `§2` is a section, `0:3..<5` the items 3 and 4 of section 0.
  /// So `-0:1 +0:3..<5 §2→0` deletes an item, inserts two and moves a section.
  public var description: String {
    func sections(_ sign: String, _ set: RangeSet<Int>) -> [String] {
      set.ranges.map { "\(sign)§\(short($0))" }
    }
    func items(_ sign: String, _ set: ItemPathSet) -> [String] {
      set.ranges.map { "\(sign)\($0.section):\(short($0.items))" }
    }
    var parts = sections("-", sectionDeletes) + sections("+", sectionInserts)
    parts += sectionMoves.map { "§\($0.from)→\($0.to)" }
    parts += items("-", itemDeletes) + items("+", itemInserts)
    parts += itemMoves.map {
      "\($0.from.section):\($0.from.item)→\($0.to.section):\($0.to.item)"
    }
    parts += sections("*", sectionReloads) + items("*", itemReloads)
    parts += sections("~", sectionReconfigures) + items("~", itemReconfigures)
    parts += items("⇝", itemRenames)
    parts += sections("▸", outlineChanges)
    return parts.isEmpty ? "∅" : parts.joined(separator: " ")
  }

  private func short(_ range: Range<Int>) -> String {
    range.lowerBound + 1 == range.upperBound ? "\(range.lowerBound)" : "\(range)"
  }
}

extension SnapshotDifference {
  /// The difference that takes this one back.
  ///
  /// Inserts become deletes, moves are reversed, and renamed items get their old names back. What
  /// was reloaded or reconfigured is reloaded or reconfigured again, at its current place.
  ///
  /// - Complexity: O(c log c) for c changed elements or ranges of them.
  public var inverse: SnapshotDifference {
    let map =
      hasRefreshes || !outlineChanges.isEmpty || !itemRenames.isEmpty
      ? PositionMap(self) : nil
    var inverse = SnapshotDifference()
    inverse.sectionDeletes = sectionInserts
    inverse.sectionInserts = sectionDeletes
    inverse.sectionMoves = sectionMoves.map(\.inverse).sortedIfNeeded { $0.to }
    inverse.itemDeletes = itemInserts
    inverse.itemInserts = itemDeletes
    inverse.itemMoves = itemMoves.map(\.inverse).sortedIfNeeded { $0.to }
    if let map {
      inverse.sectionReloads = map.newSections(forOld: sectionReloads)
      inverse.sectionReconfigures = map.oldSections(forNew: sectionReconfigures)
      inverse.outlineChanges = map.oldSections(forNew: outlineChanges)
      inverse.itemReloads = map.newPaths(forOld: itemReloads)
      inverse.itemReconfigures = map.oldPaths(forNew: itemReconfigures)
      inverse.itemRenames = map.oldPaths(forNew: itemRenames)
    }
    return inverse
  }
}

extension SnapshotDifference {
  /// The same change with each rename replaced by a delete and an insert.
  ///
  /// - Complexity: O(c log c) for c changes or ranges of them.
  package var replacingRenames: SnapshotDifference {
    guard !itemRenames.isEmpty else { return self }
    let origins = PositionMap(self).oldPaths(forNew: itemRenames)
    var result = self
    result.itemRenames = []
    result.itemDeletes = ItemPathSet(sorting: itemDeletes.ranges + origins.ranges)
    result.itemInserts = ItemPathSet(sorting: itemInserts.ranges + itemRenames.ranges)
    result.itemMoves.removeAll { itemRenames.contains($0.to) }
    result.itemReloads = itemReloads.subtracting(origins)
    result.itemReconfigures = itemReconfigures.subtracting(itemRenames)
    return result
  }

  /// The number of sections of a snapshot, and the number of items of each section.
  package struct Extent {
    package let sections: Int
    /// The number of items in the section at an index; 0 if there is no section.
    package let items: (Int) -> Int

    package init(sections: Int, items: @escaping (Int) -> Int) {
      (self.sections, self.items) = (sections, items)
    }
  }

  /// The first old position that does not exist, in words; `nil` if all exist.
  ///
  /// - Complexity: O(r) questions for r ranges and moves.
  package func misplacedOldPosition(in old: Extent) -> String? {
    old.fault("sectionDeletes", sectionDeletes) ?? old.fault("sectionReloads", sectionReloads)
      ?? old.fault("sectionMoves", sectionMoves.lazy.map(\.from))
      ?? old.fault("itemDeletes", itemDeletes) ?? old.fault("itemReloads", itemReloads)
      ?? old.fault("itemMoves", itemMoves.lazy.map(\.from))
  }

  /// The first new position that does not exist, in words; `nil` if all exist.
  ///
  /// - Complexity: O(r) questions for r ranges and moves.
  package func misplacedNewPosition(in new: Extent) -> String? {
    misplacedInsert(in: new)
      ?? new.fault("sectionMoves", sectionMoves.lazy.map(\.to))
      ?? new.fault("sectionReconfigures", sectionReconfigures)
      ?? new.fault("outlineChanges", outlineChanges)
      ?? new.fault("itemMoves", itemMoves.lazy.map(\.to))
      ?? new.fault("itemReconfigures", itemReconfigures) ?? new.fault("itemRenames", itemRenames)
  }

  /// The first insert position that does not exist, in words.
  package func misplacedInsert(in new: Extent) -> String? {
    new.fault("sectionInserts", sectionInserts) ?? new.fault("itemInserts", itemInserts)
  }

  /// The first position that does not exist, in words; `nil` if all exist.
  ///
  /// If all exist, arithmetic on positions cannot overflow, and iterating over them takes no longer
  /// than iterating over the snapshots.
  ///
  /// - Complexity: O(r · log s) for r ranges and moves in s sections.
  package func misplacedPosition(from old: UntypedSnapshot, to new: UntypedSnapshot) -> String? {
    misplacedOldPosition(in: Extent(old)) ?? misplacedNewPosition(in: Extent(new))
  }
}

extension SnapshotDifference.Extent {
  package init(_ snapshot: UntypedSnapshot) {
    let sections = snapshot.order.count
    self.sections = sections
    items = { (0..<sections).contains($0) ? snapshot.itemCount(ofSectionAt: $0) : 0 }
  }

  fileprivate func fault(_ kind: String, _ set: RangeSet<Int>) -> String? {
    set.ranges.first { !(0..<sections).contains($0) }
      .map { "\(kind) names sections \($0), but the number of sections is \(sections)" }
  }

  fileprivate func fault(_ kind: String, _ indices: some Sequence<Int>) -> String? {
    indices.first { !(0..<sections).contains($0) }
      .map { "\(kind) names section \($0), but the number of sections is \(sections)" }
  }

  fileprivate func fault(_ kind: String, _ set: ItemPathSet) -> String? {
    for range in set.ranges {
      let count = items(range.section)
      guard (0..<count).contains(range.items) else {
        return "\(kind) names items \(range.items) of section \(range.section), which has \(count)"
      }
    }
    return nil
  }

  fileprivate func fault(_ kind: String, _ paths: some Sequence<ItemPath>) -> String? {
    for path in paths {
      let count = items(path.section)
      guard (0..<count).contains(path.item) else {
        return "\(kind) names item \(path.item) of section \(path.section), which has \(count)"
      }
    }
    return nil
  }
}
