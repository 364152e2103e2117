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
///
/// It may be shared between threads as an array may: who writes to it holds the only reference, and
/// those who share it only read. The one who writes is ``OrderNode/replaceElement(at:with:hasTotals:)``,
/// which has asked for that.
final class InnerNode: @unchecked Sendable {
  struct Child: Sendable {
    let label: LeafLabel
    let count: Int
    fileprivate(set) var node: OrderNode

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

  /// At least one, but in the node that stands for one that is edited.
  private(set) var children: Children
  let count: Int
  let height: Int
  private(set) var totals: Totals

  /// - Parameter hasTotals: Whether the tree knows totals: to join none, nobody has to look at the
  ///   children.
  init(_ children: Children, hasTotals: Bool) {
    self.children = children
    height = (children.first?.node.height ?? 0) + 1
    count = children.reduce(0) { $0 + $1.count }
    totals = Totals()
    if hasTotals { join() }
  }

  /// Joins the totals of all children.
  private func join() {
    totals = Totals()
    for child in children { totals.append(child.totals) }
  }

  /// The child that holds a position, and the number of elements in those before it.
  func child(holding position: Int) -> (index: Int, base: Int) {
    var (index, base) = (0, 0)
    while index + 1 < children.count, base + children[index].count <= position {
      base += children[index].count
      index += 1
    }
    return (index, base)
  }
}

extension OrderNode {
  /// What stands in the place of a node while that is edited, so that it has one holder less.
  private static let vacant = OrderNode.inner(InnerNode([], hasTotals: false))

  /// Puts another element in the place of one that has the same identity.
  ///
  /// Nodes that nobody else holds are written to; the others are copied.
  mutating func replaceElement(
    at position: Int, with element: UnsafeRawPointer, hasTotals: Bool
  ) {
    switch self {
    case .leaf(var leaf):
      self = Self.vacant
      if isKnownUniquelyReferenced(&leaf) {
        leaf.replaceElement(at: position, with: element)
      } else {
        leaf = leaf.replacingElement(at: position, with: element)
      }
      self = .leaf(leaf)
    case .inner(var inner):
      self = Self.vacant
      if !isKnownUniquelyReferenced(&inner) {
        inner = InnerNode(inner.children, hasTotals: false)
      }
      inner.replaceElement(at: position, with: element, hasTotals: hasTotals)
      self = .inner(inner)
    }
  }
}

extension InnerNode {
  /// The same in a node that nobody else holds.
  fileprivate func replaceElement(
    at position: Int, with element: UnsafeRawPointer, hasTotals: Bool
  ) {
    let (index, base) = child(holding: position)
    children[index].node.replaceElement(
      at: position - base, with: element, hasTotals: hasTotals)
    if hasTotals { join() }
  }
}
