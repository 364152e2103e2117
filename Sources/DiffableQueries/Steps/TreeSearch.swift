import Diffable

/// What a step looks for in trees.
struct SearchRule: Sendable {
  /// `nil` to keep all rows, and to show the trees as they are folded.
  let test: RowTest?
  /// Whether rows are kept whose children are not loaded: there may be something below them.
  let keepsUnloaded: Bool
}

/// A step that keeps the rows of trees that satisfy a condition, with all their ancestors.
///
/// Its output has the sections of its input, and in each a tree of the rows that are kept. All
/// ancestors of a row are kept with it, so each row is at the level that it has in the input. The
/// last output is also the index of the step: whether something is kept below a row follows from
/// it.
final class TreeSearch<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  TreeStep<SectionID, ItemID>, QueryChain
{
  let rule: SearchRule

  init(_ rule: SearchRule, element: any Any.Type) {
    self.rule = rule
    super.init(element: element)
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels { input }
  var isSearch: Bool { rule.test != nil }

  /// A search is another one each time: its rows are not folded as those of the former were.
  func continuing(
    _ earlier: any QueryChain<SectionID, SectionID, ItemID>
  ) -> any QueryChain<SectionID, SectionID, ItemID> { self }

  func advance(
    _ input: StepInput<SectionID, ItemID>, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let snapshot = input.snapshot
    let flags = rule.test == nil ? input.expansion : input.findings
    switch origin(of: input) {
    case .same:
      guard !flags.news.isEmpty else { return nil }
      return try live.edit { draft, _ in draft.tell(flags) }
    case .changed(from: let old, let difference):
      if let changes = changes(from: old, to: snapshot, difference) {
        return try live.edit { draft, given in
          apply(changes, from: old, to: snapshot, difference, flags, &draft, &given)
          draft.tell(flags)
        }
      }
    case .unknown: break
    }
    let (made, given) = evaluate(snapshot, flags)
    return try live.apply(
      made, given, duplicates: .reject, keepingOutlines: false, isComplete: false)
  }

  /// The rows of all sections that are kept, with their models.
  ///
  /// - Complexity: O(n) tests for n rows, and O(k) for k that are kept.
  private func evaluate(
    _ input: Input, _ flags: ExpansionFlags<ItemID>
  ) -> (snapshot: Input, given: Live.Given) {
    var given = Live.Given()
    // Rows are identified by their addresses, and the input holds them.
    defer { withExtendedLifetime(input) {} }
    let sections = input.records.enumerated().map { index, record -> (SectionID, Input.Rows) in
      given.sections[record.id] = record.model ?? SectionContent()
      if let tree = input.outline(ofSectionAt: index) {
        let found = find(in: tree, 0..<tree.count, below: [], known: 0)
        give(found, input.kernels, &given)
        var kept = Outline<ItemID>(input.kernels.items)
        kept.replaceRows(0..<0, with: rows(found, flags))
        return (record.id, .outline(kept))
      }
      var rows: [RowPlace] = []
      input.appendRows(ofSectionAt: index, passing: rule.test, to: &rows)
      for row in rows { give(row.item, row.element, input.kernels, &given) }
      return (record.id, .list(rows.map { $0.item() }))
    }
    return (Input(input.kernels, sections: sections.map { (id: $0.0, rows: $0.1) }), given)
  }
}

/// Finding rows.
extension TreeSearch {
  /// Whether a row is kept for its own sake.
  func matches(_ found: FoundRow) -> Bool {
    guard let test = rule.test else { return true }
    if test.keeps(RowPlace(item: found.row, element: found.element)) { return true }
    return rule.keepsUnloaded && row(found).hasUnloadedChildren
  }

  /// The rows that are kept among adjacent ones, each after its ancestors.
  ///
  /// The tree must be held while the result is used.
  ///
  /// - Parameters:
  ///   - ancestors: The ancestors of the first row, from level 0 down.
  ///   - known: How many of these are kept anyway; the others are listed before the first row that
  ///     needs them.
  /// - Complexity: O(n) for n rows.
  func find(
    in tree: Tree, _ range: Range<Int>, below ancestors: [FoundRow], known: Int
  ) -> [FoundRow] {
    // By level; what is below the present row is left over from earlier ones.
    var (path, listed) = (ancestors, known)
    var found: [FoundRow] = []
    let (test, keepsUnloaded, place) = (rule.test, rule.keepsUnloaded, Tree.Row.flagsOffset)
    tree.rows.base.forEachLeaf(in: range) { leaf, base in
      let offsets = range.clamped(to: base..<base + leaf.count)
      let first = offsets.lowerBound - base
      withExtendedLifetime(leaf) {
        let (rows, shown) = (leaf.span, leaf.shown)
        let start = shown.first + first &* shown.stride
        var kept = UInt64.max &>> UInt64(64 - offsets.count)
        // Identifiers are in rows, so they are not adjacent: each is tested by itself below.
        let isOfRows = leaf.models == nil
        if let test, !isOfRows {
          kept = test.select(start, offsets.count, kept)
        }
        for offset in 0..<offsets.count {
          let row = rows.address(first + offset)
          let flags = (row + place).load(as: RowFlags.self)
          let level = Int(flags.level)
          let current = FoundRow(row: row, element: start + offset &* shown.stride)
          if level < path.count { path[level] = current } else { path.append(current) }
          if listed > level { listed = level }
          guard
            kept & (1 &<< UInt64(offset)) != 0 || keepsUnloaded && flags.hasUnloadedChildren,
            !isOfRows || matches(current)
          else { continue }
          found += path[listed...level]
          listed = level + 1
        }
      }
    }
    return found
  }

  /// The rows of the output for rows that are kept.
  func rows(
    _ found: [FoundRow], _ flags: ExpansionFlags<ItemID>
  ) -> ContiguousArray<Tree.Row> {
    ContiguousArray(
      found.lazy.map { found in
        let row = self.row(found)
        return Tree.Row(
          id: row.id, level: row.level, isExpanded: flags[row.id] ?? self.isExpanded(row),
          hasUnloadedChildren: row.hasUnloadedChildren)
      })
  }

  /// Whether a row is expanded that nobody has folded.
  ///
  /// What was found is shown, so its ancestors are expanded. Children that are not loaded are not
  /// loaded for that.
  func isExpanded(_ row: Tree.Row) -> Bool {
    rule.test == nil || row.hasUnloadedChildren ? row.isExpanded : true
  }

  /// Gives rows of the output their models.
  func give(_ found: [FoundRow], _ kernels: SnapshotKernels, _ given: inout Live.Given) {
    for row in found { give(row.row, row.element, kernels, &given) }
  }

  private func give(
    _ item: UnsafeRawPointer, _ element: UnsafeRawPointer, _ kernels: SnapshotKernels,
    _ given: inout Live.Given
  ) {
    guard let models = kernels.models else { return }
    given.set(
      item, hash: kernels.items.hash(of: item), model: element, models, kernels.items)
  }
}

/// How a search follows a change of its trees.
extension TreeSearch {
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
    finish(from: old, to: new, difference, &draft, &given)
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
