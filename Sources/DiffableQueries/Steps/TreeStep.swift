import Diffable

/// A step that reads all rows of the trees of its input, hidden ones too.
///
/// A tree stores its rows in depth-first order, each with its level. So the rows that change are found
/// by comparing leaves that are not shared, and what is below a row follows it.
class TreeStep<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: QueryChain {
  typealias Input = Snapshot<SectionID, ItemID>
  typealias Live = LiveState<SectionID, ItemID>
  typealias Tree = Outline<ItemID>

  /// The type of what the input has for a row.
  private let element: any Any.Type
  /// The rows that it looks for; `nil` if it shows all.
  let test: RowTest?
  private(set) var isFresh = true

  init(element: any Any.Type, test: RowTest? = nil) { (self.element, self.test) = (element, test) }

  var alarms: [Alarm] { [] }
  var ranks: RowRanks<ItemID>? { nil }
  var isSearch: Bool { test != nil }
  /// Whether changes cannot be followed.
  var isUncertain: Bool { false }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels { input }

  func continuing(
    _ earlier: any QueryChain<SectionID, SectionID, ItemID>
  ) -> any QueryChain<SectionID, SectionID, ItemID> { self }

  /// The rows that the step itself expands and collapses.
  func flags(_ input: StepInput<SectionID, ItemID>) -> ExpansionFlags<ItemID> { ExpansionFlags() }

  /// Forgets everything, before trees are made from scratch.
  func reset() {}

  /// The rows that are shown for a tree.
  func rows(
    of tree: Tree, _ flags: ExpansionFlags<ItemID>, _ kernels: SnapshotKernels,
    _ given: inout Live.Given
  ) -> ContiguousArray<Tree.Row> { [] }

  /// Gives the models of the rows of a flat list.
  func give(_ rows: [RowPlace], _ kernels: SnapshotKernels, _ given: inout Live.Given) {}

  /// Lets what is shown for a tree follow a change.
  func apply(
    _ change: Change, _ output: inout Tree, _ flags: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) {}

  func advance(
    _ input: StepInput<SectionID, ItemID>, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let snapshot = input.snapshot
    let kernels = snapshot.kernels
    precondition((kernels.models ?? kernels.items).type == element, "elements of another type")
    let (flags, made) = (flags(input), self.kernels(from: kernels))
    switch isFresh ? .unknown : input.origin {
    case .same:
      guard !flags.news.isEmpty else { return nil }
      return try live.edit { draft, _ in draft.tell(flags) }
    case .changed(from: let old, let difference) where !isUncertain:
      if let changes = changes(from: old, to: snapshot, difference) {
        return try live.edit { draft, given in
          for change in changes {
            guard var output = draft.outline(ofSectionAt: change.section) else { continue }
            apply(change, &output, flags, made, &given)
            draft.exchangeOutline(output, ofSectionAt: change.section)
          }
          finish(from: old, to: snapshot, difference, &draft, &given)
          draft.tell(flags)
        }
      }
    default: break
    }
    isFresh = false
    var (state, given) = evaluate(snapshot, flags, made)
    if case .changed(from: let old, let difference) = input.origin,
      difference.hasRefreshes
    {
      mark(from: old, to: snapshot, difference, PositionMap(difference), &state)
    }
    return try live.apply(
      state, given, duplicates: .reject, keepingOutlines: false, isComplete: false)
  }

  /// What is shown for a state, computed from scratch.
  ///
  /// - Complexity: O(n) for n rows.
  private func evaluate(
    _ input: Input, _ flags: ExpansionFlags<ItemID>, _ kernels: SnapshotKernels
  ) -> (snapshot: Input, given: Live.Given) {
    // Rows are identified by their addresses, and the input holds them.
    defer { withExtendedLifetime(input) {} }
    reset()
    var given = Live.Given()
    typealias Section = (id: SectionID, rows: Input.Rows)
    let sections = input.records.enumerated().map { index, record -> Section in
      given.sections[record.id] = record.model ?? SectionContent()
      if let tree = input.outline(ofSectionAt: index) {
        var shown = Tree(kernels.items)
        shown.replaceRows(0..<0, with: rows(of: tree, flags, kernels, &given))
        return (id: record.id, rows: Input.Rows.outline(shown))
      }
      var rows: [RowPlace] = []
      input.appendRows(ofSectionAt: index, passing: test, to: &rows)
      give(rows, kernels, &given)
      return (id: record.id, rows: Input.Rows.list(rows.map { $0.item() }))
    }
    return (Input(kernels, sections: sections), given)
  }
}

extension RowPlace {
  /// The row of a tree; an identifier is the first property of its row.
  func row<ItemID>() -> OutlineRow<ItemID> { item(as: OutlineRow<ItemID>.self) }
}

extension Outline {
  /// A row, and what the list shows for it.
  func place(at position: Int) -> RowPlace { rows.base.withRow(at: position) { $0 } }

  /// Expands or collapses a row as another one with its identifier is.
  mutating func setFlags(like row: Row) {
    setHasUnloadedChildren([row.id], row.hasUnloadedChildren)
    setExpanded(row.isExpanded, [row.id])
  }

  /// A row and its ancestors, by their positions, from below.
  func chain(from position: Int) -> some Sequence<Int> {
    sequence(first: position, next: parentPosition(ofRowAt:))
  }
}

/// How the rows of a section become a tree.
struct TreeRule<ItemID: Hashable & Sendable>: Sendable {
  /// The identifier that the element of a row names as its parent.
  private let parent: @Sendable (UnsafeRawPointer) -> ItemID?
  /// Whether rows are expanded when they are inserted.
  let isExpanded: Bool
  /// Whether a row has children that are not loaded; `nil` if all rows are there.
  let unloaded: RowTest?

  init<Element>(
    _ parent: @escaping @Sendable (Element) -> ItemID?, isExpanded: Bool, unloaded: RowTest? = nil
  ) {
    self.parent = { lend($0, to: parent) }
    (self.isExpanded, self.unloaded) = (isExpanded, unloaded)
  }

  /// The row of a tree, expanded or collapsed as users have left it.
  func row(
    _ place: RowPlace, level: Int32 = 0, _ expansion: ExpansionFlags<ItemID>
  ) -> OutlineRow<ItemID> {
    let item: ItemID = place.item()
    let hasUnloadedChildren = unloaded?.keeps(place) ?? false
    return OutlineRow(
      id: item, level: level, isExpanded: expansion[item] ?? (isExpanded && !hasUnloadedChildren),
      hasUnloadedChildren: hasUnloadedChildren)
  }

  /// The identifier that a row names as its parent; no row is its own parent.
  func parent(of row: RowPlace) -> ItemID? {
    guard let parent = parent(row.element), parent != row.item() else { return nil }
    return parent
  }
}

/// What a step knows about its trees beyond what they contain.
struct TreeMemory<ItemID: Hashable & Sendable> {
  /// The rows that name a parent outside their section, by that parent.
  var orphans = IdentifierRelation<ItemID, ItemID>()
  /// Whether some rows named each other in a circle.
  var hasCircles = false
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
    /// Other rows that stay where they are and may show something else, in the new tree.
    var updated: [Int] = []

    /// Rows whose ancestors may show something else, besides those in the regions.
    var lowest: [Int] {
      regions.lazy.map { $0.new.lowerBound - 1 }.filter { $0 >= 0 } + updated
    }
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
  private func rows(of leaves: LeafWindows.Nodes) -> [RowPlace] {
    var rows: [RowPlace] = []
    for leaf in leaves.lazy.compactMap(\.leaf) {
      for offset in 0..<leaf.count { rows.append(leaf.row(at: offset)) }
    }
    return rows
  }

  /// Adds what differs between adjacent rows of both sides, each with the position of the first.
  private func compare(
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
    let inRegions = RangeSet(closed.map(\.new))
    change.updated.removeAll(where: inRegions.contains)
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
      paths.compactMap(new.itemIdentifier(for:))
    }
    func sections(_ indices: RangeSet<Int>) -> [SectionID] {
      indices.ranges.joined().compactMap(new.sectionIdentifier(at:))
    }
    let elements = old.kernels.models ?? old.kernels.items
    let reconfigured = items(difference.itemReconfigures).filter { item in
      guard draft.containsItem(item), let path = new.itemPath(for: item),
        let oldPath = old.itemPath(for: item)
      else { return false }
      // A row that is listed although it shows the same must have been marked, or folded.
      return old.disclosure(of: item) == new.disclosure(of: item)
        && old.withRow(at: oldPath) { old in
          new.withRow(at: path) { elements.areEqual(old.element, $0.element) }
        }
    }
    draft.mark(
      renamed: difference.renames(from: old, to: new),
      reloaded: items(map.newPaths(forOld: difference.itemReloads)), reconfigured: reconfigured,
      reloadedSections: sections(map.newSections(forOld: difference.sectionReloads)),
      reconfiguredSections: sections(difference.sectionReconfigures).filter {
        old.content(ofSection: $0) == new.content(ofSection: $0)
      })
  }
}
