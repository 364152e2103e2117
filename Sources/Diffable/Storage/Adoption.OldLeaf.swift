extension Adoption {
  /// Neighbouring elements in memory.
  struct Elements {
    /// Where the first one is, if there is one.
    let first: UnsafeRawPointer?
    let count: Int
    let stride: Int
    /// Their models, where a writer gives these as well.
    let models: ModelSpan?

    init(first: UnsafeRawPointer?, count: Int, stride: Int, models: ModelSpan? = nil) {
      self.first = first
      self.count = count
      self.stride = stride
      self.models = models
    }

    /// Where an element is.
    subscript(index: Int) -> UnsafeRawPointer {
      // Elements that are there have an address.
      @inline(__always) get { first.unsafelyUnwrapped + index &* stride }
    }
  }

  /// A leaf of the tree that is adopted, and where its elements and hashes are in memory.
  ///
  /// It is looked at for each element, and to retain and release it would cost more than the look.
  /// That is safe: `adopting` holds the tree, and with it the leaves, until the adoption has ended; a
  /// leaf never changes, and so its elements stay where they are.
  struct OldLeaf {
    let object: Unmanaged<Leaf>
    let label: LeafLabel
    /// The position in the tree where the leaf begins.
    let start: Int
    let elements: Elements
    let hashes: UnsafeBufferPointer<UInt32>

    init(_ leaf: Leaf, start: Int) {
      let span = leaf.span
      object = .passUnretained(leaf)
      label = leaf.label
      self.start = start
      elements = Elements(first: span.first, count: span.count, stride: span.stride)
      hashes = span.hashBuffer
    }

    /// Where its elements are in the tree.
    var positions: Range<Int> { start..<start + elements.count }

    /// Where an element with some hash is in the leaf.
    ///
    /// - Complexity: O(l) for the l elements of the leaf, of which those with the hash are compared.
    func offset(of element: UnsafeRawPointer, hash: UInt32, _ kernel: ElementKernel) -> Int? {
      hashes.indices.first { hashes[$0] == hash && kernel.areEqual(elements[$0], element) }
    }
  }
}
