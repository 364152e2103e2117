/// Turns an array into a tree, using an earlier tree that most likely contains most elements.
///
/// It knows elements by their addresses, and compares and hashes them through a kernel. So it is
/// compiled once, for elements of any type.
///
/// First a ``Walk`` matches the array with the leaves. Then a ``LeafPlan`` decides which leaves are
/// kept and which are made again.
///
/// The methods of its parts that are called for each element are `mutating` even if they change
/// nothing: a value that is only read, of up to 400 bytes, would be copied for each call.
package enum Reuse {}

extension Reuse {
  /// Adjacent elements that have found their partners, and the leaf in which they begin.
  struct Run: BitwiseCopyable {
    let old: Int
    let new: Int
    var count: Int32
    let leaf: Int32

    init(old: Int, new: Int, count: Int, leaf: Int) {
      self.old = old
      self.new = new
      self.count = Int32(truncatingIfNeeded: count)
      self.leaf = Int32(truncatingIfNeeded: leaf)
    }
  }

  /// Memory with room for a note of each kind for each element of an array.
  ///
  /// So no list of notes ever grows.
  struct Notes {
    /// For the ``Pairs``.
    let runs: UnsafeMutableBufferPointer<Run>
    /// The elements that the walk has passed.
    let passed: UnsafeMutableBufferPointer<Walk.Passed>
    /// By index: the hash.
    ///
    /// The walk leaves out whole leaves with several elements, and the plan fills in what it needs.
    let hashes: UnsafeMutableBufferPointer<UInt32>
    /// By matched run: the leaf in which it begins.
    let startLeaves: UnsafeMutableBufferPointer<Int32>

    init(_ memory: UnsafeMutableRawBufferPointer, count: Int) {
      var rest = memory[...]
      func take<Note>(_ type: Note.Type) -> UnsafeMutableBufferPointer<Note> {
        let bytes = rest.prefix(count * MemoryLayout<Note>.stride)
        rest = rest[bytes.endIndex...]
        return UnsafeMutableRawBufferPointer(rebasing: bytes).bindMemory(to: type)
      }
      runs = take(Run.self)
      passed = take(Walk.Passed.self)
      hashes = take(UInt32.self)
      startLeaves = take(Int32.self)
    }

    /// The number of bytes for the notes of one element.
    static var stride: Int {
      MemoryLayout<Run>.stride + MemoryLayout<Walk.Passed>.stride
        + 2 * MemoryLayout<Int32>.stride
    }
  }
}

extension Reuse {
  /// Adjacent elements in memory.
  package struct Elements {
    /// The address of the first element, if there is one.
    let first: UnsafeRawPointer?
    let count: Int
    let stride: Int
    /// Their models, if a writer gives them too.
    var models: ModelPieces?

    package init<Element>(_ elements: UnsafeBufferPointer<Element>) {
      first = UnsafeRawPointer(elements.baseAddress)
      count = elements.count
      stride = MemoryLayout<Element>.stride
    }

    /// The address of an element.
    subscript(index: Int) -> UnsafeRawPointer {
      // If there are elements, there is an address.
      @inline(__always) get { first.unsafelyUnwrapped + index &* stride }
    }
  }

  /// A leaf of the reused tree, and the addresses of its elements and hashes.
  ///
  /// It is read for each element, and retaining and releasing it would cost more than reading it.
  /// That is safe: `updated(to:)` holds the tree, and with it the leaves, until the reuse has ended.
  /// A leaf never changes, so its elements do not move.
  struct OldLeaf {
    let object: Leaf.Unretained
    let label: LeafLabel
    /// The position of the leaf's first element in the tree.
    let start: Int
    let span: ElementSpan

    init(_ leaf: Leaf, start: Int) {
      object = leaf.unretained
      label = leaf.label
      self.start = start
      span = leaf.span
    }

    /// The positions of its elements in the tree.
    var positions: Range<Int> { start..<start + span.count }
  }
}

/// Estimates whether a try is worth its cost, from recent tries.
struct Confidence {
  private var credit = 32
  private var rests = 0

  /// A try is made now and then even without credit: the array may be different from here on.
  var isWorthTrying: Bool {
    mutating get {
      if credit > 0 { return true }
      rests += 1
      return rests % 64 == 0
    }
  }

  var isUsedUp: Bool { credit == 0 }

  /// The number of further tries that are not worth their cost.
  var patience: Int { isUsedUp ? 63 - rests % 64 : 0 }

  mutating func record(success: Bool) {
    credit = success ? Swift.min(64, credit + 4) : Swift.max(0, credit - 1)
  }

  /// Records tries that were not made.
  mutating func rest(_ count: Int) { rests += count }
}

extension OrderTree {
  /// A tree of other elements that shares as much as possible with this one, and how both match.
  ///
  /// - Parameters:
  ///   - elements: The elements of the new tree.
  ///   - models: Their models, if a writer gives them too.
  ///   - table: Has the elements of this tree, and of other trees that new elements may come from.
  ///   - section: The key under which the elements of this tree are filed.
  ///   - mostChanges: The number of changes of the table above which they are not listed.
  /// - Returns: The tree, and how it matches this one. The matching is `nil` if the tree is this
  ///   one, or if there is none because an element appears twice or labels are used up.
  /// - Complexity: O(n + m) comparisons for n elements and m new ones, and one hash for each new
  ///   element that is not where the walk expects it.
  func updated(
    to elements: Reuse.Elements, models: RowModels? = nil, table: IdentityTable? = nil,
    section: SectionKey? = nil, mostChanges: Int = .max
  ) -> (tree: OrderTree, matching: OrderMatching?) {
    RowModels.withPieces(of: models) { models in
      var elements = elements
      elements.models = models
      var result = updated(to: elements, table: table, section: section, mostChanges: mostChanges)
      if let models { result.tree.exchangeModels(with: models, since: self) }
      return result
    }
  }

  private func updated(
    to elements: Reuse.Elements, table: IdentityTable?, section: SectionKey?, mostChanges: Int
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
        updated(
          to: elements, table: table, section: section, mostChanges: mostChanges,
          Reuse.Notes(memory, count: elements.count)) ?? (building(elements), nil)
      }
    }
  }

  /// The same with memory for notes; `nil` if an element appears twice, or the labels are used up.
  private func updated(
    to elements: Reuse.Elements, table: IdentityTable?, section: SectionKey?, mostChanges: Int,
    _ notes: Reuse.Notes
  ) -> (tree: OrderTree, matching: OrderMatching?)? {
    let leaves = reusableLeaves
    var walk = Reuse.Walk(
      along: elements, leaves, kernel, by: section == nil ? nil : table, section, notes)
    let arrivals = walk.match()
    guard !walk.pairs.isAmbiguous else { return nil }
    var found = OrderMatching()
    (found.runs, found.inserts) = walk.pairs.weave(
      arrivals, count: elements.count, startLeaves: notes.startLeaves)
    var plan = Reuse.LeafPlan(
      found, of: elements.count, by: leaves, shape: shape, section: section, notes)
    plan.make(mostChanges: mostChanges, leaving: walk.pairs)
    guard !plan.hasNoLabels else { return nil }
    var tree = self
    tree.exchangeLeaves(
      LeafDelta(
        removed: plan.removed.map { leaves[$0].object.leaf },
        added: plan.added.map { label, range in
          Leaf(
            label: label, kernel: kernel, models: elements.models?.part(range),
            ElementSpan(
              first: elements[range.lowerBound],
              // A leaf has an element, so there are hashes.
              hashes: UnsafePointer(notes.hashes.baseAddress.unsafelyUnwrapped) + range.lowerBound,
              count: range.count, stride: elements.stride))
        }))
    var matching = plan.matching
    matching.arrivals = tree.leftovers(at: arrivals.map { $0..<$0 + 1 })
    return (tree, matching)
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
          models: elements.models,
          ElementSpan(
            first: elements[0], hashes: first, count: elements.count, stride: elements.stride)))
    }
    var comparison = TreeComparison(old: self, new: tree, section: section)
    if let table { comparison.matching.insertNewcomers(to: table) }
    return (tree, comparison.matching)
  }

  /// A tree of other elements that shares nothing with this one.
  func building(_ elements: Reuse.Elements) -> OrderTree {
    let copies = HashedElements(kernel, count: elements.count) { place in
      if let first = elements.first { kernel.copy(first, to: place, count: elements.count) }
    }
    return OrderTree(copies, shape: shape, models: elements.models)
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
