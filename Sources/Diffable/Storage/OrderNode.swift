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

/// The children of a node, with what a descent needs to know about each.
///
/// It may be shared between threads as an array may: code that writes to it holds the only
/// reference, and code that shares it only reads. Only the in-place edits of ``OrderNode`` write,
/// and they have checked that there is no other reference.
final class InnerNode: @unchecked Sendable {
  struct Child: Sendable {
    let label: LeafLabel
    fileprivate(set) var count: Int
    fileprivate(set) var node: OrderNode

    init(_ node: OrderNode) {
      label = node.firstLabel
      count = node.count
      self.node = node
    }

    var totals: Totals { node.totals }

    /// The child itself, if it is a leaf.
    var leaf: Leaf? {
      guard case .leaf(let leaf) = node else { return nil }
      return leaf
    }
  }

  typealias Children = ContiguousArray<Child>

  /// At least one, except in the placeholder for a node that is being edited.
  private(set) var children: Children
  private(set) var count: Int
  let height: Int
  private(set) var totals: Totals

  /// - Parameter hasTotals: Whether the tree has totals; if not, the children need not be read to
  ///   join them.
  init(_ children: Children, hasTotals: Bool) {
    self.children = children
    height = (children.first?.node.height ?? 0) + 1
    count = children.reduce(0) { $0 + $1.count }
    totals = Totals()
    if hasTotals { join() }
  }

  /// Creates a copy with a single holder.
  init(copying other: InnerNode) {
    (children, count, height, totals) = (other.children, other.count, other.height, other.totals)
  }

  /// Joins the totals of all children.
  private func join() {
    totals = Totals()
    for child in children { totals.append(child.totals) }
  }

  /// The child that contains a position, and the number of elements in the children before it.
  func child(holding position: Int) -> (index: Int, base: Int) {
    children.withUnsafeBufferPointer { children in
      var (index, base) = (0, 0)
      while index + 1 < children.count, base + children[index].count <= position {
        base += children[index].count
        index += 1
      }
      return (index, base)
    }
  }

  /// The last child with a leaf that is not after a label.
  ///
  /// Also returns the number of elements in the children before it.
  func child(labelled label: LeafLabel) -> (index: Int, base: Int) {
    children.withUnsafeBufferPointer { children in
      var (index, base) = (0, 0)
      while index + 1 < children.count, children[index + 1].label <= label {
        base += children[index].count
        index += 1
      }
      return (index, base)
    }
  }

  /// A child that is an inner node, valid while this node is held.
  ///
  /// - Parameter nextLabel: Set to the label of the child after it, if there is one.
  func unretainedChild(at index: Int, _ nextLabel: inout LeafLabel?) -> Unmanaged<InnerNode> {
    children.withUnsafeBufferPointer { children in
      if index + 1 < children.count { nextLabel = children[index + 1].label }
      guard case .inner(let inner) = children[index].node else {
        preconditionFailure("leaves at two depths")
      }
      return Unmanaged.passUnretained(inner)
    }
  }

  /// A child that is a leaf.
  func leaf(at index: Int, _ nextLabel: inout LeafLabel?) -> Leaf? {
    children.withUnsafeBufferPointer { children in
      if index + 1 < children.count { nextLabel = children[index + 1].label }
      return children[index].leaf
    }
  }
}

/// Edits in place, for nodes with a single holder.
extension OrderNode {
  /// Replaces a node while it is edited, so that the node has one holder less.
  private static let vacant = OrderNode.inner(InnerNode([], hasTotals: false))

  /// Calls a function that may change an element, except for its identity.
  ///
  /// Nodes that have another holder are copied.
  mutating func mutateElement(
    at position: Int, hasTotals: Bool, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    switch self {
    case .leaf(var leaf):
      self = Self.vacant
      if !isKnownUniquelyReferenced(&leaf) { leaf = leaf.copy() }
      leaf.mutateElement(at: position, body)
      self = .leaf(leaf)
    case .inner(var inner):
      self = Self.vacant
      if !isKnownUniquelyReferenced(&inner) {
        inner = InnerNode(copying: inner)
      }
      inner.mutateElement(at: position, hasTotals: hasTotals, body)
      self = .inner(inner)
    }
  }

  /// Edits the leaf that contains a position, if the edit is possible there.
  ///
  /// Nodes that have another holder are copied.
  ///
  /// - Returns: The place of the edit; `nil` if the leaf was not edited.
  mutating func perform(
    _ edit: LeafEdit, at position: Int, _ shape: TreeShape, hasTotals: Bool
  ) -> LeafEdit.Place? {
    switch self {
    case .leaf(var leaf):
      guard edit.isPossible(in: leaf, shape) else { return nil }
      self = Self.vacant
      if !isKnownUniquelyReferenced(&leaf) || !leaf.hasRoom(for: edit.change) {
        leaf = leaf.copy(capacity: shape.leafCapacity)
      }
      let place = edit.perform(in: leaf, at: position)
      self = .leaf(leaf)
      return place
    case .inner(var inner):
      self = Self.vacant
      if !isKnownUniquelyReferenced(&inner) {
        inner = InnerNode(copying: inner)
      }
      let place = inner.perform(edit, at: position, shape, hasTotals: hasTotals)
      self = .inner(inner)
      return place
    }
  }
}

/// The same in a node with a single holder.
extension InnerNode {
  fileprivate func mutateElement(
    at position: Int, hasTotals: Bool, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    let (index, base) = child(holding: position)
    let old = hasTotals ? children[index].totals : Totals()
    children[index].node.mutateElement(at: position - base, hasTotals: hasTotals, body)
    if hasTotals, !totals.exchange(old, for: children[index].totals) { join() }
  }

  fileprivate func perform(
    _ edit: LeafEdit, at position: Int, _ shape: TreeShape, hasTotals: Bool
  ) -> LeafEdit.Place? {
    let (index, base) = child(holding: position)
    let place = children[index].node.perform(
      edit, at: position - base, shape, hasTotals: hasTotals)
    guard let place else { return nil }
    children[index].count += edit.change
    count += edit.change
    if hasTotals { join() }
    return place
  }
}
