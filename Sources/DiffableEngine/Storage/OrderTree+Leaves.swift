extension OrderTree {
  /// The leaves, first to last.
  ///
  /// - Complexity: O(leaves).
  package var leaves: [Leaf] {
    var leaves: [Leaf] = []
    root?.appendLeaves(to: &leaves)
    return leaves
  }

  /// Replaces an element with another one of the same identity.
  ///
  /// - Complexity: O(log n) for n elements.
  @usableFromInline mutating func replaceElement(at position: Int, with element: UnsafeRawPointer) {
    let kernel = kernel
    mutateElement(at: position) { address in
      kernel.destroy(address, count: 1)
      kernel.copy(element, to: address, count: 1)
    }
  }

  /// Calls a function that may change an element, except for its identity.
  ///
  /// - Complexity: O(log n) for n elements.
  package mutating func mutateElement(at position: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
    editRoot { $0.mutateElement(at: position, body) }
  }

  /// Calls a function that edits the root in place, if there is one.
  @discardableResult
  mutating func editRoot<Result>(
    _ edit: (UnsafeMutablePointer<OrderNode>) -> Result
  ) -> Result? {
    // The root is taken out during the edit, so that nothing else holds it.
    guard var node = root.take() else { return nil }
    defer { root = node }
    return withUnsafeMutablePointer(to: &node, edit)
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

  package func forEachLeaf(_ body: (Leaf) -> Void) {
    forEachLeaf(inSubtrees: { _ in true }, body)
  }

  /// Calls a function with each leaf of the subtrees whose nodes all satisfy a condition.
  package func forEachLeaf(inSubtrees isWanted: (OrderNode) -> Bool, _ body: (Leaf) -> Void) {
    guard isWanted(self) else { return }
    switch self {
    case .leaf(let leaf): body(leaf)
    case .inner(let inner):
      for child in inner.children { child.node.forEachLeaf(inSubtrees: isWanted, body) }
    }
  }
}
