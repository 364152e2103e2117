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
  mutating func exchangeModels(with models: ModelPieces, since old: OrderTree) {
    var delta = LeafDelta()
    LeafWindows.forEach(old: old, new: self) { stretch in
      guard case .shared(let run) = stretch else { return }
      forEachLeaf(in: run.newRange) { leaf, base in
        let part = models.part(base..<base + leaf.count)
        guard let other = part.replacingModels(of: leaf) else { return }
        delta.removed.append(leaf)
        delta.added.append(other)
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

  /// The model of the element at a position, or `nil` if it has none.
  ///
  /// - Complexity: O(log n) for n elements.
  package func model(at position: Int) -> HeldModel? {
    leaf(atPosition: position).flatMap { HeldModel(at: position - $0.base, in: $0.leaf) }
  }

  /// Calls a function with the model of the element at a position, or `nil` if it has none.
  ///
  /// - Complexity: O(log n) for n elements.
  package func withModel<Result>(at position: Int, _ body: (ModelSpan?) -> Result) -> Result {
    let model = model(at: position)
    return withExtendedLifetime(model) { body(model?.span) }
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
