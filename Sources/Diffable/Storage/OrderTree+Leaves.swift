extension OrderTree {
  /// The leaves, first to last.
  ///
  /// - Complexity: O(leaves).
  @inlinable var leaves: [Leaf<Element>] {
    var leaves: [Leaf<Element>] = []
    root?.appendLeaves(to: &leaves)
    return leaves
  }

  /// Puts another element in the place of one that has the same identity.
  ///
  /// - Complexity: O(log n) for n elements.
  @inlinable mutating func replaceElement(at position: Int, with element: Element) {
    root = root?.replacing(position, with: element)
  }
}

extension OrderNode {
  @inlinable func appendLeaves(to leaves: inout [Leaf<Summary.Element>]) {
    switch self {
    case .leaf(let leaf): leaves.append(leaf)
    case .inner(let inner):
      for child in inner.children { child.node.appendLeaves(to: &leaves) }
    }
  }

  @inlinable func forEachLeaf(_ body: (Leaf<Summary.Element>) -> Void) {
    switch self {
    case .leaf(let leaf): body(leaf)
    case .inner(let inner):
      for child in inner.children { child.node.forEachLeaf(body) }
    }
  }

  @inlinable func replacing(_ position: Int, with element: Summary.Element) -> OrderNode {
    switch self {
    case .leaf(let leaf):
      var elements = leaf.elements
      elements[position] = element
      return .leaf(Leaf(label: leaf.label, hashes: leaf.hashes, elements: elements))
    case .inner(let inner):
      var index = 0
      var base = 0
      while index + 1 < inner.children.count, base + inner.children[index].count <= position {
        base += inner.children[index].count
        index += 1
      }
      var children = inner.children
      children[index] = .init(children[index].node.replacing(position - base, with: element))
      return .inner(InnerNode(children))
    }
  }
}
