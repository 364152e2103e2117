extension OrderTree {
  /// The leaves, first to last.
  ///
  /// - Complexity: O(leaves).
  var leaves: [Leaf] {
    var leaves: [Leaf] = []
    root?.appendLeaves(to: &leaves)
    return leaves
  }

  /// Puts another element in the place of one that has the same identity.
  ///
  /// - Complexity: O(log n) for n elements.
  mutating func replaceElement(at position: Int, with element: UnsafeRawPointer) {
    root = root?.replacing(position, with: element, hasTotals: hasTotals)
  }
}

extension OrderNode {
  func appendLeaves(to leaves: inout [Leaf]) {
    switch self {
    case .leaf(let leaf): leaves.append(leaf)
    case .inner(let inner):
      for child in inner.children { child.node.appendLeaves(to: &leaves) }
    }
  }

  func forEachLeaf(_ body: (Leaf) -> Void) {
    switch self {
    case .leaf(let leaf): body(leaf)
    case .inner(let inner):
      for child in inner.children { child.node.forEachLeaf(body) }
    }
  }

  func replacing(
    _ position: Int, with element: UnsafeRawPointer, hasTotals: Bool
  ) -> OrderNode {
    switch self {
    case .leaf(let leaf):
      let span = leaf.span
      return withExtendedLifetime(leaf) {
        .leaf(
          Leaf(
            label: leaf.label, kernel: leaf.kernel, span.sub(0..<position),
            ElementSpan(
              first: element, hashes: span.hashes + position, count: 1, stride: span.stride),
            span.sub(position + 1..<span.count)))
      }
    case .inner(let inner):
      var index = 0
      var base = 0
      while index + 1 < inner.children.count, base + inner.children[index].count <= position {
        base += inner.children[index].count
        index += 1
      }
      var children = inner.children
      children[index] = .init(
        children[index].node.replacing(position - base, with: element, hasTotals: hasTotals))
      return .inner(InnerNode(children, hasTotals: hasTotals))
    }
  }
}
