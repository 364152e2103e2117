/// A persistent sequence: copying it is free, and related copies share nodes.
///
/// It is a B+tree. Its leaves hold the elements and their hashes; its inner nodes hold the count
/// and the first label of each child. It uses its elements through a kernel, so it is compiled
/// once: ``TypedTree`` is the interface for code that knows their type.
///
/// A node that several versions hold never changes: an edit makes new nodes on the path from the
/// leaf to the root and shares all others with the previous version. So a version can be read on
/// any task while another is being edited, and two versions are compared by skipping the nodes they
/// share. Replacing one element writes to nodes in place if they have a single holder.
///
/// Besides its count, a subtree has totals.
///
/// Invariants:
/// 1. Labels strictly ascend over the leaves; an inner node has the exact first label, count and
///    totals of its children.
/// 2. No leaf is empty, no inner node is without children, and all leaves are at one depth.
/// 3. A leaf has as many hashes as elements, each the hash of its element; none is 0.
/// 4. No leaf holds more elements, and no inner node more children, than the shape allows.
@usableFromInline package struct OrderTree: Sendable {
  package var root: OrderNode?
  @usableFromInline package let shape: TreeShape
  /// The kernel of the elements.
  @usableFromInline package let kernel: ElementKernel

  /// Creates an empty tree.
  package init(shape: TreeShape, kernel: ElementKernel) {
    self.shape = shape
    self.kernel = kernel
  }

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  @usableFromInline package var count: Int { root?.count ?? 0 }

  @usableFromInline var isEmpty: Bool { root == nil }

  /// Whether both are the same object, so that no comparison is needed.
  @usableFromInline package func isIdentical(to other: OrderTree) -> Bool {
    switch (root, other.root) {
    case (nil, nil): true
    case (let root?, let other?): root === other
    default: false
    }
  }

  /// The totals of all elements.
  ///
  /// - Complexity: O(1).
  @usableFromInline package var totals: Totals { root?.totals ?? Totals() }

  /// Whether the tree has totals for its subtrees.
  var hasTotals: Bool { kernel.totals != nil }
}

/// The widths of the nodes of a tree.
///
/// Tests use tiny ones to get deep trees.
///
/// Invariants:
/// 1. A leaf holds 1 to 64 elements. A reuse marks the elements of a leaf in one `UInt64`, and
///    an ``IdentityTable/Entry`` has 8 bits for the offset in a leaf.
/// 2. An inner node has at least 2 children, or grouping nodes would never end.
@usableFromInline package struct TreeShape: Hashable, Sendable {
  /// The maximum number of elements of a leaf.
  package let leafCapacity: Int
  /// The maximum number of children of an inner node.
  let fanout: Int

  init(leafCapacity: Int, fanout: Int) {
    precondition((1...64).contains(leafCapacity), "1: a leaf holds 1 to 64 elements")
    precondition(fanout >= 2, "2: an inner node has 2 children or more")
    self.leafCapacity = leafCapacity
    self.fanout = fanout
  }

  /// For items: small elements, many of them.
  package static let items = TreeShape(leafCapacity: 64, fanout: 16)
  /// For sections: larger elements, each edited whenever one of its items is edited.
  static let sections = TreeShape(leafCapacity: 16, fanout: 16)

  /// The number of elements of a leaf when many are built together, which leaves room for inserts.
  var builtLeafCount: Int { max(1, leafCapacity * 3 / 4) }
}

extension OrderTree {
  /// Creates a tree of elements, with spare room in every leaf.
  ///
  /// - Parameter models: Their models, one for each element.
  /// - Complexity: O(n) for n elements.
  init(_ elements: HashedElements, shape: TreeShape, models: ModelPieces? = nil) {
    guard elements.count > shape.leafCapacity else {
      self.init(shape: shape, kernel: elements.kernel)
      if !elements.isEmpty {
        root = .leaf(elements.leaf(.middle, of: 0..<elements.count, models: models))
      }
      return
    }
    let chunks = shape.chunks(of: elements.count)
    let labels = LeafLabel.labels(chunks.count, after: nil, before: nil) ?? []
    self.init(
      leaves: zip(labels, chunks).map { label, range in
        elements.leaf(label, of: range, models: models?.part(range))
      }, shape: shape,
      kernel: elements.kernel)
  }

  /// Creates a tree of leaves in ascending order of their labels.
  ///
  /// - Complexity: O(l) for l leaves.
  init(leaves: [Leaf], shape: TreeShape, kernel: ElementKernel) {
    self.init(shape: shape, kernel: kernel)
    root = root(of: InnerNode.Children(leaves.lazy.map { InnerNode.Child(.leaf($0)) }))
  }

  /// Groups nodes of one height under new nodes until one is left.
  func root(of nodes: InnerNode.Children) -> OrderNode? {
    var level = nodes
    while level.count > 1 { level = group(level) }
    return level.first?.node
  }

  /// Groups nodes of one height under as few inner nodes as possible, evenly filled.
  func group(_ children: InnerNode.Children) -> InnerNode.Children {
    let ranges = evenChunks(of: children.count, atMost: shape.fanout)
    return InnerNode.Children(
      ranges.lazy.map { range in
        InnerNode.Child(.inner(InnerNode(children[range], hasTotals: hasTotals)))
      })
  }
}

extension TreeShape {
  /// Where to cut elements into pieces for leaves: one if it fits, otherwise even pieces with spare
  /// room.
  ///
  /// - Parameter keepingFull: Whether to make all pieces but the last as full as in a tree built at
  ///   once. So a list that grows at its end has no half-empty leaves.
  func chunks(of count: Int, keepingFull: Bool = false) -> [Range<Int>] {
    guard count > leafCapacity else { return count == 0 ? [] : [0..<count] }
    let length = builtLeafCount
    guard keepingFull else { return evenChunks(of: count, atMost: length) }
    return stride(from: 0, to: count, by: length).map { $0..<Swift.min(count, $0 + length) }
  }
}

/// The fewest ranges of at most `limit` that cover `count` positions, as equal as possible.
func evenChunks(of count: Int, atMost limit: Int) -> [Range<Int>] {
  let chunks = (count + limit - 1) / limit
  // The product of two counts may have more bits than an `Int`.
  func start(_ chunk: Int) -> Int { Int(Int64(count) * Int64(chunk) / Int64(chunks)) }
  return (0..<chunks).map { start($0)..<start($0 + 1) }
}

extension OrderTree {
  /// Checks the numbered invariants of the type, if ``checksInvariants``.
  func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    guard let root else { return }
    check(root)
    let labels = leaves.map(\.label)
    precondition(zip(labels, labels.dropFirst()).allSatisfy { $0 < $1 }, "1: labels ascend")
    #endif
  }

  #if InternalChecks || DEBUG
  func check(_ node: OrderNode) {
    switch node {
    case .leaf(let leaf):
      precondition(leaf.count > 0, "2: no leaf is empty")
      var hashes = [UInt32](repeating: 0, count: leaf.count)
      let (first, stored) = (leaf.span.first, leaf.span.hashBuffer)
      hashes.withUnsafeMutableBufferPointer { hashes in
        if let target = hashes.baseAddress { kernel.writeHashes(first, leaf.count, target) }
      }
      withExtendedLifetime(leaf) {
        precondition(stored.elementsEqual(hashes), "3: stored hashes are true")
        precondition(!stored.contains(0), "3: no hash is 0")
      }
      precondition(leaf.count <= shape.leafCapacity, "4: leaf capacity")
    case .inner(let inner):
      precondition(!inner.children.isEmpty, "2: no inner node is without children")
      precondition(inner.children.count <= shape.fanout, "4: fanout")
      var totals = Totals()
      for child in inner.children { totals.append(child.totals) }
      precondition(inner.totals == totals, "1: totals")
      for child in inner.children {
        precondition(child.label == child.node.firstLabel, "1: first label of a child")
        precondition(child.count == child.node.count, "1: count of a child")
        precondition(child.node.height == inner.height - 1, "2: leaves at one depth")
        check(child.node)
      }
    }
  }
  #endif

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
  @usableFromInline package func element(
    at position: Int
  ) -> (leaf: Leaf, address: UnsafeRawPointer) {
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
    let place = descend { inner, base in
      let found = inner.child(holding: position - base)
      inner.withChildren { for child in $0[..<found.index] { totals.append(child.totals) } }
      return found
    }
    if let place, let count = kernel.totals {
      withExtendedLifetime(place.leaf) {
        totals.append(
          count(place.leaf.span.first, min(position - place.base, place.leaf.count)))
      }
    }
    return totals
  }
}

extension OrderTree {
  /// The leaves, first to last.
  ///
  /// - Complexity: O(leaves).
  package var leaves: [Leaf] {
    var leaves: [Leaf] = []
    root?.forEachLeaf { leaves.append($0) }
    return leaves
  }

  /// Replaces an element with another one of the same identity.
  ///
  /// - Complexity: O(log n) for n elements.
  @usableFromInline mutating func replaceElement(at position: Int, with element: UnsafeRawPointer) {
    let kernel = kernel
    mutateElement(at: position) { address in
      kernel.destroy(address, count: 1)
      kernel.copy(element, to: address, count: 1)
    }
  }

  /// Calls a function that may change an element, except for its identity.
  ///
  /// - Complexity: O(log n) for n elements.
  package mutating func mutateElement(at position: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
    editLeaf(at: position) { leaf, offset in
      leaf.makeUnique()
      return leaf.mutateElement(at: offset, body)
    }
  }

  /// Calls a function that may edit the leaf that contains a position, and returns how it has
  /// changed the leaf.
  mutating func editLeaf(at position: Int, _ edit: (inout Leaf, _ offset: Int) -> NodeChange) {
    // The root is taken out during the edit, so that nothing else holds it.
    guard var node = root.take() else { return }
    defer { root = node }
    _ = withUnsafeMutablePointer(to: &node) { $0.editLeaf(at: position, edit) }
  }
}

extension OrderNode {
  package func forEachLeaf(_ body: (Leaf) -> Void) {
    switch self {
    case .leaf(let leaf): body(leaf)
    case .inner(let inner): inner.withChildren { for child in $0 { child.node.forEachLeaf(body) } }
    }
  }
}
