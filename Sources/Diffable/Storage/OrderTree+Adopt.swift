extension OrderTree {
  /// A tree of other elements that shares with this one whatever it can, and how both match.
  ///
  /// - Parameters:
  ///   - elements: What the new tree is to hold.
  ///   - table: Where the elements of this tree, and of others that new ones may come from, are
  ///     filed.
  ///   - section: The key that those of this tree are filed under.
  ///   - mostChanges: How many changes of the table are worth noting.
  /// - Returns: The tree, and how it matches this one; `nil` where it is this one, or where that
  ///   cannot be told, because an element stands twice or labels are used up.
  /// - Complexity: O(n + m) comparisons for n elements and m new ones, and one hash for each of the
  ///   new ones that does not stand where the walk expects it.
  @inlinable func adopting(
    _ elements: [Element], table: IdentityTable? = nil, section: SectionKey? = nil,
    mostChanges: Int = .max
  ) -> (tree: OrderTree, matching: OrderMatching<Element>?) {
    // Most of many small sections are as they were.
    if case .leaf(let leaf)? = root, leaf.elements.elementsEqual(elements) { return (self, nil) }
    // Notes count with 32 bits.
    guard elements.count <= Int32.max else { return (OrderTree(elements, shape: shape), nil) }
    // What an adoption knows of the leaves are their places in memory.
    return withExtendedLifetime(self) {
      elements.withUnsafeBufferPointer { elements in
        withUnsafeTemporaryAllocation(
          byteCount: elements.count * Adoption<Element>.Notes.stride,
          alignment: MemoryLayout<Adoption<Element>.Run>.alignment
        ) { memory in
          var adoption = Adoption(
            of: elements, by: self, table: table, section: section,
            notes: .init(memory, count: elements.count))
          adoption.walk()
          adoption.buildLeaves(mostChanges: mostChanges)
          guard !adoption.hasFailed else { return (OrderTree(elements, shape: shape), nil) }
          var tree = self
          tree.exchangeLeaves(adoption.delta)
          return (tree, adoption.matching)
        }
      }
    }
  }
}
