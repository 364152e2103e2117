extension Outline {
  /// Calls a function with the hash of each item that a collapsed row hides.
  ///
  /// - Complexity: O(n) for n items.
  @inlinable func forEachHiddenHash(_ body: (UInt32) -> Void) {
    var collapsed = Int32.max
    for leaf in rows.leaves {
      for (hash, row) in zip(leaf.hashes, leaf.elements) {
        if row.level > collapsed {
          body(hash)
        } else {
          collapsed = row.isExpanded ? .max : row.level
        }
      }
    }
  }

  /// Calls a function with each row, and the number of visible rows before it.
  ///
  /// - Complexity: O(n) for n items.
  @inlinable func forEachRow(_ body: (Row, _ visibleBefore: Int, _ isHidden: Bool) -> Void) {
    var collapsed = Int32.max
    var visible = 0
    forEachRow(in: 0..<count) { row in
      let isHidden = row.level > collapsed
      body(row, visible, isHidden)
      guard !isHidden else { return }
      visible += 1
      collapsed = row.isExpanded ? .max : row.level
    }
  }

  /// The items that are visible among some rows, where nothing before these hides them.
  @inlinable func visibleItems(in range: Range<Int>) -> ContiguousArray<ItemID> {
    var items: ContiguousArray<ItemID> = []
    forEachVisibleRow(in: range) { items.append($0.id) }
    return items
  }
}
