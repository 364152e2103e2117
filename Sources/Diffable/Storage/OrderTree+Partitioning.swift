extension OrderTree {
  /// The position of the first element that does not satisfy a condition, if all before it do.
  ///
  /// If the elements are in another order, it is some position.
  ///
  /// - Parameter isBefore: Whether an element of a leaf, given by its offset, satisfies it.
  /// - Complexity: O(log n) calls for n elements.
  func partitioningPosition(_ isBefore: (_ leaf: Leaf, _ offset: Int) -> Bool) -> Int {
    var (node, base) = (root, 0)
    while case .inner(let inner)? = node {
      // The last child whose first element satisfies the condition, or the first child.
      var (low, high) = (0, inner.children.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if isBefore(inner.children[middle].node.firstLeaf, 0) {
          low = middle
        } else {
          high = middle
        }
      }
      base += inner.children[..<low].reduce(0) { $0 + $1.count }
      node = inner.children[low].node
    }
    guard case .leaf(let leaf)? = node else { return 0 }
    var (low, high) = (0, leaf.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(leaf, middle) { low = middle + 1 } else { high = middle }
    }
    return base + low
  }
}

extension OrderNode {
  fileprivate var firstLeaf: Leaf {
    var node = self
    while case .inner(let inner) = node { node = inner.children[0].node }
    guard case .leaf(let leaf) = node else { preconditionFailure("a node without leaves") }
    return leaf
  }
}
