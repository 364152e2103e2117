/// Lookups, which never fail for an unknown item.
///
/// It has no index, no level, no parent and no children, and is neither expanded nor visible.
extension Outline {
  /// The number of items, hidden ones included.
  ///
  /// - Complexity: O(1).
  public var count: Int { rows.count }

  /// Whether there is no item.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool { rows.isEmpty }

  /// All items, hidden ones included; each item is before its descendants.
  ///
  /// - Complexity: O(n) for n items.
  public var items: [ItemID] {
    rows.items(visibleOnly: false, kernel)
  }

  /// The items without a parent, in order.
  ///
  /// - Complexity: O(r · log n) for r of n items.
  public var rootItems: [ItemID] { siblings(from: 0, to: count) }

  /// The items whose ancestors are all expanded, in order.
  ///
  /// - Complexity: O(v · log n) for v of n items, at most O(n).
  public var visibleItems: [ItemID] {
    rows.items(visibleOnly: true, kernel)
  }

  /// The items that are expanded, hidden ones and those without children included, in order.
  ///
  /// - Complexity: O(n) for n items.
  public var expandedItems: [ItemID] {
    var items: [ItemID] = []
    forEachRow(in: 0..<count) { if $0.isExpanded { items.append($0.id) } }
    return items
  }

  /// The children of an item, in order.
  ///
  /// - Complexity: O(c · log n) for c children among n items.
  public func children(of parent: ItemID) -> [ItemID] {
    guard let position = position(of: parent) else { return [] }
    return siblings(from: position + 1, to: endOfSubtree(at: position))
  }

  /// The parent of an item, or `nil` for one that has none.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func parent(of child: ItemID) -> ItemID? {
    position(of: child).flatMap(parentPosition(ofRowAt:)).map { rows[$0].id }
  }

  /// The number of ancestors of an item, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func level(of item: ItemID) -> Int? {
    position(of: item).map { Int(rows[$0].level) }
  }

  /// The index of an item among all ``items``, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func index(of item: ItemID) -> Int? { position(of: item) }

  /// Returns whether an item is in the outline, visible or hidden.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func contains(_ item: ItemID) -> Bool { position(of: item) != nil }

  /// Returns whether an item is expanded, even if it is hidden or has no children.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func isExpanded(_ item: ItemID) -> Bool {
    position(of: item).map { rows[$0].isExpanded } ?? false
  }

  /// Returns whether all ancestors of an item are expanded.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func isVisible(_ item: ItemID) -> Bool {
    position(of: item).map { rows[$0].isVisible } ?? false
  }

  /// The descendants of an item as a separate outline, with their flags.
  ///
  /// - Parameters:
  ///   - parent: The item. For an unknown item the result is empty.
  ///   - includingParent: Whether the item itself is the root of that outline.
  /// - Complexity: O(k + log n) for k descendants among n items.
  public func outline(
    of parent: ItemID, includingParent: Bool = false
  ) -> Outline {
    guard let position = position(of: parent) else { return emptied }
    return outline(
      ofRowsIn: (includingParent ? position : position + 1)..<endOfSubtree(at: position))
  }

  func outline(ofRowsIn range: Range<Int>) -> Outline {
    var outline = emptied
    guard !range.isEmpty else { return outline }
    let copies = copiedRows(range, deeper: -rows[range.lowerBound].level)
    outline.table = IdentityTable(capacity: copies.count)
    outline.replaceRows(0..<0, with: copies)
    return outline
  }

  /// The siblings from one position on.
  func siblings(from start: Int, to end: Int) -> [ItemID] {
    var siblings: [ItemID] = []
    var position = start
    while position < end {
      siblings.append(rows[position].id)
      position = endOfSubtree(at: position)
    }
    return siblings
  }
}

extension Outline {
  /// How the row of an item is drawn, visible or hidden; `nil` for an unknown item.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(of item: ItemID) -> Disclosure? {
    position(of: item).map(disclosure(at:))
  }

  func disclosure(at position: Int) -> Disclosure {
    let row = rows[position]
    let sign: Disclosure.Sign =
      if row.isLoading {
        .loading
      } else if row.hasUnloadedChildren || hasChildren(at: position) {
        row.isExpanded ? .expanded : .collapsed
      } else {
        .leaf
      }
    return Disclosure(level: Int(row.level), sign: sign)
  }
}
