import Diffable

/// What changes in the trees of a step.
extension TreeStep {
  /// The changes of the rows of one section.
  struct Change {
    let section: Int
    let old: Tree
    let new: Tree
    /// Adjacent rows that were replaced by others, with their descendants; ascending.
    var regions: [Region] = []
    /// Rows that stay where they are and may show something else, in the new tree.
    var updated: [Int] = []
  }

  /// Rows on both sides of a change.
  struct Region {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// The changed sections; `nil` if working everything out again costs less.
  func changes(
    from old: Input, to new: Input, _ difference: SnapshotDifference
  ) -> [Change]? {
    guard difference.sectionDeletes.isEmpty, difference.sectionInserts.isEmpty,
      difference.sectionMoves.isEmpty
    else { return nil }
    let limit = InputChange<SectionID, ItemID>.limit(among: new.numberOfItems)
    var changes: [Change] = []
    for section in SnapshotComparison(old: old.base, new: new.base).touched {
      guard let oldIndex = section.old, let before = old.outline(ofSectionAt: oldIndex),
        let after = new.outline(ofSectionAt: section.new)
      else { return nil }
      var change = Change(section: section.new, old: before, new: after)
      var cost = 0
      LeafWindows.forEach(old: before.rows.base, new: after.rows.base) { stretch in
        guard case .changed(let window) = stretch else { return }
        let counts = (
          old: window.old.reduce(0) { $0 + $1.count }, new: window.new.reduce(0) { $0 + $1.count }
        )
        cost += counts.old + counts.new
        guard cost <= 4 * limit else { return }
        compare(
          (rows(of: window.old), window.oldBase), (rows(of: window.new), window.newBase),
          new.kernels, &change)
      }
      guard cost <= 4 * limit else { return nil }
      close(&change)
      guard change.regions.reduce(0, { $0 + $1.old.count + $1.new.count }) <= 4 * limit else {
        return nil
      }
      changes.append(change)
    }
    return changes
  }

  /// The rows of some leaves, which the trees of a change hold.
  private func rows(of leaves: LeafWindows.Nodes) -> [FoundRow] {
    var rows: [FoundRow] = []
    for leaf in leaves.lazy.compactMap(\.leaf) {
      let (span, shown) = (leaf.span, leaf.shown)
      for index in 0..<span.count {
        rows.append(
          FoundRow(row: span.address(index), element: shown.first + index &* shown.stride))
      }
    }
    return rows
  }

  /// Adds what differs between adjacent rows of both sides, each with the position of the first.
  private func compare(
    _ old: (rows: [FoundRow], base: Int), _ new: (rows: [FoundRow], base: Int),
    _ kernels: SnapshotKernels, _ change: inout Change
  ) {
    let (before, after, items, models) = (old.rows, new.rows, kernels.items, kernels.models)
    let place = Tree.Row.flagsOffset
    func flags(_ found: FoundRow) -> RowFlags { (found.row + place).load(as: RowFlags.self) }
    func isSamePlace(_ left: FoundRow, _ right: FoundRow) -> Bool {
      // An identifier is the first property of its row.
      flags(left).level == flags(right).level && items.areEqual(left.row, right.row)
    }
    func isSame(_ left: FoundRow, _ right: FoundRow) -> Bool {
      flags(left).isFolded(as: flags(right))
        && (left.element == right.element || models?.areEqual(left.element, right.element) ?? true)
    }
    var start = 0
    while start < min(before.count, after.count), isSamePlace(before[start], after[start]) {
      if !isSame(before[start], after[start]) { change.updated.append(new.base + start) }
      start += 1
    }
    guard start < before.count || start < after.count else { return }
    var end = 0
    while end < min(before.count, after.count) - start,
      isSamePlace(before[before.count - 1 - end], after[after.count - 1 - end])
    {
      end += 1
      if !isSame(before[before.count - end], after[after.count - end]) {
        change.updated.append(new.base + after.count - end)
      }
    }
    change.regions.append(
      Region(
        old: old.base + start..<old.base + before.count - end,
        new: new.base + start..<new.base + after.count - end))
  }

  /// Extends the regions by the rows after them that may have other ancestors now.
  private func close(_ change: inout Change) {
    var closed: [Region] = []
    for region in change.regions {
      var region = region
      while let last = closed.last,
        region.old.lowerBound < last.old.upperBound || region.new.lowerBound < last.new.upperBound
      {
        closed.removeLast()
        region = Region(
          old: last.old.lowerBound..<max(last.old.upperBound, region.old.upperBound),
          new: last.new.lowerBound..<max(last.new.upperBound, region.new.upperBound))
      }
      var level = Int32.max
      change.old.forEachRow(in: region.old) { level = min(level, $0.level) }
      change.new.forEachRow(in: region.new) { level = min(level, $0.level) }
      closed.append(
        Region(
          old: region.old
            .lowerBound..<change.old.position(notBelow: level, from: region.old.upperBound),
          new: region.new
            .lowerBound..<change.new.position(notBelow: level, from: region.new.upperBound)))
    }
    change.regions = closed
  }

  /// Sets the models of sections that have changed, and passes on the marks of the writers.
  func finish(
    from old: Input, to new: Input, _ difference: SnapshotDifference, _ draft: inout Input,
    _ given: inout Live.Given
  ) {
    let map = PositionMap(difference)
    let headers = difference.sectionReconfigures.union(
      map.newSections(forOld: difference.sectionReloads))
    for section in headers.ranges.joined() where section < new.numberOfSections {
      let section = new.section(at: section)
      given.sections[section] = new.content(ofSection: section) ?? SectionContent()
    }
    mark(from: old, to: new, difference, map, &draft)
  }

  /// Passes on the marks of the writers of the input.
  private func mark(
    from old: Input, to new: Input, _ difference: SnapshotDifference, _ map: PositionMap,
    _ draft: inout Input
  ) {
    func items(_ paths: some Sequence<ItemPath>) -> [ItemID] {
      paths.compactMap(new.itemIdentifier(for:)).filter { draft.containsItem($0) }
    }
    let renames = difference.itemRenames.compactMap { path -> ItemRename<ItemID>? in
      guard let oldPath = map.oldPath(forNew: path), let was = old.itemIdentifier(for: oldPath),
        let now = new.itemIdentifier(for: path), draft.containsItem(now), !draft.containsItem(was)
      else { return nil }
      return ItemRename(old: was, new: now)
    }
    if !renames.isEmpty { draft.marks.rename(renames) }
    let reloaded = items(map.newPaths(forOld: difference.itemReloads))
    if !reloaded.isEmpty { draft.marks.reload(items: reloaded) }
    let reconfigured = items(difference.itemReconfigures).filter { item in
      guard let path = new.itemPath(for: item), let oldPath = old.itemPath(for: item) else {
        return false
      }
      // A row that is listed although it shows the same must have been marked, or folded.
      let elements = old.kernels.models ?? old.kernels.items
      return old.disclosure(of: item) == new.disclosure(of: item)
        && old.withRow(at: oldPath) { old in
          new.withRow(at: path) { elements.areEqual(old.element, $0.element) }
        }
    }
    if !reconfigured.isEmpty { draft.marks.reconfigure(items: reconfigured) }
    let sections = map.newSections(forOld: difference.sectionReloads).ranges.joined()
      .compactMap(new.sectionIdentifier(at:)).filter { draft.containsSection($0) }
    if !sections.isEmpty { draft.marks.reload(sections: sections) }
    let marked = difference.sectionReconfigures.ranges.joined()
      .compactMap(new.sectionIdentifier(at:))
      .filter {
        draft.containsSection($0) && old.content(ofSection: $0) == new.content(ofSection: $0)
      }
    if !marked.isEmpty { draft.marks.reconfigure(sections: marked) }
  }
}
