extension Snapshot {
  /// The outline of a section, or `nil` for an unknown section and for a list.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func outline(ofSection section: SectionID) -> Outline<ItemID>? {
    indexOfSection(section).flatMap { order[$0].outline?.value }
  }

  /// The outline of the section at an index, or `nil` if there is none.
  ///
  /// - Complexity: O(log s) for s sections.
  public func outline(ofSectionAt index: Int) -> Outline<ItemID>? {
    (0..<numberOfSections).contains(index) ? order[index].outline?.value : nil
  }

  /// Makes a section show an outline: its items are the visible items of that.
  ///
  /// - Parameters:
  ///   - outline: The outline, in the place of all that is in the section.
  ///   - section: The section.
  ///   - keepsExpansion: Whether items that the section's outline has already keep the flag they have
  ///     there. Else, and for items that are new, the flags are those of the new outline.
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section is not there.
  /// - Complexity: O(n) for n items in the old and the new outline.
  public mutating func setOutline(
    _ outline: Outline<ItemID>, forSection section: SectionID,
    keepingExpansion keepsExpansion: Bool = false
  ) throws(SnapshotError) {
    let index = try index(ofSection: section)
    var outline = outline
    if keepsExpansion, let old = order[index].outline?.value { outline.takeExpansion(from: old) }
    forgetMarks(inSectionAt: index) { outline.contains($0) }
    setOutline(outline, ofSectionAt: index)
  }

  /// Makes a section a list of the items that are visible in its outline.
  ///
  /// Does nothing for a list.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section is not there.
  /// - Complexity: O(n) for n items in the outline.
  public mutating func removeOutline(
    ofSection section: SectionID
  ) throws(SnapshotError) {
    let index = try index(ofSection: section)
    guard order[index].outline != nil else { return }
    if !marks.isEmpty {
      let visible = IdentifierSet(items(inSectionAt: index))
      forgetMarks(inSectionAt: index) { visible.contains($0) }
    }
    willEdit()
    setRows(ofSectionAt: index, order[index].items, nil, bringing: HashedElements(kernels.items))
  }

  /// Expands items of outlines, so that their children are visible where they are visible
  /// themselves.
  ///
  /// Items that are unknown or stand in a list are ignored.
  ///
  /// - Complexity: O((m + k) · log n) for m of n items, and k items that become visible.
  public mutating func expandItems(_ items: some Sequence<ItemID>) {
    setExpanded(true, items)
  }

  /// Collapses items of outlines, so that their descendants are hidden; these keep their own flags.
  ///
  /// Items that are unknown or stand in a list are ignored.
  ///
  /// - Complexity: O((m + k) · log n) for m of n items, and k items that are no longer visible.
  public mutating func collapseItems(_ items: some Sequence<ItemID>) {
    setExpanded(false, items)
  }

  /// Puts an outline with its flags in the place of all descendants of an item of an outline.
  ///
  /// The item keeps its own flag. Its children are loaded then, see
  /// ``Outline/hasUnloadedChildren(_:)``.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item stands in no outline, or
  ///   ``SnapshotError/duplicateItems(_:)`` if something comes that stands elsewhere in the outline.
  /// - Complexity: O(m + k + log n) for k of n items that go and m that come, given a good hash.
  public mutating func replaceItems(
    childrenOf parent: ItemID, using children: Outline<ItemID>
  ) throws(SnapshotError) {
    resolve()
    guard let (section, position) = outlinePlaces(ofItem: parent).first,
      let outline = order[section].outline?.value
    else { throw .unknownItem([AnyItemID(parent)]) }
    var edited = outline
    try edited.replace(childrenOfRowAt: position, using: children)
    forgetMarks(inSectionAt: section) { edited.contains($0) }
    let gone = outline.visibleRange(of: position + 1..<outline.endOfSubtree(at: position))
    let come = position + 1..<position + 1 + children.count
    editOutline(
      ofSectionAt: section, to: edited, bringing: edited.items(in: come, visibleOnly: false)
    ) { tree in
      _ = tree.replaceSubrange(gone, with: edited.items(in: come, visibleOnly: true))
    }
  }

  /// The items of all outlines that are expanded while their children are not loaded, in order.
  ///
  /// - Complexity: O(k · log s + m · log n) for k of s sections that are outlines, and m of n items.
  public var loadingItems: [ItemID] {
    outlineIndices.flatMap { order[$0].outline?.value.loadingItems ?? [] }
  }

  mutating func setExpanded(_ isExpanded: Bool, _ items: some Sequence<ItemID>) {
    resolve()
    var positions: [Int: Set<Int>] = [:]
    for item in items {
      for (section, position) in outlinePlaces(ofItem: item) {
        positions[section, default: []].insert(position)
      }
    }
    for (section, positions) in positions {
      setExpanded(isExpanded, positions.sorted(), inSectionAt: section)
    }
  }

  mutating func setExpanded(
    _ isExpanded: Bool, _ positions: [Int], inSectionAt section: Int
  ) {
    guard var outline = order[section].outline?.value else { return }
    let old = outline
    let changing = positions.filter { outline.rows[$0].isExpanded != isExpanded }
    guard !changing.isEmpty else { return }
    outline.changeExpansion(at: changing) { $0.isExpanded = isExpanded }
    // What becomes visible or hidden is below the outermost rows that change.
    var subtrees: [Range<Int>] = []
    for position in changing where position >= subtrees.last?.upperBound ?? 0 {
      subtrees.append(position..<old.endOfSubtree(at: position))
    }
    editOutline(ofSectionAt: section, to: outline, bringing: HashedElements(kernels.items)) {
      tree in
      for rows in subtrees.reversed() {
        _ = tree.replaceSubrange(
          old.visibleRange(of: rows), with: outline.items(in: rows, visibleOnly: true))
      }
    }
  }
}

extension Snapshot {
  /// The outlines that an item stands in, and its row there; more than one only in a snapshot that
  /// is not valid.
  ///
  /// Needs the table.
  func outlinePlaces(ofItem item: ItemID) -> [(section: Int, position: Int)] {
    let hash = item.storedHash
    var found: [(section: Int, position: Int)] = []
    var previous: SectionKey?
    itemTable?.entries.forEachEntry(hash: hash) { entry in
      guard entry.section != previous else { return true }
      previous = entry.section
      if let section = index(ofSection: entry.section),
        !found.contains(where: { $0.section == section }),
        let position = order[section].outline?.value.position(of: item, hash: hash)
      {
        found.append((section, position))
      }
      return true
    }
    // In the order of the list: that of the table depends on what was edited before.
    return found.count > 1 ? found.sorted { $0.section < $1.section } : found
  }

  /// Puts an outline in the place of all that is in a section.
  mutating func setOutline(_ outline: Outline<ItemID>, ofSectionAt index: Int) {
    willEdit()
    let visible = outline.visibleItems
    let record = order[index]
    guard itemTable != nil else {
      return setRows(
        ofSectionAt: index, .array(visible, kernels.items), HeldOutline(outline),
        bringing: HashedElements(kernels.items))
    }
    // The table is asked before the edit, which then is alone in holding it.
    let (tree, _) = record.items.tree.adopting(
      visible, table: itemTable?.entries, section: record.key)
    setRows(
      ofSectionAt: index, .tree(tree), HeldOutline(outline),
      bringing: outline.newcomers(since: record.outline?.value))
  }

  /// Puts other items, and the outline that they belong to, in a section; the table follows.
  ///
  /// - Parameter new: What comes, hidden items too, or more.
  mutating func setRows(
    ofSectionAt index: Int, _ items: SectionItems<ItemID>, _ outline: HeldOutline<ItemID>?,
    bringing new: HashedElements
  ) {
    let old = order[index]
    let record = old.showing(items, outline)
    itemCount += items.count - old.items.count
    order.replaceElement(at: index, with: record)
    if itemTable != nil {
      var changes = IdentityChanges()
      changes.append(from: old, to: record)
      // Some may have come where others of their hash went.
      changes.exchanged = withExtendedLifetime(new) {
        ContiguousArray(new.span.hashBuffer)
      }
      follow(changes, bringing: new)
    }
    _checkInvariants()
  }

  /// The indices of the sections that are outlines, in ascending order.
  ///
  /// - Complexity: O(k · log s) for k of s sections.
  var outlineIndices: [Int] {
    var indices: [Int] = []
    var start = 0
    while let index = order.firstPosition(
      from: start, inSubtrees: { $0.outlines > 0 }, where: { $0.outline != nil })
    {
      indices.append(index)
      start = index + 1
    }
    return indices
  }

  /// The same snapshot with lists of the visible items in place of outlines.
  var flattened: Snapshot {
    var result = self
    for index in outlineIndices {
      result.willEdit()
      result.setRows(
        ofSectionAt: index, result.order[index].items, nil, bringing: HashedElements(kernels.items))
    }
    return result
  }

  /// Forgets the marks on items of a section, hidden ones too, that do not stay in it.
  mutating func forgetMarks(
    inSectionAt index: Int, except stays: (ItemID) -> Bool
  ) {
    guard !marks.isEmpty else { return }
    let record = order[index]
    for item in record.outline?.value.items ?? record.items.array where !stays(item) {
      marks.forget(item: item)
    }
  }
}

extension Outline {
  /// The items that an older outline had not, or had elsewhere.
  ///
  /// - Complexity: O(d · log n) for d leaves of n rows that differ.
  func newcomers(since old: Outline?) -> HashedElements {
    guard let old else { return items(in: 0..<count, visibleOnly: false) }
    var elements = HashedElements(kernel)
    let matching = TreeComparison(old: old.rows.base, new: rows.base).matching
    withExtendedLifetime((old, matching)) {
      // An identifier is the first property of its row.
      for arrival in matching.arrivals { elements.append(arrival.address, hash: arrival.hash) }
    }
    return elements
  }
}
