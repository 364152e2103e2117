extension Snapshot {
  /// Appends items to the last section.
  ///
  /// The section of a list of ``SingleSection`` comes with its first rows.
  ///
  /// - Throws: ``SnapshotError/noSections`` if there is no section, and
  ///   ``SnapshotError/duplicateItems(_:)`` as ``appendItems(_:toSection:)`` does.
  /// - Complexity: O(1) for an array in an empty section: it is neither copied nor hashed.
  ///   Otherwise O(m + log n) for m new ones among n items.
  @inlinable public mutating func appendItems(
    _ items: some Sequence<ItemID> & SendableMetatype
  ) throws(SnapshotError) {
    try append(Array(items))
  }

  /// Appends items to a section.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section does not exist. An outline has no item twice:
  ///   if the section is one, ``SnapshotError/duplicateItems(_:)`` with all items that are already in it or appear
  ///   twice.
  /// - Complexity: O(1) for an array in an empty section: it is neither copied nor hashed.
  ///   Otherwise O(m + log n) for m new ones among n items.
  @inlinable public mutating func appendItems(
    _ items: some Sequence<ItemID> & SendableMetatype, toSection section: SectionID
  ) throws(SnapshotError) {
    try append(Array(items), toSection: section)
  }

  /// Inserts items, in their order, before another item.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that item does not exist, ``SnapshotError/hiddenItem(_:)`` if a
  ///   collapsed row hides it, and ``SnapshotError/duplicateItems(_:)`` as ``appendItems(_:toSection:)`` does.
  /// - Complexity: O(m + log n) for m new ones among n items.
  @inlinable public mutating func insertItems(
    _ items: some Sequence<ItemID> & SendableMetatype, beforeItem anchor: ItemID
  ) throws(SnapshotError) {
    try insert(Array(items), around: anchor, isBefore: true)
  }

  /// Inserts items, in their order, after another item.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that item does not exist, ``SnapshotError/hiddenItem(_:)`` if a
  ///   collapsed row hides it, and ``SnapshotError/duplicateItems(_:)`` as ``appendItems(_:toSection:)`` does.
  /// - Complexity: O(m + log n) for m new ones among n items.
  @inlinable public mutating func insertItems(
    _ items: some Sequence<ItemID> & SendableMetatype, afterItem anchor: ItemID
  ) throws(SnapshotError) {
    try insert(Array(items), around: anchor, isBefore: false)
  }

  // The inlinable part of these edits ends here: it makes an array of any sequence.

  @usableFromInline mutating func append(_ items: [ItemID]) throws(SnapshotError) {
    appendOnlySection()
    guard numberOfSections > 0 else { throw .noSections }
    try append(items, toSectionAt: numberOfSections - 1)
  }

  @usableFromInline mutating func append(
    _ items: [ItemID], toSection section: SectionID
  ) throws(SnapshotError) {
    appendOnlySection()
    try append(items, toSectionAt: try index(ofSection: section))
  }

  @usableFromInline mutating func insert(
    _ items: [ItemID], around anchor: ItemID, isBefore: Bool
  ) throws(SnapshotError) {
    var path = try path(ofItem: anchor)
    if !isBefore { path.item += 1 }
    try insertItems(items, at: path)
  }

  private mutating func append(_ items: [ItemID], toSectionAt index: Int) throws(SnapshotError) {
    let (count, isOutline) = base.withBody(ofSectionAt: index) { ($0.itemCount, $0.isOutline) }
    if count == 0, !isOutline {
      setItems(ofSectionAt: index, to: items)
    } else {
      try insertItems(items, at: ItemPath(section: index, item: count))
    }
  }

  mutating func insertItems(_ items: [ItemID], at path: ItemPath) throws(SnapshotError) {
    guard !base.isOutline(sectionAt: path.section) else {
      return try insertOutlineItems(items, at: path)
    }
    items.withUnsafeBufferPointer { items in
      guard let first = items.baseAddress, !items.isEmpty else { return }
      base.insert(first, count: items.count, at: path)
    }
    _checkInvariants()
  }

  /// Replaces all items of a section with other items.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section does not exist, and, if it is an outline,
  ///   ``SnapshotError/duplicateItems(_:)`` with all items that appear twice.
  /// - Complexity: O(m) comparisons for m items if the snapshot has its lookup table, otherwise
  ///   O(1) for an array.
  @inlinable public mutating func replaceItems(
    inSection section: SectionID, with items: some Sequence<ItemID> & SendableMetatype
  ) throws(SnapshotError) {
    try replace(itemsInSection: section, with: Array(items))
  }

  @usableFromInline mutating func replace(
    itemsInSection section: SectionID, with items: [ItemID]
  ) throws(SnapshotError) {
    appendOnlySection()
    let index = try index(ofSection: section)
    if let outline = order[index].outline?.value {
      guard let edited = outline.showing(items) else {
        throw .duplicateItems(twice: items, inSectionAt: index)
      }
      forgetMarks(inSectionAt: index) { edited.contains($0) }
      return setOutline(edited, ofSectionAt: index)
    }
    if !marks.isEmpty {
      let items = IdentifierSet(items)
      forgetMarks(inSectionAt: index) { items.contains($0) }
    }
    setItems(ofSectionAt: index, to: items)
  }

  /// Deletes items.
  ///
  /// Unknown items are ignored.
  ///
  /// - Complexity: O(m · log n) for m of n items; O(p) more if one of p ``placedItemIdentifiers`` is among them.
  public mutating func deleteItems(_ items: some Sequence<ItemID> & SendableMetatype) {
    resolve()
    let items = Array(items)
    var gone: [Int: Set<Int>] = [:]
    for item in items {
      for path in paths(ofItem: item) where !base.isOutline(sectionAt: path.section) {
        gone[path.section, default: []].insert(path.item)
      }
      if base.hasOutlines {
        for (section, position) in outlinePlaces(ofItem: item) {
          gone[section, default: []].insert(position)
        }
      }
    }
    marks.forget(items: items)
    for (section, positions) in gone {
      delete(Array(positions).sortedIfNeeded { $0 }, inSectionAt: section)
    }
  }

  /// Deletes items of a list, or rows of an outline with all that is below them.
  private mutating func delete(_ positions: [Int], inSectionAt section: Int) {
    if base.isOutline(sectionAt: section) {
      deleteOutlineRows(at: positions, inSectionAt: section)
    } else {
      removeItems(at: positions, inSectionAt: section)
    }
  }

  /// Deletes all items that satisfy a condition.
  ///
  /// If the condition throws, nothing changes.
  ///
  /// - Complexity: O(n) for n items.
  public mutating func deleteItems(where isGone: (ItemID) throws -> Bool) rethrows {
    var gone: [(section: Int, positions: [Int])] = []
    var items: [ItemID] = []
    for (section, record) in records.enumerated() {
      var positions: [Int] = []
      for (position, item) in record.allItems.enumerated() where try isGone(item) {
        positions.append(position)
        items.append(item)
      }
      if !positions.isEmpty { gone.append((section, positions)) }
    }
    marks.forget(items: items)
    for (section, positions) in gone { delete(positions, inSectionAt: section) }
  }

  /// Deletes the first items of a section, so that it has no more than a number of them.
  ///
  /// In an outline visible rows count, and the descendants of a deleted row are deleted too.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section does not exist.
  /// - Complexity: O(m + log n) for m deleted of n items, if they are not in an outline.
  public mutating func keepLastItems(
    _ count: Int, inSection section: SectionID
  ) throws(SnapshotError) {
    let index = try index(ofSection: section)
    let excess = itemCount(ofSectionAt: index) - Swift.max(0, count)
    guard excess > 0 else { return }
    let gone = items(inSectionAt: index).prefix(excess)
    guard !base.isOutline(sectionAt: index) else { return deleteItems(Array(gone)) }
    if !marks.isEmpty { marks.forget(items: Array(gone)) }
    removeItems(at: Array(0..<excess), inSectionAt: index)
  }

  /// Deletes everything, sections included.
  ///
  /// - Complexity: O(1), plus the release of storage that is not shared.
  public mutating func deleteAllItems() {
    let hadTable = base.itemTable != nil
    self = Snapshot(kernels)
    if hadTable { base.itemTable = ItemTable(kernels.items) }
  }

  /// Marks items for a reload: their views are replaced.
  ///
  /// A reload mark overrides a reconfigure mark.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` with all items that do not exist.
  /// - Complexity: O(m · log n) for m of n items.
  public mutating func reloadItems(_ items: some Sequence<ItemID> & SendableMetatype)
    throws(SnapshotError)
  {
    marks.reload(items: try known(items))
  }

  /// Marks items for a reconfigure: their views are updated in place.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` with all items that do not exist.
  /// - Complexity: O(m · log n) for m of n items.
  public mutating func reconfigureItems(_ items: some Sequence<ItemID> & SendableMetatype)
    throws(SnapshotError)
  {
    marks.reconfigure(items: try known(items))
  }

  func known(_ items: some Sequence<ItemID> & SendableMetatype) throws(SnapshotError) -> [ItemID] {
    let items = Array(items)
    let unknown = items.filter { !containsItem($0) }
    guard unknown.isEmpty else { throw .unknownItem(unknown.map(AnyItemID.init)) }
    return items
  }

  /// The path of an item that an edit takes out of a flat list.
  mutating func listPath(ofItem item: ItemID) throws(SnapshotError) -> ItemPath {
    let path = try path(ofItem: item)
    // Only an identifier that does not equal itself can be in the list but not in its outline.
    guard !base.isOutline(sectionAt: path.section) else { throw .unknownItem([AnyItemID(item)]) }
    return path
  }

  /// The first path of an item.
  ///
  /// Needs the table.
  func firstPath(ofItem item: ItemID) -> ItemPath? {
    withUnsafePointer(to: item) {
      base.firstPath(ofItem: $0, hash: base.kernels.items.hash(of: $0))
    }
  }

  /// The path of an item that an edit names; makes the table, which the edit keeps.
  mutating func path(ofItem item: ItemID) throws(SnapshotError) -> ItemPath {
    resolve()
    guard let path = firstPath(ofItem: item) else {
      throw containsItem(item)
        ? .hiddenItem([AnyItemID(item)]) : .unknownItem([AnyItemID(item)])
    }
    return path
  }

  /// Moves an item before another, to its section; moving it before itself changes nothing.
  ///
  /// The snapshot remembers that this item was placed, see ``placedItemIdentifiers``. So a batch moves it
  /// and not its neighbour, and so do merges and undo.
  ///
  /// Between outlines, its descendants move with it. A flat section has no place for them: there they
  /// are deleted.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either item does not exist, and
  ///   ``SnapshotError/cyclicMove(_:)`` if the anchor is a descendant of the item.
  /// - Complexity: O(log n) for n items. In an outline, O(k + log n) with k descendants, and O(m)
  ///   more if the target is the outline of another section with m items.
  public mutating func moveItem(
    _ item: ItemID, beforeItem anchor: ItemID
  ) throws(SnapshotError) {
    try moveItem(item, .before, anchor)
  }

  /// Moves an item after another, to its section; moving it after itself changes nothing.
  ///
  /// Between outlines, its descendants move with it. A flat section has no place for them: there they
  /// are deleted.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either item does not exist, and
  ///   ``SnapshotError/cyclicMove(_:)`` if the anchor is a descendant of the item.
  /// - Complexity: O(log n) for n items. In an outline, O(k + log n) with k descendants, and O(m)
  ///   more if the target is the outline of another section with m items.
  public mutating func moveItem(
    _ item: ItemID, afterItem anchor: ItemID
  ) throws(SnapshotError) {
    try moveItem(item, .after, anchor)
  }

  /// Moves an item with its descendants below an item of an outline, after its other children.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either item does not exist, or the parent is in
  ///   a flat list, and ``SnapshotError/cyclicMove(_:)`` if the parent is the item itself or its
  ///   descendant.
  /// - Complexity: O(k + log n) for k descendants among n items, and O(m) more if the target is the
  ///   outline of another section with m items.
  public mutating func moveItem(
    _ item: ItemID, intoItem parent: ItemID
  ) throws(SnapshotError) {
    try moveItem(item, .into, parent)
  }

  /// Moves an item to the end of a section.
  ///
  /// In an outline it becomes the last root, and its descendants move with it. In a flat section, its
  /// descendants are deleted.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` or ``SnapshotError/unknownSection(_:)`` if one is
  ///   not there.
  /// - Complexity: The same as ``moveItem(_:afterItem:)``.
  public mutating func moveItem(
    _ item: ItemID, toSection section: SectionID
  ) throws(SnapshotError) {
    let index = try index(ofSection: section)
    let outline = outline(ofSectionAt: index)
    if let last = outline.map({ $0.lastRootItem }) ?? items(inSectionAt: index).last {
      return try moveItem(item, afterItem: last)
    }
    let subtree = sectionIdentifier(containingItem: item).flatMap { self.outline(ofSection: $0) }?
      .outline(of: item, includingParent: true)
    if subtree == nil { _ = try path(ofItem: item) }
    // A move forgets no marks, other than a deletion. They have a single holder, so that nothing is copied.
    var marks = Marks()
    swap(&marks, &self.marks)
    defer { swap(&marks, &self.marks) }
    deleteItems([item])
    if outline != nil, let subtree {
      try setOutline(subtree, forSection: section)
    } else {
      try appendItems([item], toSection: section)
    }
    if outline == nil, let subtree {
      marks.forget(items: subtree.items.filter { $0 != item })
    }
    marks.placed.insert(item: item, kernels.items)
  }

  /// Moves an item, and records that it was placed.
  private mutating func moveItem(
    _ item: ItemID, _ placement: RowPlacement, _ anchor: ItemID
  ) throws(SnapshotError) {
    try relocateItem(item, placement, anchor)
    marks.placed.insert(item: item, kernels.items)
  }

  private mutating func relocateItem(
    _ item: ItemID, _ placement: RowPlacement, _ anchor: ItemID
  ) throws(SnapshotError) {
    if base.order.totals.outlines > 0, try moveInOutlines(item, placement, anchor) { return }
    let source = try listPath(ofItem: item)
    var target = try path(ofItem: anchor)
    if placement == .into { throw .unknownItem([AnyItemID(anchor)]) }
    guard item != anchor, source != target else { return }
    if target.section == source.section, target.item > source.item { target.item -= 1 }
    if placement == .after { target.item += 1 }
    removeItems(at: [source.item], inSectionAt: source.section)
    try insertItems([item], at: target)
  }
}
