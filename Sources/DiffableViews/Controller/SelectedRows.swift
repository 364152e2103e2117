import Diffable

/// Selected items, by the rows that they have on display.
///
/// All rows of a section are one range. A change of the list takes rows along by their positions. So
/// it does not matter how many there are, or what their items are called.
struct SelectedRows<ItemID: Hashable & Sendable> {
  /// The rows, in the state on display.
  var paths = ItemPathSet()
  /// Items without a row: a collapsed row hides them, or they are on their way through a batch or gone.
  var absent: Set<ItemID> = []

  var isEmpty: Bool { paths.isEmpty && absent.isEmpty }

  func union(_ other: SelectedRows) -> SelectedRows {
    SelectedRows(paths: paths.union(other.paths), absent: absent.union(other.absent))
  }

  func subtracting(_ other: SelectedRows) -> SelectedRows {
    SelectedRows(paths: paths.subtracting(other.paths), absent: absent.subtracting(other.absent))
  }

  /// The items themselves.
  ///
  /// - Parameter snapshot: The state on display.
  /// - Complexity: O(k + r · log n) for k items in r ranges, of n.
  func items<SectionID>(in snapshot: Snapshot<SectionID, ItemID>) -> Set<ItemID> {
    var items = absent
    items.reserveCapacity(absent.count + paths.count)
    for range in paths.ranges {
      let rows = snapshot.items(inSectionAt: range.section)
      items.formUnion(rows[range.items.clamped(to: 0..<rows.count)])
    }
    return items
  }
}

/// A change of the state on display, which takes selected rows along.
struct RowPassage<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let old, new: Snapshot<SectionID, ItemID>
  private let difference: SnapshotDifference
  private let map: PositionMap

  init(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>,
    _ difference: SnapshotDifference
  ) {
    (self.old, self.new, self.difference) = (old, new, difference)
    map = PositionMap(difference)
  }

  /// Takes rows along; those that leave are absent then, and absent ones that come have a row.
  ///
  /// - Parameter newName: The identifier that an item has after the batch.
  /// - Complexity: O((r + c) · log c) for r ranges and c changes, and O(log n) for each selected row
  ///   that leaves. If items are absent, also O(log n) for each row that comes or is renamed.
  func follow(
    _ rows: SelectedRows<ItemID>, newName: (ItemID) -> ItemID
  ) -> SelectedRows<ItemID> {
    var next = rows
    if difference.isStructural {
      next.paths = map.newPaths(forOld: rows.paths)
      for path in leaving(rows.paths) {
        if let item = old.itemIdentifier(for: path) { next.absent.insert(newName(item)) }
      }
    }
    guard !next.absent.isEmpty else { return next }
    next.paths = next.paths.union(ItemPathSet(arrivals(of: &next.absent)))
    return next
  }

  /// The rows among some that leave the list.
  func leaving(_ paths: ItemPathSet) -> ItemPathSet {
    let deleted = paths.intersection(difference.itemDeletes)
    guard !difference.sectionDeletes.isEmpty else { return deleted }
    var all = ItemPathSet()
    for range in paths.ranges where difference.sectionDeletes.contains(range.section) {
      all.append(section: range.section, items: range.items)
    }
    return all.union(deleted)
  }

  /// The new rows of absent items, which are absent no longer.
  private func arrivals(of absent: inout Set<ItemID>) -> [ItemPath] {
    var found: [ItemPath] = []
    func check(_ section: Int, _ rows: Range<Int>) {
      let items = new.items(inSectionAt: section)
      let rows = rows.clamped(to: 0..<items.count)
      for (row, item) in zip(rows, items[rows]) where absent.contains(item) {
        absent.remove(item)
        found.append(ItemPath(section: section, item: row))
      }
    }
    for range in difference.itemInserts.ranges { check(range.section, range.items) }
    // A row can get the identifier of an item that is not there.
    for range in difference.itemRenames.ranges { check(range.section, range.items) }
    for section in difference.sectionInserts.ranges.joined() { check(section, 0..<Int.max) }
    return found
  }

  /// The rows among some of the old state that get other identifiers, in both states.
  func renamed(_ paths: ItemPathSet) -> (old: ItemPathSet, new: ItemPathSet)? {
    let renamed = map.newPaths(forOld: paths).intersection(difference.itemRenames)
    return renamed.isEmpty ? nil : (map.oldPaths(forNew: renamed), renamed)
  }

  /// Whether hidden items may have gone, which have no positions.
  var mayLoseHiddenItems: Bool {
    !difference.outlineChanges.isEmpty || !difference.sectionDeletes.isEmpty
  }
}

extension SelectedRows {
  /// Takes rows along from one state to another, if nothing is known about what changed.
  ///
  /// - Complexity: O(k · log n) for k items of n.
  func followed<SectionID>(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>,
    newName: (ItemID) -> ItemID
  ) -> SelectedRows {
    var next = SelectedRows()
    var paths: [ItemPath] = []
    for item in items(in: old) {
      let name = new.itemPath(for: item) == nil ? newName(item) : item
      if let path = new.itemPath(for: name) { paths.append(path) } else { next.absent.insert(name) }
    }
    next.paths = ItemPathSet(paths)
    return next
  }
}
