extension OrderTree {
  /// A leaf and where it stands.
  @usableFromInline struct LeafPlace {
    @usableFromInline let leaf: Leaf<Element>
    /// The number of elements before it.
    @usableFromInline let base: Int
    /// The label of the leaf behind it, if there is one.
    @usableFromInline let nextLabel: LeafLabel?

    @inlinable init(leaf: Leaf<Element>, base: Int, nextLabel: LeafLabel?) {
      self.leaf = leaf
      self.base = base
      self.nextLabel = nextLabel
    }
  }

  /// The leaf that holds a position; for any position behind the last one, the last leaf.
  ///
  /// - Complexity: O(log n) for n elements.
  @inlinable func leaf(atPosition position: Int) -> LeafPlace? {
    guard var node = root else { return nil }
    var base = 0
    var nextLabel: LeafLabel?
    while case .inner(let inner) = node {
      var index = 0
      while index < inner.children.count - 1, base + inner.children[index].count <= position {
        base += inner.children[index].count
        index += 1
      }
      if index + 1 < inner.children.count { nextLabel = inner.children[index + 1].label }
      node = inner.children[index].node
    }
    guard case .leaf(let leaf) = node else { return nil }
    return LeafPlace(leaf: leaf, base: base, nextLabel: nextLabel)
  }

  /// The leaf with a label, or `nil` if no leaf has it.
  ///
  /// - Complexity: O(log n) for n elements.
  @inlinable func leaf(labelled label: LeafLabel) -> LeafPlace? {
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

  /// The element at a position that exists.
  ///
  /// - Complexity: O(log n) for n elements.
  @inlinable subscript(position: Int) -> Element {
    guard let place = leaf(atPosition: position) else {
      preconditionFailure("Position \(position) of an empty order")
    }
    return place.leaf.elements[position - place.base]
  }
}

extension OrderTree {
  /// The summary of all elements before a position.
  ///
  /// - Complexity: O(log n) for n elements.
  @inlinable func summary(before position: Int) -> Summary {
    var summary = Summary()
    guard var node = root else { return summary }
    var base = 0
    while case .inner(let inner) = node {
      var index = 0
      while index + 1 < inner.children.count, base + inner.children[index].count <= position {
        summary.append(inner.children[index].summary)
        base += inner.children[index].count
        index += 1
      }
      node = inner.children[index].node
    }
    if case .leaf(let leaf) = node {
      summary.append(Summary(of: ContiguousArray(leaf.elements.prefix(position - base))))
    }
    return summary
  }
}
