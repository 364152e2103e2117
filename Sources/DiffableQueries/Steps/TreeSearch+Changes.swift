import Diffable

/// How a search follows a change of its trees.
extension TreeSearch {
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
          window.oldBase..<window.oldBase + counts.old,
          window.newBase..<window.newBase + counts.new, new.kernels, &change)
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

  /// Adds what differs between some rows of both sides.
  private func compare(
    _ old: Range<Int>, _ new: Range<Int>, _ kernels: SnapshotKernels, _ change: inout Change
  ) {
    let before = old.map { foundRow(at: $0, in: change.old) }
    let after = new.map { foundRow(at: $0, in: change.new) }
    func isSamePlace(_ left: FoundRow, _ right: FoundRow) -> Bool {
      let (left, right) = (row(left), row(right))
      return left.level == right.level && left.id == right.id
    }
    func isSame(_ left: FoundRow, _ right: FoundRow) -> Bool {
      row(left).isIdentical(to: row(right))
        && (left.element == right.element
          || kernels.models?.areEqual(left.element, right.element) ?? true)
    }
    var start = 0
    while start < min(before.count, after.count), isSamePlace(before[start], after[start]) {
      if !isSame(before[start], after[start]) { change.updated.append(new.lowerBound + start) }
      start += 1
    }
    guard start < before.count || start < after.count else { return }
    var end = 0
    while end < min(before.count, after.count) - start,
      isSamePlace(before[before.count - 1 - end], after[after.count - 1 - end])
    {
      end += 1
      if !isSame(before[before.count - end], after[after.count - end]) {
        change.updated.append(new.upperBound - end)
      }
    }
    change.regions.append(
      Region(
        old: old.lowerBound + start..<old.upperBound - end,
        new: new.lowerBound + start..<new.upperBound - end))
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

  /// Makes the changes in the output.
  func apply(
    _ changes: [Change], from old: Input, to new: Input, _ difference: SnapshotDifference,
    _ flags: ExpansionFlags<ItemID>, _ draft: inout Input, _ given: inout Live.Given
  ) {
    for change in changes {
      guard let outline = draft.outline(ofSectionAt: change.section) else { continue }
      var edit = SearchEdit(self, change, outline, flags)
      edit.apply()
      give(edit.shown, new.kernels, &given)
      draft.exchangeOutline(edit.output, ofSectionAt: change.section)
    }
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

/// An edit that lets the kept rows of a section follow its tree.
private struct SearchEdit<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Search = TreeSearch<SectionID, ItemID>

  let search: Search
  let change: Search.Change
  let flags: ExpansionFlags<ItemID>
  private(set) var output: Outline<ItemID>
  /// The rows of the new tree that are inserted or may show something else.
  private(set) var shown: [FoundRow] = []

  init(
    _ search: Search, _ change: Search.Change, _ output: Outline<ItemID>,
    _ flags: ExpansionFlags<ItemID>
  ) {
    (self.search, self.change, self.output, self.flags) = (search, change, output, flags)
  }

  private var new: Outline<ItemID> { change.new }

  mutating func apply() {
    for region in change.regions.reversed() {
      let start = place(of: region.old.lowerBound, in: change.old)
      let end = place(of: region.old.upperBound, in: change.old)
      output.replaceRows(start..<end, with: [])
    }
    for region in change.regions where !region.new.isEmpty { insert(region.new) }
    let inRegions = RangeSet(change.regions.map(\.new))
    for position in change.updated where !inRegions.contains(position) { update(position) }
    for region in change.regions where region.new.lowerBound > 0 {
      removeChain(from: region.new.lowerBound - 1)
    }
    for position in change.updated { removeChain(from: position) }
  }

  /// The place in the output of the first kept row from a position of a tree on.
  ///
  /// Every row of the output must be in that tree.
  private func place(of position: Int, in tree: Outline<ItemID>) -> Int {
    (0..<output.count).partitioningIndex { index in
      (tree.position(of: output.rows[index].id) ?? .max) >= position
    }
  }

  /// Inserts what is kept of some rows of the new tree, and their ancestors.
  private mutating func insert(_ rows: Range<Int>) {
    var ancestors: [FoundRow] = []
    var position = new.parentPosition(ofRowAt: rows.lowerBound)
    while let parent = position {
      ancestors.append(search.foundRow(at: parent, in: new))
      position = new.parentPosition(ofRowAt: parent)
    }
    ancestors.reverse()
    let known = ancestors.prefix { output.position(of: search.row($0).id) != nil }.count
    let found = search.find(in: new, rows, below: ancestors, known: known)
    guard !found.isEmpty else { return }
    let place = place(of: rows.lowerBound, in: new)
    output.replaceRows(place..<place, with: search.rows(found, flags))
    shown += found
  }

  /// Follows a row that stays where it is.
  private mutating func update(_ position: Int) {
    let found = search.foundRow(at: position, in: new)
    let row = search.row(found)
    guard let place = output.position(of: row.id) else {
      if search.matches(found) { insert(position..<position + 1) }
      return
    }
    shown.append(found)
    if output.rows[place].hasUnloadedChildren != row.hasUnloadedChildren {
      output.setHasUnloadedChildren([row.id], row.hasUnloadedChildren)
    }
    output.setExpanded(flags[row.id] ?? search.isExpanded(row), [row.id])
  }

  /// Removes a row and its ancestors, up to one that is kept for another reason.
  private mutating func removeChain(from position: Int) {
    var next: Int? = position
    while let position = next {
      let found = search.foundRow(at: position, in: new)
      if let place = output.position(of: search.row(found).id) {
        guard !search.matches(found), !output.hasChildren(at: place) else { return }
        output.replaceRows(place..<place + 1, with: [])
      }
      next = new.parentPosition(ofRowAt: position)
    }
  }
}
