import Diffable

/// A step that reads all rows of the trees of its input, hidden ones too.
///
/// A tree stores its rows in depth-first order, each with its level. So the rows that change are found
/// by comparing leaves that are not shared, and what is below a row follows it.
class TreeStep<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Input = Snapshot<SectionID, ItemID>
  typealias Live = LiveState<SectionID, ItemID>
  typealias Tree = Outline<ItemID>

  /// The type of what the input has for a row.
  let element: any Any.Type
  var isFresh = true

  init(element: any Any.Type) { self.element = element }

  var alarms: [Alarm] { [] }
  var ranks: RowRanks<ItemID>? { nil }

  /// How the input has changed; the step is computed from scratch if that is not known.
  func origin(of input: StepInput<SectionID, ItemID>) -> StepInput<SectionID, ItemID>.Origin {
    let kernels = input.snapshot.kernels
    precondition((kernels.models ?? kernels.items).type == element, "elements of another type")
    defer { isFresh = false }
    return isFresh ? .unknown : input.origin
  }

  /// The row at an address.
  func row(_ found: FoundRow) -> Tree.Row {
    found.row.assumingMemoryBound(to: Tree.Row.self).pointee
  }

  /// The row at a position.
  func foundRow(at position: Int, in tree: Tree) -> FoundRow {
    guard let place = tree.rows.base.leaf(atPosition: position) else {
      preconditionFailure("no row \(position) in a tree")
    }
    let offset = position - place.base
    return FoundRow(row: place.leaf.span.address(offset), element: place.leaf.shown(at: offset))
  }
}

/// A row of a tree, and what the list shows for it, by their addresses.
struct FoundRow {
  let row: UnsafeRawPointer
  let element: UnsafeRawPointer
}

/// How the rows of a section become a tree.
struct TreeRule<ItemID: Hashable & Sendable>: Sendable {
  let parents: RowParents<ItemID>
  /// Whether rows are expanded when they are inserted.
  let isExpanded: Bool
  /// Whether a row has children that are not loaded; `nil` if all rows are there.
  var unloaded: RowTest?

  func hasUnloadedChildren(_ row: RowPlace) -> Bool { unloaded?.keeps(row) ?? false }

  /// Whether a row is expanded that nobody has folded.
  func isExpanded(_ row: RowPlace) -> Bool { isExpanded && !hasUnloadedChildren(row) }

  /// The identifier that a row names as its parent; no row is its own parent.
  func parent(of row: RowPlace) -> ItemID? {
    guard let parent = parents.parent(row.element), parent != row.item() else { return nil }
    return parent
  }
}

/// The parent of each row.
struct RowParents<ItemID: Hashable & Sendable>: Sendable {
  let parent: @Sendable (UnsafeRawPointer) -> ItemID?

  init<Element>(_ parent: @escaping @Sendable (Element) -> ItemID?) {
    self.parent = { lend($0, to: parent) }
  }
}

/// What a step knows about its trees beyond what they contain.
struct TreeMemory<ItemID: Hashable & Sendable> {
  /// The rows that name a parent outside their section, by that parent.
  var orphans = IdentifierRelation<ItemID, ItemID>()
  /// Whether some rows named each other in a circle.
  var hasCircles = false
}

/// The rows of trees that were explicitly expanded or collapsed.
struct ExpansionFlags<ItemID: Hashable & Sendable>: Sendable {
  private var flags = IdentifierMap<ItemID, Bool>()
  /// Flags that have not been applied to the trees yet.
  private(set) var news: [ItemID] = []
  /// The rows that were not there when they were last expanded or collapsed.
  ///
  /// Such a row may be one that the base has renamed and that is still shown under its old identifier.
  private var early = IdentifierSet<ItemID>()

  /// - Parameter isThere: Whether a row is shown.
  mutating func set(
    _ isExpanded: Bool, for items: some Sequence<ItemID>, isThere: (ItemID) -> Bool
  ) {
    for item in items {
      flags[item] = isExpanded
      news.append(item)
      if isThere(item) { early.remove(item) } else { early.insert(item) }
    }
  }

  /// Lets the flags follow rows that have other identifiers now.
  func following(_ renames: [ItemRename<ItemID>]) -> ExpansionFlags {
    guard !renames.isEmpty, !flags.isEmpty else { return self }
    var next = self
    var names = IdentifierMap<ItemID, ItemID>()
    for rename in renames {
      names[rename.old] = rename.new
      next.flags[rename.old] = nil
    }
    next.news = news.map { names[$0] ?? $0 }
    for rename in renames {
      if early.contains(rename.new), names[rename.new] == nil {
        next.news.append(rename.new)
      } else {
        // What is remembered of a row that had the new identifier before is forgotten.
        next.flags[rename.new] = flags[rename.old]
      }
      next.early.remove(rename.old)
      next.early.remove(rename.new)
    }
    return next
  }

  /// Whether a row is expanded; `nil` if it was never expanded or collapsed explicitly.
  subscript(item: ItemID) -> Bool? { flags.isEmpty ? nil : flags[item] }

  /// Records that all flags have been applied to the trees.
  mutating func didTell() { news = [] }
}

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
