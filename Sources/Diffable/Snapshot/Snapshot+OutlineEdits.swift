/// Edits of a flat list in a section that holds an outline: the tree is kept.
///
/// A new item is inserted after the visible item that precedes it and all of that item's
/// descendants, at the same level. If an item is deleted, so are its descendants.
extension Snapshot {
  /// Inserts items at a place among the visible ones.
  mutating func insertOutlineItems(
    _ items: [ItemID], at path: ItemPath
  ) throws(SnapshotError) {
    guard let outline = order[path.section].outline?.value, !items.isEmpty else { return }
    resolve()
    var edited = outline
    var (place, level) = (0, Int32(0))
    if let anchor = outline.position(ofVisibleRow: path.item - 1) {
      place = outline.endOfSubtree(at: anchor)
      level = outline.rows[anchor].level
    }
    try edited.insert(Outline.newRows(items, level: level), at: place)
    let elements = edited.items(in: place..<place + items.count, visibleOnly: true)
    let visible = outline.visibleCount(before: place)
    editOutline(ofSectionAt: path.section, to: edited, bringing: elements) { tree in
      _ = tree.replaceSubrange(visible..<visible, with: elements)
    }
  }

  /// Deletes rows with their descendants.
  ///
  /// - Parameter positions: Rows of the outline, hidden ones too.
  mutating func deleteOutlineRows(
    at positions: [Int], inSectionAt section: Int, keepingMarksOf kept: Outline<ItemID>? = nil
  ) {
    guard let outline = order[section].outline?.value else { return }
    resolve()
    var edited = outline
    let subtrees = outline.subtrees(of: positions)
    let visible = subtrees.map(outline.visibleRange(of:))
    var gone: [ItemID] = []
    for subtree in marks.isEmpty ? [] : subtrees {
      outline.forEachRow(in: subtree) { row in
        if kept?.contains(row.id) != true { gone.append(row.id) }
      }
    }
    marks.forget(items: gone)
    edited.deleteRows(subtrees)
    let nothing = HashedElements(kernels.items)
    editOutline(ofSectionAt: section, to: edited, bringing: nothing) { tree in
      for range in visible.reversed() { _ = tree.replaceSubrange(range, with: nothing) }
    }
  }

  /// Moves an item relative to another if at least one of the two is in an outline.
  ///
  /// - Returns: Whether one is in an outline; otherwise nothing is moved.
  mutating func moveInOutlines(
    _ item: ItemID, _ placement: RowPlacement, _ anchor: ItemID
  ) throws(SnapshotError) -> Bool {
    resolve()
    let source = outlinePlaces(ofItem: item).first
    let target = outlinePlaces(ofItem: anchor).first
    guard source != nil || target != nil else { return false }
    guard containsItem(item) else { throw .unknownItem([AnyItemID(item)]) }
    guard item != anchor || placement == .into else { return true }
    // An item of a flat list cannot have children.
    if placement == .into, target == nil { throw .unknownItem([AnyItemID(anchor)]) }
    if let source, let target, source.section == target.section,
      var edited = order[source.section].outline?.value
    {
      try edited.moveRow(at: source.position, placement, target.position)
      exchangeOutline(edited, ofSectionAt: source.section)
      return true
    }
    guard let path = itemPath(for: anchor) ?? target.map({ ItemPath(section: $0.section, item: 0) })
    else { throw .unknownItem([AnyItemID(anchor)]) }
    // If both sections are outlines, the descendants move too; a flat list has no place for them.
    var edited = order[path.section].outline?.value
    var moved = Outline<ItemID>(kernels.items)
    try moved.append([item])
    if edited != nil, let source, let outline = order[source.section].outline?.value {
      moved = outline.outline(
        ofRowsIn: source.position..<outline.endOfSubtree(at: source.position))
    }
    try edited?.insert(placement, anchor) { moved.copiedRows(0..<moved.count, deeper: $0) }
    var place = path.item + (placement == .before ? 0 : 1)
    if let source {
      deleteOutlineRows(
        at: [source.position], inSectionAt: source.section, keepingMarksOf: moved)
    } else {
      let origin = try listPath(ofItem: item)
      if origin.section == path.section, origin.item < place { place -= 1 }
      removeItems(at: [origin.item], inSectionAt: origin.section)
    }
    if let edited {
      setOutline(edited, ofSectionAt: path.section)
    } else {
      try insertItems([item], at: ItemPath(section: path.section, item: place))
    }
    return true
  }

  /// Sets the edited outline of a section and edits the section's visible items to match.
  ///
  /// - Parameter items: The inserted items, hidden ones included.
  package mutating func editOutline(
    ofSectionAt section: Int, to outline: Outline<ItemID>, bringing items: HashedElements,
    _ edit: (inout ItemTree<ItemID>) -> Void
  ) {
    base.willEdit()
    var tree = order[section].items.tree
    edit(&tree)
    setRows(ofSectionAt: section, .tree(tree), HeldOutline(outline), bringing: items)
  }

  /// Replaces the outline of a section with one that was made by editing it.
  ///
  /// - Complexity: O(d · log n) for d leaves in which the outlines differ.
  package mutating func exchangeOutline(
    _ outline: Outline<ItemID>, ofSectionAt index: Int
  ) {
    guard let old = self.outline(ofSectionAt: index) else {
      return setOutline(outline, ofSectionAt: index)
    }
    var windows: [(old: Range<Int>, new: Range<Int>)] = []
    LeafWindows.forEach(old: old.rows.base, new: outline.rows.base) { stretch in
      guard case .changed(let window) = stretch else { return }
      let counts = (
        old: window.old.reduce(0) { $0 + $1.count }, new: window.new.reduce(0) { $0 + $1.count }
      )
      windows.append(
        (
          window.oldBase..<window.oldBase + counts.old, window.newBase..<window.newBase + counts.new
        ))
    }
    editOutline(ofSectionAt: index, to: outline, bringing: outline.newcomers(since: old)) { tree in
      for window in windows.reversed() {
        _ = tree.replaceSubrange(
          old.visibleRange(of: window.old),
          with: outline.items(in: window.new, visibleOnly: true))
      }
    }
  }

  /// Replaces everything in a section.
  ///
  /// - Complexity: For an outline in place of another one as ``exchangeOutline(_:ofSectionAt:)``, else
  ///   O(n) for n items before and after.
  package mutating func exchangeRows(_ rows: Rows, ofSectionAt index: Int) {
    switch rows {
    case .outline(let outline): exchangeOutline(outline, ofSectionAt: index)
    case .list(let items):
      if order[index].outline != nil { flatten(sectionAt: index) }
      setItems(ofSectionAt: index, to: items)
    }
  }
}
