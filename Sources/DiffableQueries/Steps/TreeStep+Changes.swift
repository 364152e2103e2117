import Diffable

/// What changes in the trees of a step.
extension TreeStep {
  /// The changes of the rows of one section.
  struct Change {
    let section: SectionID
    let old: Tree
    let new: Tree
    /// Adjacent rows that were replaced by others, with their descendants; ascending.
    var regions: [Region] = []
    /// Other rows that stay where they are and may show something else, in the new tree.
    var updated: [Int] = []

    /// Rows whose ancestors may show something else, besides those in the regions.
    var lowest: [Int] {
      regions.lazy.map { $0.new.lowerBound - 1 }.filter { $0 >= 0 } + updated
    }

    /// Lets a column follow the rows of the tree.
    func update(_ column: any AggregateColumn) {
      func elements(_ range: Range<Int>) -> [UnsafeRawPointer] { new.places(range).map(\.element) }
      for region in regions.reversed() { column.replace(region.old, with: elements(region.new)) }
      for position in updated {
        column.replace(position..<position + 1, with: elements(position..<position + 1))
      }
    }
  }

  /// Rows on both sides of a change.
  struct Region {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// A section that is new, or in which something has changed.
  struct TouchedSection {
    /// Its index in the new input.
    let index: Int
    /// How its tree has changed; `nil` if the section is worked out from scratch.
    let change: Change?
  }

  /// The sections that are new or changed, in ascending order; `nil` if working everything out again
  /// costs less.
  ///
  /// - Complexity: O(m · log n) for m of n rows in which they differ, and in sections that are new or
  ///   no trees.
  static func touchedSections(from old: Input, to new: Input) -> [TouchedSection]? {
    var rest = 4 * InputChange<SectionID, ItemID>.limit(among: new.numberOfItems)
    var touched: [TouchedSection] = []
    for section in SnapshotComparison(old: old.base, new: new.base).touched {
      guard let index = section.old, let before = old.outline(ofSectionAt: index),
        let after = new.outline(ofSectionAt: section.new)
      else {
        rest -=
          new.outline(ofSectionAt: section.new)?.count ?? new.itemCount(ofSectionAt: section.new)
        guard rest >= 0 else { return nil }
        touched.append(TouchedSection(index: section.new, change: nil))
        continue
      }
      var change = Change(section: new.section(at: section.new), old: before, new: after)
      LeafWindows.forEach(old: before.rows.base, new: after.rows.base) { stretch in
        guard case .changed(let window) = stretch else { return }
        rest -= window.old.reduce(0) { $0 + $1.count } + window.new.reduce(0) { $0 + $1.count }
        guard rest >= 0 else { return }
        compare(
          (rows(of: window.old), window.oldBase), (rows(of: window.new), window.newBase),
          new.kernels, &change)
      }
      guard rest >= 0 else { return nil }
      close(&change)
      rest -= change.regions.reduce(0) { $0 + $1.old.count + $1.new.count }
      guard rest >= 0 else { return nil }
      touched.append(TouchedSection(index: section.new, change: change))
    }
    return touched
  }

  /// The rows of some leaves, which the trees of a change hold.
  private static func rows(of leaves: LeafWindows.Nodes) -> [RowPlace] {
    var rows: [RowPlace] = []
    for leaf in leaves.lazy.compactMap(\.leaf) {
      for offset in 0..<leaf.count { rows.append(leaf.row(at: offset)) }
    }
    return rows
  }

  /// Adds what differs between adjacent rows of both sides, each with the position of the first.
  private static func compare(
    _ old: (rows: [RowPlace], base: Int), _ new: (rows: [RowPlace], base: Int),
    _ kernels: SnapshotKernels, _ change: inout Change
  ) {
    let (before, after, items, models) = (old.rows, new.rows, kernels.items, kernels.models)
    let place = Tree.Row.flagsOffset
    func flags(_ found: RowPlace) -> RowFlags { (found.item + place).load(as: RowFlags.self) }
    func isSamePlace(_ left: RowPlace, _ right: RowPlace) -> Bool {
      flags(left).level == flags(right).level && items.areEqual(left.item, right.item)
    }
    func isSame(_ left: RowPlace, _ right: RowPlace) -> Bool {
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
  private static func close(_ change: inout Change) {
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
    let inRegions = RangeSet(closed.map(\.new))
    change.updated.removeAll(where: inRegions.contains)
  }
}
