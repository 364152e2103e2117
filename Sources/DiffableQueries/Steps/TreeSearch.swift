import Diffable

/// A step that keeps the rows of trees that satisfy a condition, with all their ancestors.
///
/// Its output has the sections of its input, except those that it leaves empty if the query leaves out
/// such, and in each a tree of the rows that are kept. All ancestors of a row are kept with it, so each row
/// is at the level that it has in the input. The last output is also the index of the step: whether something
/// is kept below a row follows from it.
final class TreeSearch<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  TreeStep<SectionID, ItemID>
{
  /// Whether rows are kept whose children are not loaded: there may be something below them.
  let keepsUnloaded: Bool
  /// Whether the query loads the children of rows that are shown as loading; otherwise the followed source does.
  private let loadsChildren: Bool

  /// - Parameter test: `nil` to keep all rows, and to show the trees as they are folded.
  init(
    _ test: RowTest?, keepsUnloaded: Bool, loadsChildren: Bool, omitsEmptySections: Bool,
    element: any Any.Type
  ) {
    (self.keepsUnloaded, self.loadsChildren) = (keepsUnloaded, loadsChildren)
    super.init(element: element, test: test, omitsEmptySections: omitsEmptySections)
  }

  override func flags(_ input: StepInput<SectionID, ItemID>) -> ExpansionFlags<ItemID> {
    isSearch ? input.findings : input.expansion
  }

  override func rows(
    of tree: Tree, of section: SectionID, _ flags: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
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

  override func tell(
    _ flags: ExpansionFlags<ItemID>, of input: Input, _ draft: inout Input
  ) {
    draft.tell(flags) { item in
      guard let section = input.sectionIdentifier(containingItem: item),
        let tree = input.outline(ofSection: section), let position = tree.position(of: item)
      else { return true }
      return canBeExpanded(tree.rows[position])
    }
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
        let isExpanded = flags[row.id] ?? self.isExpanded(row)
        return Tree.Row(
          id: row.id, level: row.level, isExpanded: isExpanded && self.canBeExpanded(row),
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

  /// Whether a row of the input may be shown as expanded.
  ///
  /// One whose children the followed source neither has nor loads would be shown as loading for ever, such as
  /// after an undo there.
  private func canBeExpanded(_ row: Tree.Row) -> Bool {
    loadsChildren || row.isExpanded || !row.hasUnloadedChildren
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
    output.replaceRows(replacements())
    let stay = change.updated.map(new.place(at:)).filter { output.position(of: $0.item()) != nil }
    output.setFlags(like: search.rows(stay, flags))
    shown += stay
    for position in change.lowest { removeChain(from: position) }
  }

  /// What replaces rows of the output: all is looked up in trees that do not change.
  private mutating func replacements() -> [RowReplacement<ItemID>] {
    let parts = (change.regions + found).sorted {
      ($0.old.lowerBound, $0.new.lowerBound) < ($1.old.lowerBound, $1.new.lowerBound)
    }
    // Ancestors are listed before the first part that needs them.
    var listed = IdentifierSet<ItemID>()
    var replacements: [RowReplacement<ItemID>] = []
    for part in parts {
      let found = part.new.isEmpty ? [] : find(part.new, listed)
      for row in found { listed.insert(row.item()) }
      let rows = place(of: part.old.lowerBound)..<place(of: part.old.upperBound)
      guard !rows.isEmpty || !found.isEmpty else { continue }
      replacements.append(RowReplacement(rows, with: search.rows(found, flags)))
      shown += found
    }
    return replacements
  }

  /// The rows that stay where they are, and are kept now.
  private var found: [Search.Region] {
    change.updated.compactMap { position in
      let row = new.place(at: position)
      guard output.position(of: row.item()) == nil, search.matches(row),
        let old = change.old.position(of: row.item())
      else { return nil }
      return Search.Region(old: old..<old + 1, new: position..<position + 1)
    }
  }

  /// What is kept of some rows of the new tree, with their ancestors that are neither in the output nor
  /// listed.
  private func find(_ rows: Range<Int>, _ listed: IdentifierSet<ItemID>) -> [RowPlace] {
    let ancestors = Array(
      new.chain(from: rows.lowerBound).dropFirst().map(new.place(at:)).reversed())
    let known = ancestors.prefix { row in
      let item: ItemID = row.item()
      return listed.contains(item) || output.position(of: item) != nil
    }
    return search.find(in: new, rows, below: ancestors, known: known.count)
  }

  /// The place in the output of the first kept row from a position of the old tree on.
  private func place(of position: Int) -> Int {
    (0..<output.count).partitioningIndex { index in
      (change.old.position(of: output.rows[index].id) ?? .max) >= position
    }
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
