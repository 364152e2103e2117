extension OrderTree {
  /// The leaves, first to last.
  ///
  /// - Complexity: O(leaves).
  package var leaves: [Leaf] {
    var leaves: [Leaf] = []
    root?.forEachLeaf { leaves.append($0) }
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
    editLeaf(at: position) { leaf, offset in
      leaf.makeUnique()
      return leaf.mutateElement(at: offset, body)
    }
  }

  /// Calls a function that may edit the leaf that contains a position, and returns how it has
  /// changed the leaf.
  mutating func editLeaf(at position: Int, _ edit: (inout Leaf, _ offset: Int) -> NodeChange) {
    // The root is taken out during the edit, so that nothing else holds it.
    guard var node = root.take() else { return }
    defer { root = node }
    _ = withUnsafeMutablePointer(to: &node) { $0.editLeaf(at: position, edit) }
  }
}

extension OrderNode {
  package func forEachLeaf(_ body: (Leaf) -> Void) {
    switch self {
    case .leaf(let leaf): body(leaf)
    case .inner(let inner): for child in inner.children { child.node.forEachLeaf(body) }
    }
  }
}

extension OrderTree {
  /// Sets other models in leaves that an older tree has too.
  ///
  /// Leaves in which all models stay the same are kept. All other leaves of this tree have their
  /// models already.
  ///
  /// - Parameters:
  ///   - models: The models of all elements of this tree, in order.
  ///   - old: The tree from which this one was made.
  /// - Complexity: O(n) comparisons for n elements.
  mutating func exchangeModels(with models: ModelSpan, since old: OrderTree) {
    var delta = LeafDelta()
    LeafWindows.forEach(old: old, new: self) { stretch in
      guard case .shared(let run) = stretch else { return }
      forEachLeaf(in: run.newRange) { leaf, base in
        let equal = withExtendedLifetime(leaf) {
          leaf.models.map {
            models.kernel.countEqual($0.first, models.address(base), leaf.count)
          }
        }
        guard equal != leaf.count else { return }
        delta.removed.append(leaf)
        delta.added.append(leaf.beside(ModelPieces(models, from: base, count: leaf.count)))
      }
    }
    exchangeLeaves(delta)
  }

  /// Calls a function with the leaves that contain some positions.
  ///
  /// The function also receives the number of elements before each leaf.
  ///
  /// - Parameter isWanted: The condition for the nodes above a leaf and for the leaf itself.
  /// - Complexity: O(l + log n) for l leaves of a tree of n elements. With a condition,
  ///   O((l + 1) · log n), if every wanted node has a wanted leaf.
  package func forEachLeaf(
    in range: Range<Int>, inSubtrees isWanted: (OrderNode) -> Bool = { _ in true },
    _ body: (_ leaf: Leaf, _ base: Int) -> Void
  ) {
    guard !range.isEmpty else { return }
    root?.forEachLeaf(in: range, base: 0, isWanted, body)
  }

  /// Calls a function with the model of the element at a position, or `nil` if it has none.
  ///
  /// - Complexity: O(log n) for n elements.
  package func withModel<Result>(at position: Int, _ body: (ModelSpan?) -> Result) -> Result {
    guard let place = leaf(atPosition: position) else { return body(nil) }
    return withExtendedLifetime(place.leaf) {
      body(
        place.leaf.models.map {
          ModelSpan(kernel: $0.kernel, first: $0.address(position - place.base))
        })
    }
  }
}

extension OrderNode {
  @inline(never) fileprivate func forEachLeaf(
    in range: Range<Int>, base: Int, _ isWanted: (OrderNode) -> Bool,
    _ body: (_ leaf: Leaf, _ base: Int) -> Void
  ) {
    guard isWanted(self) else { return }
    switch self {
    case .leaf(let leaf): body(leaf, base)
    case .inner(let inner):
      var start = base
      inner.withChildren { children in
        for index in children.indices {
          defer { start += children[index].count }
          guard start + children[index].count > range.lowerBound else { continue }
          guard start < range.upperBound else { return }
          children[index].node.forEachLeaf(in: range, base: start, isWanted, body)
        }
      }
    }
  }
}
