extension OrderTree {
  /// Creates a tree of elements, with room in every leaf for what comes.
  ///
  /// - Complexity: O(n) for n elements, one hash each.
  @inlinable init(_ elements: some Sequence<Element>, shape: TreeShape) {
    self.init(LeafContent(hashing: ContiguousArray(elements)), shape: shape)
  }

  /// Creates a tree of elements whose hashes are known.
  ///
  /// - Complexity: O(n) for n elements.
  @inlinable init(_ content: LeafContent<Element>, shape: TreeShape) {
    let chunks = content.chunks(shape)
    let labels = LeafLabel.labels(chunks.count, after: nil, before: nil) ?? []
    self.init(leaves: zip(labels, chunks).map { $1.leaf($0) }, shape: shape)
  }

  /// Creates a tree of leaves in ascending order of their labels.
  ///
  /// - Complexity: O(l) for l leaves.
  @inlinable init(leaves: [Leaf<Element>], shape: TreeShape) {
    self.init(shape: shape)
    let nodes = leaves.lazy.map { InnerNode<Summary>.Child(.leaf($0)) }
    root = Self.root(of: InnerNode<Summary>.Children(nodes), fanout: shape.fanout)
  }

  /// Groups nodes of one height under new ones until one is left.
  @inlinable static func root(
    of nodes: InnerNode<Summary>.Children, fanout: Int
  ) -> OrderNode<Summary>? {
    var level = nodes
    while level.count > 1 {
      level = group(level, fanout: fanout)
    }
    return level.first?.node
  }

  /// Puts nodes of one height under as few inner nodes as hold them, evenly filled.
  @inlinable static func group(
    _ children: InnerNode<Summary>.Children, fanout: Int
  ) -> InnerNode<Summary>.Children {
    let ranges = evenChunks(of: children.count, atMost: fanout)
    return InnerNode<Summary>.Children(
      ranges.lazy.map { range in
        InnerNode<Summary>.Child(
          .inner(InnerNode(InnerNode<Summary>.Children(children[range]))))
      })
  }
}

/// Elements on their way into leaves, with their hashes.
@usableFromInline struct LeafContent<Element: Hashable & Sendable> {
  @usableFromInline var hashes: ContiguousArray<UInt32> = []
  @usableFromInline var elements: ContiguousArray<Element> = []

  @inlinable init() {}

  @inlinable init(_ leaf: Leaf<Element>) {
    (hashes, elements) = (leaf.hashes, leaf.elements)
  }

  @inlinable init(hashes: ContiguousArray<UInt32>, elements: ContiguousArray<Element>) {
    self.hashes = hashes
    self.elements = elements
  }

  /// Hashes each element once.
  @inlinable init(hashing elements: ContiguousArray<Element>) {
    hashes = ContiguousArray(elements.lazy.map { $0.storedHash })
    self.elements = elements
  }

  @inlinable var count: Int { elements.count }

  @inlinable mutating func reserveCapacity(_ capacity: Int) {
    hashes.reserveCapacity(capacity)
    elements.reserveCapacity(capacity)
  }

  @inlinable mutating func append(_ leaf: Leaf<Element>, _ range: Range<Int>) {
    hashes.append(contentsOf: leaf.hashes[range])
    elements.append(contentsOf: leaf.elements[range])
  }

  @inlinable mutating func append(_ other: LeafContent) {
    hashes.append(contentsOf: other.hashes)
    elements.append(contentsOf: other.elements)
  }

  @inlinable mutating func append(_ element: Element, hash: UInt32) {
    hashes.append(hash)
    elements.append(element)
  }

  /// Cuts into pieces that fit a leaf: one if it fits, else evenly, with room for more.
  ///
  /// - Parameter keepingFull: Whether all pieces but the last are to be as full as those of a
  ///   tree built at once. So a list that grows at its end has no half-empty leaves.
  @inlinable func chunks(_ shape: TreeShape, keepingFull: Bool = false) -> [LeafContent] {
    guard count > shape.leafCapacity else { return count == 0 ? [] : [self] }
    return shape.chunks(of: count, keepingFull: keepingFull).map { range in
      LeafContent(
        hashes: ContiguousArray(hashes[range]), elements: ContiguousArray(elements[range]))
    }
  }

  @inlinable func leaf(_ label: LeafLabel) -> Leaf<Element> {
    Leaf(label: label, hashes: hashes, elements: elements)
  }
}

extension TreeShape {
  /// The ranges of elements that go to one leaf each, as ``LeafContent/chunks(_:keepingFull:)``.
  @inlinable func chunks(of count: Int, keepingFull: Bool) -> [Range<Int>] {
    guard count > leafCapacity else { return [0..<count] }
    let length = builtLeafCount
    guard keepingFull else { return evenChunks(of: count, atMost: length) }
    return stride(from: 0, to: count, by: length).map { $0..<Swift.min(count, $0 + length) }
  }
}

/// The fewest ranges of at most `limit` that cover `count` positions, as equal as can be.
@inlinable func evenChunks(of count: Int, atMost limit: Int) -> [Range<Int>] {
  let chunks = (count + limit - 1) / limit
  return (0..<chunks).map { count * $0 / chunks..<count * ($0 + 1) / chunks }
}
