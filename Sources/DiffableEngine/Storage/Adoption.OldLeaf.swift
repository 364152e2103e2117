extension Adoption {
  /// Adjacent elements in memory.
  package struct Elements {
    /// The address of the first element, if there is one.
    let first: UnsafeRawPointer?
    let count: Int
    let stride: Int
    /// Their models, if a writer gives them too.
    let models: ModelSpan?

    init(first: UnsafeRawPointer?, count: Int, stride: Int, models: ModelSpan? = nil) {
      self.first = first
      self.count = count
      self.stride = stride
      self.models = models
    }

    /// The address of an element.
    subscript(index: Int) -> UnsafeRawPointer {
      // If there are elements, there is an address.
      @inline(__always) get { first.unsafelyUnwrapped + index &* stride }
    }
  }

  /// A leaf of the adopted tree, and the addresses of its elements and hashes.
  ///
  /// It is read for each element, and retaining and releasing it would cost more than reading it.
  /// That is safe: `adopting` holds the tree, and with it the leaves, until the adoption has ended.
  /// A leaf never changes, so its elements do not move.
  struct OldLeaf {
    let object: Leaf.Unretained
    let label: LeafLabel
    /// The position of the leaf's first element in the tree.
    let start: Int
    let elements: Elements
    let hashes: UnsafeBufferPointer<UInt32>

    init(_ leaf: Leaf, start: Int) {
      let span = leaf.span
      object = leaf.unretained
      label = leaf.label
      self.start = start
      elements = Elements(first: span.first, count: span.count, stride: span.stride)
      hashes = span.hashBuffer
    }

    /// The positions of its elements in the tree.
    var positions: Range<Int> { start..<start + elements.count }

    /// The offset in the leaf of an element with a given hash.
    ///
    /// - Complexity: O(l) for the l elements of the leaf. Those with the hash are compared.
    func offset(of element: UnsafeRawPointer, hash: UInt32, _ kernel: ElementKernel) -> Int? {
      hashes.indices.first { hashes[$0] == hash && kernel.areEqual(elements[$0], element) }
    }
  }
}
