/// A node of an order tree.
enum OrderNode: Sendable {
  case leaf(Leaf)
  case inner(InnerNode)

  var count: Int {
    switch self {
    case .leaf(let leaf): leaf.count
    case .inner(let inner): inner.count
    }
  }

  var firstLabel: LeafLabel {
    switch self {
    case .leaf(let leaf): leaf.label
    case .inner(let inner): inner.children[0].label
    }
  }

  var totals: Totals {
    switch self {
    case .leaf(let leaf): leaf.totals
    case .inner(let inner): inner.totals
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

/// The children of a node, with what a descent needs to know of each.
final class InnerNode: Sendable {
  struct Child: Sendable {
    let label: LeafLabel
    let count: Int
    let node: OrderNode

    init(_ node: OrderNode) {
      label = node.firstLabel
      count = node.count
      self.node = node
    }

    var totals: Totals { node.totals }

    /// The child itself, where it is a leaf.
    var leaf: Leaf? {
      guard case .leaf(let leaf) = node else { return nil }
      return leaf
    }
  }

  typealias Children = ContiguousArray<Child>

  /// At least one.
  let children: Children
  let count: Int
  let height: Int
  let totals: Totals

  /// - Parameter hasTotals: Whether the tree knows totals: to join none, nobody has to look at the
  ///   children.
  init(_ children: Children, hasTotals: Bool) {
    self.children = children
    height = children[0].node.height + 1
    count = children.reduce(0) { $0 + $1.count }
    var totals = Totals()
    if hasTotals { for child in children { totals.append(child.totals) } }
    self.totals = totals
  }
}
