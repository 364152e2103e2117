/// A persistent sequence: copying it is free, and related copies share what they have in common.
///
/// A B+tree whose leaves hold the elements and the hash of each, and whose inner nodes hold the
/// count, the first label and the summary of each child. Nodes never change: an edit makes new nodes on the path
/// from the leaf to the root and shares all others with the version before. So a version can be
/// read on any task while another goes on being edited, and two versions are compared by skipping
/// the nodes they share.
///
/// What a subtree is known by besides its count is the summary that the tree is named after.
///
/// Invariants:
/// 1. Labels strictly ascend over the leaves; an inner node knows the exact first label, count and
///    summary of each child.
/// 2. No leaf is empty, no inner node is without children, and all leaves are at one depth.
/// 3. A leaf has as many hashes as elements, each the hash of its element; none is 0.
/// 4. No leaf holds more elements, and no inner node more children, than the shape allows.
@usableFromInline struct OrderTree<Summary: TreeSummary>: Sendable {
  @usableFromInline typealias Element = Summary.Element

  @usableFromInline var root: OrderNode<Summary>?
  @usableFromInline var shape: TreeShape

  /// Creates an empty tree.
  @inlinable init(shape: TreeShape) {
    self.shape = shape
  }

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  @inlinable var count: Int { root?.count ?? 0 }

  @inlinable var isEmpty: Bool { root == nil }

  /// Whether both are the same object, so that nothing has to be compared.
  @inlinable func isIdentical(to other: OrderTree) -> Bool {
    switch (root, other.root) {
    case (nil, nil): true
    case (let root?, let other?): root === other
    default: false
    }
  }

  /// The summary of all elements.
  ///
  /// - Complexity: O(1), or O(n) for n elements that fit one leaf.
  @inlinable var totals: Summary { root?.summary ?? Summary() }
}

/// How wide the nodes of a tree are.
///
/// Tests use tiny ones to reach deep shapes.
///
/// Invariants:
/// 1. A leaf holds 1 to 64 elements. An adoption marks those of a leaf in one `UInt64`, and an
///    ``IdentityTable/Entry`` has 8 bits for the place in a leaf.
/// 2. An inner node has 2 children or more, or grouping nodes would never end.
@usableFromInline struct TreeShape: Hashable, Sendable {
  /// The most elements a leaf holds.
  @usableFromInline let leafCapacity: Int
  /// The most children an inner node has.
  @usableFromInline let fanout: Int

  @inlinable init(leafCapacity: Int, fanout: Int) {
    precondition((1...64).contains(leafCapacity), "1: a leaf holds 1 to 64 elements")
    precondition(fanout >= 2, "2: an inner node has 2 children or more")
    self.leafCapacity = leafCapacity
    self.fanout = fanout
  }

  /// For items: small elements, many of them.
  @usableFromInline static let items = TreeShape(leafCapacity: 64, fanout: 16)
  /// For sections: larger elements, each of them edited whenever an item in it is.
  @usableFromInline static let sections = TreeShape(leafCapacity: 16, fanout: 16)

  /// How many elements a leaf gets when many are built together: room for what comes.
  @inlinable var builtLeafCount: Int { max(1, leafCapacity * 3 / 4) }
}
