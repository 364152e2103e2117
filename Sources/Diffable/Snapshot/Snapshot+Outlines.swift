extension Snapshot {
  /// The outline of a section, or `nil` for an unknown section and for a flat list.
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

  /// Makes a section show an outline: the visible items of the outline become its items.
  ///
  /// - Parameters:
  ///   - outline: The outline, which replaces everything in the section.
  ///   - section: The section.
  ///   - keepsExpansion: Whether items that are already in the section's outline keep their flags.
  ///     Otherwise, and for new items, the flags of the new outline count.
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section does not exist.
  /// - Complexity: O(n) for n items in the old and the new outline.
  public mutating func setOutline(
    _ outline: Outline<ItemID>, forSection section: SectionID,
    keepingExpansion keepsExpansion: Bool = false
  ) throws(SnapshotError) {
    appendOnlySection()
    let index = try index(ofSection: section)
    var outline = outline
    if keepsExpansion, let old = order[index].outline?.value { outline.takeExpansion(from: old) }
    forgetMarks(inSectionAt: index) { outline.contains($0) }
    setOutline(outline, ofSectionAt: index)
  }

  /// Turns a section into a flat list of the visible items of its outline.
  ///
  /// Does nothing if the section is a flat list.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section does not exist.
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
    flatten(sectionAt: index)
  }

  /// Expands items of outlines: their children are visible if they are visible themselves.
  ///
  /// Unknown items and items of flat lists are ignored.
  ///
  /// - Complexity: O((m + k) · log n) for m of n items, and k items that become visible.
  public mutating func expandItems(_ items: some Sequence<ItemID> & SendableMetatype) {
    setExpanded(true, items)
  }

  /// Collapses items of outlines: their descendants are hidden and keep their own flags.
  ///
  /// Unknown items and items of flat lists are ignored.
  ///
  /// - Complexity: O((m + k) · log n) for m of n items, and k items that are no longer visible.
  public mutating func collapseItems(_ items: some Sequence<ItemID> & SendableMetatype) {
    setExpanded(false, items)
  }

  /// Appends items to the children of an item of an outline.
  ///
  /// The item keeps its flags: while it is collapsed, it hides the new items.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item is in no outline, and
  ///   ``SnapshotError/duplicateItems(_:)`` with all new items that are already in the outline or appear twice.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func appendItems(
    _ items: some Sequence<ItemID> & SendableMetatype, toItem parent: ItemID
  ) throws(SnapshotError) {
    let items = Array(items)
    let (section, position, outline) = try outlinePlace(ofParent: parent)
    var edited = outline
    try edited.insert(
      Outline.newRows(items, level: outline.rows[position].level + 1),
      at: outline.endOfSubtree(at: position))
    exchangeOutline(edited, ofSectionAt: section)
  }

  /// Replaces all descendants of an item of an outline with an outline and its flags.
  ///
  /// The item keeps its own flag. Its children then count as loaded, see
  /// ``Outline/hasUnloadedChildren(_:)``.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item is in no outline, or
  ///   ``SnapshotError/duplicateItems(_:)`` if a new item is elsewhere in the outline.
  /// - Complexity: O(m + k + log n) for k of n items that are deleted and m that are inserted,
  ///   given a good hash; O(p) more if one of p ``placedItemIdentifiers`` is deleted.
  public mutating func replaceItems(
    childrenOf parent: ItemID, using children: Outline<ItemID>
  ) throws(SnapshotError) {
    let (section, position, outline) = try outlinePlace(ofParent: parent)
    var edited = outline
    try edited.replace(childrenOfRowAt: position, using: children)
    if !marks.isEmpty {
      var gone: [ItemID] = []
      outline.forEachRow(in: position + 1..<outline.endOfSubtree(at: position)) { row in
        if !edited.contains(row.id) { gone.append(row.id) }
      }
      marks.forget(items: gone)
    }
    exchangeOutline(edited, ofSectionAt: section)
  }

  /// The outline whose item gets children, and the row of that item; makes the table, which the edit keeps.
  private mutating func outlinePlace(
    ofParent item: ItemID
  ) throws(SnapshotError) -> (section: Int, position: Int, outline: Outline<ItemID>) {
    resolve()
    guard let (section, position) = outlinePlaces(ofItem: item).first,
      let outline = order[section].outline?.value
    else { throw .unknownItem([AnyItemID(item)]) }
    return (section, position, outline)
  }

  /// The items of all outlines that are expanded but whose children are not loaded, in order.
  ///
  /// - Complexity: O(1) if there are none, O(m · log (n + s)) for m of n items in s sections.
  public var loadingItems: [ItemID] {
    loadingIndices.flatMap { order[$0].outline?.value.loadingItems ?? [] }
  }

  package mutating func setExpanded(
    _ isExpanded: Bool, _ items: some Sequence<ItemID> & SendableMetatype
  ) {
    resolve()
    var positions: [Int: Set<Int>] = [:]
    for item in items {
      for (section, position) in outlinePlaces(ofItem: item) {
        positions[section, default: []].insert(position)
      }
    }
    for (section, positions) in positions {
      guard let old = order[section].outline?.value else { continue }
      let changing = positions.filter { old.rows[$0].isExpanded != isExpanded }
        .sortedIfNeeded { $0 }
      guard !changing.isEmpty else { continue }
      var outline = old
      outline.changeExpansion(at: changing) { $0.isExpanded = isExpanded }
      // Items that become visible or hidden are below the outermost rows that change.
      let subtrees = old.subtrees(of: changing)
      let nothing = HashedElements(kernels.items)
      editOutline(ofSectionAt: section, to: outline, bringing: nothing) { tree in
        for rows in subtrees.reversed() {
          _ = tree.replaceSubrange(
            old.visibleRange(of: rows), with: outline.items(in: rows, visibleOnly: true))
        }
      }
    }
  }
}

extension Snapshot {
  /// The outlines that contain an item, and its row in each.
  ///
  /// It is more than one only in a snapshot that is not valid. Needs the table.
  func outlinePlaces(ofItem item: ItemID) -> [(section: Int, position: Int)] {
    let hash = item.storedHash
    var found: [(section: Int, position: Int)] = []
    var previous: SectionKey?
    base.itemTable?.entries.forEachEntry(hash: hash) { entry in
      guard entry.section != previous else { return true }
      previous = entry.section
      if let section = base.index(ofSection: entry.section),
        !found.contains(where: { $0.section == section }),
        let position = order[section].outline?.value.position(of: item, hash: hash)
      {
        found.append((section, position))
      }
      return true
    }
    // In the order of the list: the order of the table depends on earlier edits.
    return found.sortedIfNeeded { $0.section }
  }

  /// Replaces everything in a section with an outline.
  mutating func setOutline(_ outline: Outline<ItemID>, ofSectionAt index: Int) {
    base.willEdit()
    let visible = outline.visibleItems
    let record = order[index]
    guard base.itemTable != nil else {
      return setRows(
        ofSectionAt: index, .array(visible, kernels.items), HeldOutline(outline),
        bringing: HashedElements(kernels.items))
    }
    // The table is read before the edit, so that the edit is its only holder.
    let (tree, _) = record.items.tree.updated(
      to: visible, table: base.itemTable?.entries, section: record.key)
    setRows(
      ofSectionAt: index, .tree(tree), HeldOutline(outline),
      bringing: outline.newcomers(since: record.outline?.value))
  }

  /// Replaces the items of a section and the outline that they belong to; the table follows.
  ///
  /// - Parameter new: At least the inserted items, hidden ones included; may contain more.
  mutating func setRows(
    ofSectionAt index: Int, _ items: SectionItems<ItemID>, _ outline: HeldOutline<ItemID>?,
    bringing new: HashedElements
  ) {
    let old = base.body(ofSectionAt: index)
    let section = SectionBody(key: old.key, items: items, outline: outline, model: old.model)
    base.itemCount += section.itemCount - old.itemCount
    base.setBody(ofSectionAt: index, to: section)
    if base.itemTable != nil {
      var changes = IdentityChanges()
      changes.append(from: old, to: section)
      // Some inserted items may have replaced deleted ones of the same hash.
      changes.exchanged = withExtendedLifetime(new) {
        ContiguousArray(new.span.hashBuffer)
      }
      base.follow(changes, bringing: new)
    }
    _checkInvariants()
  }

  /// The indices of the sections that are outlines, in ascending order.
  ///
  /// - Complexity: O(k · log s) for k of s sections.
  var outlineIndices: [Int] {
    order.positions(
      in: 0..<numberOfSections, inSubtrees: { $0.outlines > 0 }, where: { $0.outline != nil })
  }

  /// The indices of the sections that have ``loadingItems``, in ascending order.
  ///
  /// - Complexity: O(1) if there are none, O(k · log s) for k of s sections.
  var loadingIndices: [Int] {
    guard order.totals.isLoading else { return [] }
    return order.positions(
      in: 0..<numberOfSections, inSubtrees: { $0.isLoading }, where: { $0.body.isLoading })
  }

  /// The same snapshot with outlines replaced by flat lists of their visible items.
  var flattened: Snapshot {
    var result = self
    for index in outlineIndices { result.flatten(sectionAt: index) }
    return result
  }

  /// Makes the section of an outline a flat list of its visible items.
  mutating func flatten(sectionAt index: Int) {
    base.willEdit()
    setRows(ofSectionAt: index, order[index].items, nil, bringing: HashedElements(kernels.items))
  }

  /// Removes the marks on items of a section, hidden ones included, that do not stay in it.
  mutating func forgetMarks(
    inSectionAt index: Int, except stays: (ItemID) -> Bool
  ) {
    guard !marks.isEmpty else { return }
    marks.forget(items: order[index].allItems.filter { !stays($0) })
  }
}

extension Outline {
  /// The items that an older outline does not have, or has elsewhere.
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

extension Snapshot {
  /// How the row of an item is drawn; `nil` for an unknown item and in a flat list.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(of item: ItemID) -> Disclosure? {
    sectionIdentifier(containingItem: item)
      .flatMap { outline(ofSection: $0)?.disclosure(of: item) }
  }

  /// How the row at a path is drawn; `nil` if there is none, and in a flat list.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(ofItemAt path: ItemPath) -> Disclosure? {
    guard let outline = outline(ofSectionAt: path.section) else { return nil }
    return itemIdentifier(for: path).flatMap { outline.disclosure(of: $0) }
  }
}
