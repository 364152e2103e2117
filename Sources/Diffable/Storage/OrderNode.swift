/// A node of an order tree.
@usableFromInline enum OrderNode<Summary: TreeSummary>: Sendable {
  case leaf(Leaf<Summary.Element>)
  case inner(InnerNode<Summary>)

  @inlinable var count: Int {
    switch self {
    case .leaf(let leaf): leaf.elements.count
    case .inner(let inner): inner.count
    }
  }

  @inlinable var firstLabel: LeafLabel {
    switch self {
    case .leaf(let leaf): leaf.label
    case .inner(let inner): inner.children[0].label
    }
  }

  @inlinable var summary: Summary {
    switch self {
    case .leaf(let leaf): Summary(of: leaf.elements)
    case .inner(let inner): inner.summary
    }
  }

  /// The number of levels below this one: 0 for a leaf.
  @inlinable var height: Int {
    switch self {
    case .leaf: 0
    case .inner(let inner): inner.height
    }
  }

  @inlinable static func === (left: OrderNode, right: OrderNode) -> Bool {
    switch (left, right) {
    case (.leaf(let left), .leaf(let right)): left === right
    case (.inner(let left), .inner(let right)): left === right
    default: false
    }
  }
}

/// Some neighbouring elements of a tree, and the hash of each.
@usableFromInline final class Leaf<Element: Hashable & Sendable>: Sendable {
  @usableFromInline let label: LeafLabel
  @usableFromInline let hashes: ContiguousArray<UInt32>
  @usableFromInline let elements: ContiguousArray<Element>

  @inlinable init(
    label: LeafLabel, hashes: ContiguousArray<UInt32>, elements: ContiguousArray<Element>
  ) {
    self.label = label
    self.hashes = hashes
    self.elements = elements
  }
}

/// The children of a node, with what a descent needs to know of each.
@usableFromInline final class InnerNode<Summary: TreeSummary>: Sendable {
  @usableFromInline struct Child: Sendable {
    @usableFromInline let label: LeafLabel
    @usableFromInline let count: Int
    @usableFromInline let node: OrderNode<Summary>
    @usableFromInline let summary: Summary

    @inlinable init(_ node: OrderNode<Summary>) {
      label = node.firstLabel
      count = node.count
      summary = node.summary
      self.node = node
    }

    /// The child itself, where it is a leaf.
    @inlinable var leaf: Leaf<Summary.Element>? {
      guard case .leaf(let leaf) = node else { return nil }
      return leaf
    }
  }

  @usableFromInline typealias Children = ContiguousArray<Child>

  /// At least one.
  @usableFromInline let children: Children
  @usableFromInline let count: Int
  @usableFromInline let height: Int
  @usableFromInline let summary: Summary

  @inlinable init(_ children: Children) {
    self.children = children
    height = children[0].node.height + 1
    var (count, summary) = (0, Summary())
    for child in children {
      count += child.count
      summary.append(child.summary)
    }
    self.count = count
    self.summary = summary
  }
}

extension Hashable {
  /// The 32 bits of the hash that leaves and tables store.
  ///
  /// Never 0, which marks an empty slot.
  @inlinable var storedHash: UInt32 {
    UInt32(truncatingIfNeeded: hashValue) | 1
  }
}
