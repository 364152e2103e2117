/// A node of an order tree.
enum OrderNode<Element: Hashable & Sendable>: Sendable {
  case leaf(Leaf<Element>)
  case inner(InnerNode<Element>)

  var count: Int {
    switch self {
    case .leaf(let leaf): leaf.elements.count
    case .inner(let inner): inner.count
    }
  }

  var firstLabel: LeafLabel {
    switch self {
    case .leaf(let leaf): leaf.label
    case .inner(let inner): inner.children[0].label
    }
  }

  /// The number of levels below this one: 0 for a leaf.
  var height: Int {
    switch self {
    case .leaf: 0
    case .inner(let inner): inner.height
    }
  }

  static func === (left: OrderNode, right: OrderNode) -> Bool {
    switch (left, right) {
    case (.leaf(let left), .leaf(let right)): left === right
    case (.inner(let left), .inner(let right)): left === right
    default: false
    }
  }
}

/// Some neighbouring elements of a tree, and the hash of each.
final class Leaf<Element: Hashable & Sendable>: Sendable {
  let label: LeafLabel
  let hashes: ContiguousArray<UInt32>
  let elements: ContiguousArray<Element>

  init(
    label: LeafLabel, hashes: ContiguousArray<UInt32>, elements: ContiguousArray<Element>
  ) {
    self.label = label
    self.hashes = hashes
    self.elements = elements
  }
}

/// The children of a node, with what a descent needs to know of each.
final class InnerNode<Element: Hashable & Sendable>: Sendable {
  struct Child: Sendable {
    let label: LeafLabel
    let count: Int
    let node: OrderNode<Element>

    init(_ node: OrderNode<Element>) {
      label = node.firstLabel
      count = node.count
      self.node = node
    }

    /// The child itself, where it is a leaf.
    var leaf: Leaf<Element>? {
      guard case .leaf(let leaf) = node else { return nil }
      return leaf
    }
  }

  /// At least one.
  let children: ContiguousArray<Child>
  let count: Int
  let height: Int

  init(_ children: ContiguousArray<Child>) {
    self.children = children
    count = children.reduce(0) { $0 + $1.count }
    height = children[0].node.height + 1
  }
}

extension Hashable {
  /// The 32 bits of the hash that leaves and tables store.
  ///
  /// Never 0, which marks an empty slot.
  var storedHash: UInt32 {
    UInt32(truncatingIfNeeded: hashValue) | 1
  }
}
