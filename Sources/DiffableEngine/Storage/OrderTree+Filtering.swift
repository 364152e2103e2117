extension OrderTree {
  /// The elements at some positions that are selected, as a tree that shares leaves with this one.
  ///
  /// A leaf that keeps all its elements is shared. What is left of other leaves is joined in new
  /// leaves, with models if there are any, and nothing is hashed. A new leaf has the label of the
  /// first leaf that it has elements of. So two selections of one tree are mostly compared leaf by
  /// leaf.
  ///
  /// - Parameter select: Returns which of some elements of a leaf are selected, as bits by their
  ///   offsets, given those that are at the positions. It is called for each leaf with such
  ///   elements, in order.
  /// - Complexity: O(l + k) for l leaves and k elements of leaves that do not stay whole.
  package func selecting(
    _ positions: Range<Int>, _ select: (_ leaf: Leaf, _ candidates: UInt64) -> UInt64
  ) -> OrderTree {
    var selection = LeafSelection(shape: shape, kernel: kernel)
    forEachLeaf(in: positions) { leaf, base in
      let places = positions.clamped(to: base..<base + leaf.count)
      guard !places.isEmpty else { return }
      // A leaf has no more elements than a word has bits.
      let candidates =
        (UInt64.max &>> UInt64(64 - places.count)) &<< UInt64(places.lowerBound - base)
      selection.append(leaf, select(leaf, candidates) & candidates)
    }
    selection.close()
    // If nothing was left out, it is the same tree.
    guard selection.count < count else { return self }
    return OrderTree(leaves: selection.leaves, shape: shape, kernel: kernel)
  }
}

/// A selection of the elements of a tree under way, leaf by leaf.
///
/// It refers to elements in leaves, which the tree holds.
private struct LeafSelection {
  let shape: TreeShape
  let kernel: ElementKernel
  /// The leaves so far, shared and new ones.
  private(set) var leaves: [Leaf] = []
  /// The number of their elements.
  private(set) var count = 0

  /// The elements for the next new leaf.
  private var items: [UnsafeRawPointer] = []
  private var hashes: [UInt32] = []
  private var models: [UnsafeRawPointer] = []
  private var modelKernel: ElementKernel?
  private var label: LeafLabel?

  init(shape: TreeShape, kernel: ElementKernel) {
    (self.shape, self.kernel) = (shape, kernel)
  }

  /// Adds the selected elements of the next leaf.
  mutating func append(_ leaf: Leaf, _ selected: UInt64) {
    let number = selected.nonzeroBitCount
    guard number > 0 else { return }
    // A few elements join the next leaf even if that could be shared.
    if number == leaf.count, items.isEmpty || items.count * 4 >= shape.leafCapacity {
      close()
      leaves.append(leaf)
      count += number
      return
    }
    if items.count + number > shape.leafCapacity { close() }
    if label == nil { label = leaf.label }
    modelKernel = leaf.models?.kernel
    let span = leaf.span
    var left = selected
    while left != 0 {
      let offset = left.trailingZeroBitCount
      left &= left - 1
      items.append(span.address(offset))
      hashes.append(span.hashes[offset])
      if let address = leaf.models?.address(offset) { models.append(address) }
    }
    if items.count >= shape.builtLeafCount { close() }
  }

  /// Makes a leaf of what has been added since the last one.
  mutating func close() {
    guard let label else { return }
    self.label = nil
    count += items.count
    leaves.append(
      Leaf(
        label: label, kernel: kernel, gathering: items, hashes: hashes,
        models: modelKernel.map { ($0, models) }))
    items.removeAll(keepingCapacity: true)
    hashes.removeAll(keepingCapacity: true)
    models.removeAll(keepingCapacity: true)
  }
}
