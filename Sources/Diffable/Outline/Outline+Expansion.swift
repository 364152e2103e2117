extension Outline {
  /// Expands items: their children are visible if they are visible themselves.
  ///
  /// Unknown items are ignored. An item without children is expanded too, so that children that are
  /// added later are visible.
  ///
  /// - Complexity: O((m + k) · log n) for m of n items, given a good hash, and k items that become
  ///   visible.
  public mutating func expand(_ items: some Sequence<ItemID>) {
    setExpanded(true, items)
  }

  /// Collapses items: their descendants are hidden and keep their own flags.
  ///
  /// Unknown items are ignored.
  ///
  /// - Complexity: O((m + k) · log n) for m of n items, given a good hash, and k items that are no
  ///   longer visible.
  public mutating func collapse(_ items: some Sequence<ItemID>) {
    setExpanded(false, items)
  }

  package mutating func setExpanded(_ isExpanded: Bool, _ items: some Sequence<ItemID>) {
    let positions = positions(of: items) { $0.isExpanded != isExpanded }
    changeExpansion(at: positions) { $0.isExpanded = isExpanded }
  }

  /// The positions of those items whose rows satisfy a condition, ascending, each once.
  func positions(
    of items: some Sequence<ItemID>, where isWanted: (Row) -> Bool
  ) -> [Int] {
    var positions: [Int] = []
    for position in items.compactMap(position(of:)).sortedIfNeeded(by: { $0 })
    where position != positions.last && isWanted(rows[position]) {
      positions.append(position)
    }
    return positions
  }

  /// Copies the flags of another outline for the items that both have.
  ///
  /// - Complexity: O(n · log n) for n items.
  mutating func takeExpansion(from other: Outline) {
    var positions: [Int] = []
    var position = 0
    forEachRow(in: 0..<count) { row in
      if let old = other.position(of: row.id), other.rows[old].isExpanded != row.isExpanded {
        positions.append(position)
      }
      position += 1
    }
    changeExpansion(at: positions) { $0.isExpanded.toggle() }
  }
}

/// Children that are not loaded until they are needed.
extension Outline {
  /// Sets whether items have children that are not loaded yet.
  ///
  /// Such an item can be expanded although it has no children here. In a source with a children
  /// provider, expanding it calls the provider. Unknown items are ignored. The flag belongs to the
  /// item: it moves and is deleted with it.
  ///
  /// - Complexity: O(m · log n) for m of n items, given a good hash.
  public mutating func setHasUnloadedChildren(
    _ items: some Sequence<ItemID>, _ hasUnloadedChildren: Bool = true
  ) {
    let positions = positions(of: items) { $0.hasUnloadedChildren != hasUnloadedChildren }
    changeRows(at: positions) { $0.hasUnloadedChildren = hasUnloadedChildren }
  }

  /// The items that are expanded but whose children are not loaded, in order.
  ///
  /// - Complexity: O(m · log n) for m of n items.
  public var loadingItems: [ItemID] {
    var items: [ItemID] = []
    var start = 0
    while let position = rows.firstPosition(
      from: start, inSubtrees: { $0.isLoading }, where: { $0.isLoading })
    {
      items.append(rows[position].id)
      start = position + 1
    }
    return items
  }

  /// Returns whether an item has children that are not loaded yet.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func hasUnloadedChildren(_ item: ItemID) -> Bool {
    position(of: item).map { rows[$0].hasUnloadedChildren } ?? false
  }
}
