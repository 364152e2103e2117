import Diffable

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
