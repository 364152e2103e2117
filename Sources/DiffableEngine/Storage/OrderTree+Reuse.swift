extension OrderTree {
  /// A tree of other elements that shares as much as possible with this one, and how both match.
  ///
  /// - Parameters:
  ///   - elements: The elements of the new tree.
  ///   - table: Has the elements of this tree, and of other trees that new elements may come from.
  ///   - section: The key under which the elements of this tree are filed.
  ///   - mostChanges: The number of changes of the table above which they are not listed.
  /// - Returns: The tree, and how it matches this one. The matching is `nil` if the tree is this
  ///   one, or if there is none because an element appears twice or labels are used up.
  /// - Complexity: O(n + m) comparisons for n elements and m new ones, and one hash for each new
  ///   element that is not where the walk expects it.
  func updated(
    to elements: Reuse.Elements, table: IdentityTable? = nil, section: SectionKey? = nil,
    mostChanges: Int = .max
  ) -> (tree: OrderTree, matching: OrderMatching?) {
    if case .leaf(let leaf)? = root, (1...shape.leafCapacity).contains(elements.count) {
      return updated(to: elements, inPlaceOf: leaf, table: table, section: section)
    }
    // Notes count with 32 bits.
    guard elements.count <= Int32.max else { return (building(elements), nil) }
    // A reuse identifies leaves and elements by their addresses.
    return withExtendedLifetime(self) {
      withUnsafeTemporaryAllocation(
        byteCount: elements.count * Reuse.Notes.stride,
        alignment: MemoryLayout<Reuse.Run>.alignment
      ) { memory in
        let reuse = Reuse(
          of: elements, by: reusableLeaves, shape: shape, kernel: kernel, table: table,
          section: section, mostChanges: mostChanges,
          notes: Reuse.Notes(memory, count: elements.count))
        guard let reuse else { return (building(elements), nil) }
        var tree = self
        tree.exchangeLeaves(LeafDelta(reuse))
        var matching = reuse.plan.matching
        matching.arrivals = tree.leftovers(at: reuse.arrivals.map { $0..<$0 + 1 })
        return (tree, matching)
      }
    }
  }

  /// A tree of few elements in the place of the only leaf.
  ///
  /// To hash and copy all of them takes less time than to plan which leaves are kept.
  private func updated(
    to elements: Reuse.Elements, inPlaceOf leaf: Leaf, table: IdentityTable?,
    section: SectionKey?
  ) -> (tree: OrderTree, matching: OrderMatching?) {
    // Of many small sections, most are unchanged.
    let isSame = withExtendedLifetime(leaf) {
      leaf.count == elements.count
        && kernel.countEqual(leaf.span.first, elements[0], leaf.count) == leaf.count
    }
    guard !isSame else { return (self, nil) }
    var tree = self
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: elements.count) { hashes in
      // There are elements, so there is an address.
      let first = hashes.baseAddress.unsafelyUnwrapped
      kernel.writeHashes(elements[0], elements.count, first)
      tree.root = .leaf(
        Leaf(
          label: leaf.label, kernel: kernel,
          models: elements.models.map { ModelPieces($0, from: 0, count: elements.count) },
          ElementSpan(
            first: elements[0], hashes: first, count: elements.count, stride: elements.stride)))
    }
    var comparison = TreeComparison(old: self, new: tree, section: section)
    if let table { comparison.matching.insertNewcomers(to: table) }
    return (tree, comparison.matching)
  }

  /// A tree of other elements that shares nothing with this one.
  func building(_ elements: Reuse.Elements) -> OrderTree {
    OrderTree(HashedElements(hashing: elements, kernel), shape: shape, models: elements.models)
  }
}

extension OrderMatching {
  /// Takes those arrivals for inserted elements whose hashes are not in a table of all old ones.
  fileprivate mutating func insertNewcomers(to table: IdentityTable) {
    var rest: [Leftover] = []
    for arrival in arrivals {
      if table.holds(hash: arrival.hash) {
        rest.append(arrival)
      } else {
        inserts.appendIndex(arrival.position)
      }
    }
    arrivals = rest
  }
}

extension Reuse.Elements {
  package init<Element>(_ elements: UnsafeBufferPointer<Element>, models: ModelSpan? = nil) {
    self.init(
      first: UnsafeRawPointer(elements.baseAddress), count: elements.count,
      stride: MemoryLayout<Element>.stride, models: models)
  }
}

extension HashedElements {
  /// Copies some elements, and hashes each once.
  init(hashing elements: Reuse.Elements, _ kernel: ElementKernel) {
    self.init(kernel, capacity: elements.count)
    guard let first = elements.first else { return }
    fill(first, count: elements.count)
  }
}

extension OrderTree {
  /// The leaves in the form that a reuse uses, valid while the tree is held.
  var reusableLeaves: [Reuse.OldLeaf] {
    var leaves: [Reuse.OldLeaf] = []
    leaves.reserveCapacity(count / shape.builtLeafCount + 1)
    var start = 0
    root?.forEachLeaf { leaf in
      leaves.append(Reuse.OldLeaf(leaf, start: start))
      start += leaf.count
    }
    return leaves
  }
}

extension LeafDelta {
  /// The leaves that a reuse has decided on.
  init(_ reuse: Reuse) {
    let (elements, hashes) = (reuse.elements, reuse.hashes)
    self.init(
      removed: reuse.plan.removed.map { reuse.leaves[$0].object.leaf },
      added: reuse.plan.added.map { label, range in
        Leaf(
          label: label, kernel: reuse.kernel,
          models: elements.models.map {
            ModelPieces($0, from: range.lowerBound, count: range.count)
          },
          ElementSpan(
            first: elements[range.lowerBound],
            // A leaf has an element, so there are hashes.
            hashes: UnsafePointer(hashes.baseAddress.unsafelyUnwrapped) + range.lowerBound,
            count: range.count, stride: elements.stride))
      })
  }
}
