extension OrderTree {
  /// Creates a tree of elements, with spare room in every leaf.
  ///
  /// - Parameter models: Their models, one for each element.
  /// - Complexity: O(n) for n elements.
  init(_ elements: HashedElements, shape: TreeShape, models: ModelSpan? = nil) {
    let chunks = elements.chunks(shape)
    let labels = LeafLabel.labels(chunks.count, after: nil, before: nil) ?? []
    self.init(
      leaves: zip(labels, chunks).map { label, range in
        elements.leaf(
          label, of: range,
          models: models.map { ModelPieces($0, from: range.lowerBound, count: range.count) })
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
  /// The ranges of elements for one leaf each, as in ``HashedElements/chunks(_:keepingFull:)``.
  func chunks(of count: Int, keepingFull: Bool) -> [Range<Int>] {
    guard count > leafCapacity else { return [0..<count] }
    let length = builtLeafCount
    guard keepingFull else { return evenChunks(of: count, atMost: length) }
    return stride(from: 0, to: count, by: length).map { $0..<Swift.min(count, $0 + length) }
  }
}

/// The fewest ranges of at most `limit` that cover `count` positions, as equal as possible.
func evenChunks(of count: Int, atMost limit: Int) -> [Range<Int>] {
  let chunks = (count + limit - 1) / limit
  return (0..<chunks).map { count * $0 / chunks..<count * ($0 + 1) / chunks }
}
