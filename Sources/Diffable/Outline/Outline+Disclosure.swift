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
