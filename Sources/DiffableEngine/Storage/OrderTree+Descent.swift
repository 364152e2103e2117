extension OrderTree {
  /// A leaf and its place.
  package struct LeafPlace {
    package let leaf: Leaf
    /// The number of elements before it.
    package let base: Int
    /// The label of the next leaf, if there is one.
    let nextLabel: LeafLabel?
  }

  /// The leaf that contains a position; for any position after the last one, the last leaf.
  ///
  /// - Complexity: O(log n) for n elements.
  package func leaf(atPosition position: Int) -> LeafPlace? {
    descend { inner, base in inner.child(holding: position - base) }
  }

  /// The leaf with a label, or `nil` if no leaf has it.
  ///
  /// - Complexity: O(log n) for n elements.
  package func leaf(labelled label: LeafLabel) -> LeafPlace? {
    let place = descend { inner, _ in inner.child(labelled: label) }
    return place?.leaf.label == label ? place : nil
  }

  /// Descends to a leaf.
  ///
  /// The tree holds all nodes on the way, so none of them is retained: counting references takes
  /// longer than finding the way.
  ///
  /// - Parameter choose: Returns the child of a node to descend to, and the number of elements in
  ///   the children before it. It receives the number of elements before the node.
  @inline(__always) private func descend(
    _ choose: (InnerNode, _ base: Int) -> (index: Int, base: Int)
  ) -> LeafPlace? {
    switch root {
    case nil: nil
    case .leaf(let leaf)?: LeafPlace(leaf: leaf, base: 0, nextLabel: nil)
    case .inner(let top)?:
      withExtendedLifetime(top) {
        var node = top.unretained
        var base = 0
        var nextLabel: LeafLabel?
        for _ in 1..<top.height {
          node = node.withNode { inner in
            let (index, before) = choose(inner, base)
            base += before
            return inner.unretainedChild(at: index, &nextLabel)
          }
        }
        return node.withNode { inner in
          let (index, before) = choose(inner, base)
          guard let leaf = inner.leaf(at: index, &nextLabel) else { return nil }
          return LeafPlace(leaf: leaf, base: base + before, nextLabel: nextLabel)
        }
      }
    }
  }

  /// Calls a function with the address of the element at an existing position.
  ///
  /// - Complexity: O(log n) for n elements.
  @inlinable package func withElement<Result>(
    at position: Int, _ body: (UnsafeRawPointer) -> Result
  ) -> Result {
    let element = element(at: position)
    return withExtendedLifetime(element.leaf) { body(element.address) }
  }

  /// The address of the element at an existing position, valid while its leaf is held.
  @usableFromInline func element(at position: Int) -> (leaf: Leaf, address: UnsafeRawPointer) {
    guard position >= 0, let place = leaf(atPosition: position),
      position - place.base < place.leaf.count
    else {
      preconditionFailure("No position \(position) in an order of \(count)")
    }
    return (place.leaf, place.leaf.span.address(position - place.base))
  }
}

extension OrderTree {
  /// The totals of all elements before a position.
  ///
  /// - Complexity: O(log n) for n elements.
  @usableFromInline func totals(before position: Int) -> Totals {
    var totals = Totals()
    guard var node = root else { return totals }
    var base = 0
    while case .inner(let inner) = node {
      var index = 0
      while index + 1 < inner.children.count, base + inner.children[index].count <= position {
        totals.append(inner.children[index].totals)
        base += inner.children[index].count
        index += 1
      }
      node = inner.children[index].node
    }
    if case .leaf(let leaf) = node, let count = kernel.totals {
      withExtendedLifetime(leaf) {
        totals.append(count(leaf.span.first, min(position - base, leaf.count)))
      }
    }
    return totals
  }
}
