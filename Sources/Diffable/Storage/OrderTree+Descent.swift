extension OrderTree {
  /// A leaf and where it stands.
  struct LeafPlace {
    let leaf: Leaf
    /// The number of elements before it.
    let base: Int
    /// The label of the leaf behind it, if there is one.
    let nextLabel: LeafLabel?
  }

  /// The leaf that holds a position; for any position behind the last one, the last leaf.
  ///
  /// - Complexity: O(log n) for n elements.
  func leaf(atPosition position: Int) -> LeafPlace? {
    guard var node = root else { return nil }
    var base = 0
    var nextLabel: LeafLabel?
    while case .inner(let inner) = node {
      let (index, before) = inner.child(holding: position - base)
      base += before
      if index + 1 < inner.children.count { nextLabel = inner.children[index + 1].label }
      node = inner.children[index].node
    }
    guard case .leaf(let leaf) = node else { return nil }
    return LeafPlace(leaf: leaf, base: base, nextLabel: nextLabel)
  }

  /// The leaf with a label, or `nil` if no leaf has it.
  ///
  /// - Complexity: O(log n) for n elements.
  func leaf(labelled label: LeafLabel) -> LeafPlace? {
    guard var node = root else { return nil }
    var base = 0
    var nextLabel: LeafLabel?
    while case .inner(let inner) = node {
      var index = 0
      while index + 1 < inner.children.count, inner.children[index + 1].label <= label {
        base += inner.children[index].count
        index += 1
      }
      if index + 1 < inner.children.count { nextLabel = inner.children[index + 1].label }
      node = inner.children[index].node
    }
    guard case .leaf(let leaf) = node, leaf.label == label else { return nil }
    return LeafPlace(leaf: leaf, base: base, nextLabel: nextLabel)
  }

  /// Calls a function with the address of the element at a position that exists.
  ///
  /// - Complexity: O(log n) for n elements.
  func withElement<Result>(at position: Int, _ body: (UnsafeRawPointer) -> Result) -> Result {
    guard position >= 0, let place = leaf(atPosition: position),
      position - place.base < place.leaf.count
    else {
      preconditionFailure("No position \(position) in an order of \(count)")
    }
    return withExtendedLifetime(place.leaf) {
      body(place.leaf.span.address(position - place.base))
    }
  }
}

extension OrderTree {
  /// The totals of all elements before a position.
  ///
  /// - Complexity: O(log n) for n elements.
  func totals(before position: Int) -> Totals {
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
