/// A persistent sequence: copying it is free, and related copies share what they have in common.
///
/// A B+tree whose leaves hold the elements and the hash of each, and whose inner nodes hold the
/// count and the first label of each child. It knows its elements by a kernel, and so it is compiled
/// once: ``TypedTree`` is its face where their type is known.
///
/// A node that several versions hold never changes: an edit makes new nodes on the path from the leaf
/// to the root and shares all others with the version before. So a version can be read on any task
/// while another goes on being edited, and two versions are compared by skipping the nodes they share.
/// Putting one element in the place of another writes to nodes that nobody else holds.
///
/// What a subtree is known by besides its count are its totals.
///
/// Invariants:
/// 1. Labels strictly ascend over the leaves; an inner node knows the exact first label, count and
///    totals of its children.
/// 2. No leaf is empty, no inner node is without children, and all leaves are at one depth.
/// 3. A leaf has as many hashes as elements, each the hash of its element; none is 0.
/// 4. No leaf holds more elements, and no inner node more children, than the shape allows.
struct OrderTree: Sendable {
  var root: OrderNode?
  let shape: TreeShape
  /// What the tree knows of its elements.
  let kernel: ElementKernel

  /// Creates an empty tree.
  init(shape: TreeShape, kernel: ElementKernel) {
    self.shape = shape
    self.kernel = kernel
  }

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  var count: Int { root?.count ?? 0 }

  var isEmpty: Bool { root == nil }

  /// Whether both are the same object, so that nothing has to be compared.
  func isIdentical(to other: OrderTree) -> Bool {
    switch (root, other.root) {
    case (nil, nil): true
    case (let root?, let other?): root === other
    default: false
    }
  }

  /// The totals of all elements.
  ///
  /// - Complexity: O(1).
  var totals: Totals { root?.totals ?? Totals() }

  /// Whether the tree knows totals of its subtrees.
  var hasTotals: Bool { kernel.totals != nil }
}

/// How wide the nodes of a tree are.
///
/// Tests use tiny ones to reach deep shapes.
///
/// Invariants:
/// 1. A leaf holds 1 to 64 elements. An adoption marks those of a leaf in one `UInt64`, and an
///    ``IdentityTable/Entry`` has 8 bits for the place in a leaf.
/// 2. An inner node has 2 children or more, or grouping nodes would never end.
struct TreeShape: Hashable, Sendable {
  /// The most elements a leaf holds.
  let leafCapacity: Int
  /// The most children an inner node has.
  let fanout: Int

  init(leafCapacity: Int, fanout: Int) {
    precondition((1...64).contains(leafCapacity), "1: a leaf holds 1 to 64 elements")
    precondition(fanout >= 2, "2: an inner node has 2 children or more")
    self.leafCapacity = leafCapacity
    self.fanout = fanout
  }

  /// For items: small elements, many of them.
  static let items = TreeShape(leafCapacity: 64, fanout: 16)
  /// For sections: larger elements, each of them edited whenever an item in it is.
  static let sections = TreeShape(leafCapacity: 16, fanout: 16)

  /// How many elements a leaf gets when many are built together: room for what comes.
  var builtLeafCount: Int { max(1, leafCapacity * 3 / 4) }
}
