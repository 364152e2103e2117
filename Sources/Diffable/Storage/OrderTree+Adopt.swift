extension OrderTree {
  /// A tree of other elements that shares with this one whatever it can, and how both match.
  ///
  /// - Parameters:
  ///   - elements: What the new tree is to hold.
  ///   - table: Where the elements of this tree, and of others that new ones may come from, are
  ///     filed.
  ///   - section: The key that those of this tree are filed under.
  ///   - mostChanges: How many changes of the table are worth noting.
  /// - Returns: The tree, and how it matches this one; `nil` where it is this one, or where that
  ///   cannot be told, because an element stands twice or labels are used up.
  /// - Complexity: O(n + m) comparisons for n elements and m new ones, and one hash for each of the
  ///   new ones that does not stand where the walk expects it.
  @inlinable func adopting(
    _ elements: [Element], table: IdentityTable? = nil, section: SectionKey? = nil,
    mostChanges: Int = .max
  ) -> (tree: OrderTree, matching: OrderMatching<Element>?) {
    // Most of many small sections are as they were.
    if case .leaf(let leaf)? = root, leaf.elements.elementsEqual(elements) { return (self, nil) }
    // Notes count with 32 bits.
    guard elements.count <= Int32.max else { return (OrderTree(elements, shape: shape), nil) }
    // What an adoption knows of leaves and elements are their places in memory.
    return withExtendedLifetime(self) {
      elements.withUnsafeBufferPointer { elements in
        let kernel = ElementKernel(Element.self)
        return Adoption.run(
          of: .init(elements), by: adoptableLeaves, shape: shape, kernel: kernel, table: table,
          section: section, mostChanges: mostChanges
        ) { adoption in
          guard let adoption else { return (OrderTree(Array(elements), shape: shape), nil) }
          var tree = self
          tree.exchangeLeaves(LeafDelta(adoption, elements))
          return (tree, OrderMatching(adoption, elements))
        }
      }
    }
  }
}

extension Adoption {
  /// Matches an array with the leaves of a tree, decides on new leaves, and hands over what it found, or
  /// `nil` where that cannot be told.
  @usableFromInline static func run<Result>(
    of elements: Elements, by leaves: [OldLeaf], shape: TreeShape, kernel: ElementKernel,
    table: IdentityTable?, section: SectionKey?, mostChanges: Int,
    _ body: (Adoption?) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(
      byteCount: elements.count * Notes.stride, alignment: MemoryLayout<Run>.alignment
    ) { memory in
      var adoption = Adoption(
        of: elements, by: leaves, shape: shape, kernel: kernel, table: table, section: section,
        notes: Notes(memory, count: elements.count))
      adoption.walk()
      adoption.buildLeaves(mostChanges: mostChanges)
      return body(adoption.hasFailed ? nil : adoption)
    }
  }
}

extension Adoption.Elements {
  @inlinable init<Element>(_ elements: UnsafeBufferPointer<Element>) {
    self.init(
      first: UnsafeRawPointer(elements.baseAddress), count: elements.count,
      stride: MemoryLayout<Element>.stride)
  }
}

extension OrderTree {
  /// The leaves as an adoption knows them, while somebody holds the tree.
  @inlinable var adoptableLeaves: [Adoption.OldLeaf] {
    var leaves: [Adoption.OldLeaf] = []
    leaves.reserveCapacity(count / shape.builtLeafCount + 1)
    var start = 0
    root?.forEachLeaf { leaf in
      leaves.append(
        Adoption.OldLeaf(
          .passUnretained(leaf), label: leaf.label, start: start,
          elements: leaf.elements.withUnsafeBufferPointer { .init($0) },
          hashes: leaf.hashes.withUnsafeBufferPointer { $0 }))
      start += leaf.elements.count
    }
    return leaves
  }
}

extension LeafDelta {
  /// The leaves that an adoption has decided on.
  @inlinable init(_ adoption: Adoption, _ elements: UnsafeBufferPointer<Element>) {
    let (leaves, hashes) = (adoption.leaves, adoption.notedHashes)
    self.init(
      // The adoption was given leaves of these elements and no others.
      removed: adoption.removed.map {
        unsafeDowncast(leaves[$0].object.takeUnretainedValue(), to: Leaf<Element>.self)
      },
      added: adoption.added.map { label, range in
        Leaf(
          label: label, hashes: ContiguousArray(UnsafeBufferPointer(rebasing: hashes[range])),
          elements: ContiguousArray(UnsafeBufferPointer(rebasing: elements[range])))
      })
  }
}

extension OrderMatching {
  /// What an adoption has found out.
  @inlinable init(_ adoption: Adoption, _ elements: UnsafeBufferPointer<Element>) {
    let found = adoption.matching
    (runs, stays, departures) = (found.runs, found.stays, found.departures)
    (inserts, changes) = (found.inserts, found.changes)
    let hashes = adoption.notedHashes
    arrivals = found.arrivals.map { index in
      Leftover(position: index, hash: hashes[index], element: elements[index])
    }
  }
}
