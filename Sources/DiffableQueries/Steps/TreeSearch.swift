import Diffable

/// A step that keeps the rows of trees that satisfy a condition, with all their ancestors.
///
/// Its output has the sections of its input, and in each a tree of the rows that are kept. All
/// ancestors of a row are kept with it, so each row is at the level that it has in the input. The
/// last output is also the index of the step: whether something is kept below a row follows from
/// it.
final class TreeSearch<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  TreeStep<SectionID, ItemID>
{
  /// Whether rows are kept whose children are not loaded: there may be something below them.
  let keepsUnloaded: Bool

  /// - Parameter test: `nil` to keep all rows, and to show the trees as they are folded.
  init(_ test: RowTest?, keepsUnloaded: Bool, element: any Any.Type) {
    self.keepsUnloaded = keepsUnloaded
    super.init(element: element, test: test)
  }

  override func flags(_ input: StepInput<SectionID, ItemID>) -> ExpansionFlags<ItemID> {
    isSearch ? input.findings : input.expansion
  }

  override func rows(
    of tree: Tree, _ flags: ExpansionFlags<ItemID>, _ kernels: SnapshotKernels,
    _ given: inout Live.Given
  ) -> ContiguousArray<Tree.Row> {
    let found = find(in: tree, 0..<tree.count, below: [], known: 0)
    give(found, kernels, &given)
    return rows(found, flags)
  }

  override func give(_ rows: [RowPlace], _ kernels: SnapshotKernels, _ given: inout Live.Given) {
    for row in rows { given.set(row.item, model: row.element, kernels) }
  }

  override func apply(
    _ change: Change, _ output: inout Tree, _ flags: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) {
    var edit = SearchEdit(search: self, change: change, flags: flags, output: output)
    edit.apply()
    output = edit.output
    give(edit.shown, kernels, &given)
  }
}

/// Finding rows.
extension TreeSearch {
  /// Whether a row is kept for its own sake.
  func matches(_ found: RowPlace) -> Bool {
    guard let test else { return true }
    let row: Tree.Row = found.row()
    return test.keeps(found) || keepsUnloaded && row.hasUnloadedChildren
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
    in tree: Tree, _ range: Range<Int>, below ancestors: [RowPlace], known: Int
  ) -> [RowPlace] {
    // By level; what is below the present row is left over from earlier ones.
    var (path, listed) = (ancestors, known)
    var found: [RowPlace] = []
    let (test, keepsUnloaded, place) = (test, keepsUnloaded, Tree.Row.flagsOffset)
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
          let current = RowPlace(item: row, element: start + offset &* shown.stride)
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
    _ found: [RowPlace], _ flags: ExpansionFlags<ItemID>
  ) -> ContiguousArray<Tree.Row> {
    ContiguousArray(
      found.lazy.map { found in
        let row: Tree.Row = found.row()
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
    test == nil || row.hasUnloadedChildren ? row.isExpanded : true
  }
}

/// An edit that lets the kept rows of a section follow its tree.
private struct SearchEdit<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Search = TreeSearch<SectionID, ItemID>

  let search: Search
  let change: Search.Change
  let flags: ExpansionFlags<ItemID>
  var output: Outline<ItemID>
  /// The rows of the new tree that are inserted or may show something else.
  var shown: [RowPlace] = []

  private var new: Outline<ItemID> { change.new }

  mutating func apply() {
    for region in change.regions.reversed() {
      let start = place(of: region.old.lowerBound, in: change.old)
      let end = place(of: region.old.upperBound, in: change.old)
      output.replaceRows(start..<end, with: [])
    }
    for region in change.regions where !region.new.isEmpty { insert(region.new) }
    for position in change.updated { update(position) }
    for position in change.lowest { removeChain(from: position) }
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
    let ancestors = Array(
      new.chain(from: rows.lowerBound).dropFirst().map(new.place(at:)).reversed())
    let known = ancestors.prefix { output.position(of: $0.item()) != nil }.count
    let found = search.find(in: new, rows, below: ancestors, known: known)
    guard !found.isEmpty else { return }
    let place = place(of: rows.lowerBound, in: new)
    output.replaceRows(place..<place, with: search.rows(found, flags))
    shown += found
  }

  /// Follows a row that stays where it is.
  private mutating func update(_ position: Int) {
    let found = new.place(at: position)
    let row: Outline<ItemID>.Row = found.row()
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
    for position in new.chain(from: position) {
      let found = new.place(at: position)
      guard let place = output.position(of: found.item()) else { continue }
      guard !search.matches(found), !output.hasChildren(at: place) else { return }
      output.replaceRows(place..<place + 1, with: [])
    }
  }
}
