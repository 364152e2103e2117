extension Outline {
  /// Expands items, so that their children are visible where they are visible themselves.
  ///
  /// Unknown items are ignored. An item without children is expanded all the same, so that children
  /// that come later are visible.
  ///
  /// - Complexity: O((m + k) · log n) for m of n items, given a good hash, and k items that become
  ///   visible.
  public mutating func expand(_ items: some Sequence<ItemID>) {
    setExpanded(true, items)
  }

  /// Collapses items, so that their descendants are hidden; these keep their own flags.
  ///
  /// Unknown items are ignored.
  ///
  /// - Complexity: O((m + k) · log n) for m of n items, given a good hash, and k items that are no
  ///   longer visible.
  public mutating func collapse(_ items: some Sequence<ItemID>) {
    setExpanded(false, items)
  }

  mutating func setExpanded(_ isExpanded: Bool, _ items: some Sequence<ItemID>) {
    let positions = positions(of: items) { $0.isExpanded != isExpanded }
    changeExpansion(at: positions) { $0.isExpanded = isExpanded }
  }

  /// Where those of some items stand whose rows satisfy a condition, in ascending order, each once.
  func positions(
    of items: some Sequence<ItemID>, where isWanted: (Row) -> Bool
  ) -> [Int] {
    var positions: [Int] = []
    for position in items.compactMap(position(of:)).sorted()
    where position != positions.last && isWanted(rows[position]) {
      positions.append(position)
    }
    return positions
  }

  /// Takes over the flags of another outline, for the items that both have.
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

/// Children that are somewhere else until somebody wants to see them.
extension Outline {
  /// Says whether items have children that are not loaded yet.
  ///
  /// Such an item can be expanded although it has no children here. In a source that has a
  /// children provider, expanding it asks that for them. Unknown items are
  /// ignored; whether an item's children are loaded goes with the item.
  ///
  /// - Complexity: O(m · log n) for m of n items, given a good hash.
  public mutating func setHasUnloadedChildren(
    _ items: some Sequence<ItemID>, _ hasUnloadedChildren: Bool = true
  ) {
    let positions = positions(of: items) { $0.hasUnloadedChildren != hasUnloadedChildren }
    changeRows(at: positions) { $0.hasUnloadedChildren = hasUnloadedChildren }
  }

  /// The items that are expanded while their children are not loaded, in order.
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

  /// Answers whether an item has children that are not loaded yet.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func hasUnloadedChildren(_ item: ItemID) -> Bool {
    position(of: item).map { rows[$0].hasUnloadedChildren } ?? false
  }
}
