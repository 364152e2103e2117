extension Snapshot {
  /// Adds items behind the last one of the last section.
  ///
  /// - Throws: ``SnapshotError/noSections`` if there is no section.
  public mutating func appendItems(_ items: some Sequence<ItemID>) throws(SnapshotError) {
    guard !sections.isEmpty else { throw .noSections }
    sections[sections.count - 1].items.append(contentsOf: items)
  }

  /// Adds items behind the last one of a section.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if that is not there.
  public mutating func appendItems(
    _ items: some Sequence<ItemID>, toSection section: SectionID
  ) throws(SnapshotError) {
    sections[try index(ofSection: section)].items.append(contentsOf: items)
  }

  /// Adds items, in their order, before another.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that is not there.
  public mutating func insertItems(
    _ items: some Sequence<ItemID>, beforeItem anchor: ItemID
  ) throws(SnapshotError) {
    let path = try path(ofItem: anchor)
    sections[path.section].items.insert(contentsOf: Array(items), at: path.item)
  }

  /// Adds items, in their order, behind another.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that is not there.
  public mutating func insertItems(
    _ items: some Sequence<ItemID>, afterItem anchor: ItemID
  ) throws(SnapshotError) {
    let path = try path(ofItem: anchor)
    sections[path.section].items.insert(contentsOf: Array(items), at: path.item + 1)
  }

  /// Puts other items in the place of all items of a section.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if that is not there.
  public mutating func replaceItems(
    inSection section: SectionID, with items: some Sequence<ItemID>
  ) throws(SnapshotError) {
    let index = try index(ofSection: section)
    let items = Array(items)
    if !marks.isEmpty {
      for item in Set(sections[index].items).subtracting(items) { marks.forget(item: item) }
    }
    sections[index].items = items
  }

  /// Removes items. Unknown ones are ignored.
  public mutating func deleteItems(_ items: some Sequence<ItemID>) {
    let gone = Set(items)
    deleteItems(where: gone.contains)
  }

  /// Removes all items that satisfy a condition.
  public mutating func deleteItems(where isGone: (ItemID) throws -> Bool) rethrows {
    for index in sections.indices {
      try sections[index].items.removeAll { item in
        guard try isGone(item) else { return false }
        marks.forget(item: item)
        return true
      }
    }
  }

  /// Removes everything, sections included.
  public mutating func deleteAllItems() {
    self = Snapshot()
  }

  /// Moves an item before another, to its section; before itself changes nothing.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either is not there.
  public mutating func moveItem(
    _ item: ItemID, beforeItem anchor: ItemID
  ) throws(SnapshotError) {
    try moveItem(item, around: anchor, offset: 0)
  }

  /// Moves an item behind another, to its section; behind itself changes nothing.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either is not there.
  public mutating func moveItem(
    _ item: ItemID, afterItem anchor: ItemID
  ) throws(SnapshotError) {
    try moveItem(item, around: anchor, offset: 1)
  }

  private mutating func moveItem(
    _ item: ItemID, around anchor: ItemID, offset: Int
  ) throws(SnapshotError) {
    let source = try path(ofItem: item)
    _ = try path(ofItem: anchor)
    guard item != anchor else { return }
    sections[source.section].items.remove(at: source.item)
    let target = try path(ofItem: anchor)
    sections[target.section].items.insert(item, at: target.item + offset)
  }

  /// Marks items whose view is to be replaced. Wins over a reconfigure mark.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` with all that are not there.
  public mutating func reloadItems(_ items: some Sequence<ItemID>) throws(SnapshotError) {
    marks.reload(items: try known(items))
  }

  /// Marks items whose view is to be updated in place.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` with all that are not there.
  public mutating func reconfigureItems(_ items: some Sequence<ItemID>) throws(SnapshotError) {
    marks.reconfigure(items: try known(items))
  }

  private func known(_ items: some Sequence<ItemID>) throws(SnapshotError) -> [ItemID] {
    let items = Array(items)
    let unknown = items.filter { !containsItem($0) }
    guard unknown.isEmpty else { throw .unknownItem(unknown.map(AnyIdentifier.init)) }
    return items
  }

  private func path(ofItem item: ItemID) throws(SnapshotError) -> ItemPath {
    guard let path = itemPath(for: item) else { throw .unknownItem([AnyIdentifier(item)]) }
    return path
  }
}
