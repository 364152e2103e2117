/// An array on its way into a tree that most likely held most of it before.
///
/// First the array is matched with the leaves, here. Then leaves are kept or made anew, in
/// `Adoption+Leaves.swift`.
///
/// Array and leaves are walked in step by `==`, which costs a fraction of a hash. Where the walk
/// parts, it looks a few elements ahead on either side; that is given up while it fails, as it does
/// all the time on a shuffled array. Then the new element is hashed, and the table says where it
/// stood. If the next one stood behind it, the walk goes on there.
///
/// Most elements are not needed for the walk to go on. They are passed, and looked up together
/// afterwards, in `Adoption+Passed.swift`: memory answers a question of the table late, but several
/// at once.
///
/// What is asked for each element is `mutating` even where it changes nothing: as a value that is
/// only read, all of this, some 400 bytes, would be copied for each call.
@usableFromInline struct Adoption<Element: Hashable & Sendable> {
  @usableFromInline let elements: UnsafeBufferPointer<Element>
  @usableFromInline let leaves: [OldLeaf]
  @usableFromInline let shape: TreeShape
  @usableFromInline let table: IdentityTable?
  @usableFromInline let section: SectionKey?

  /// By leaf: a bit for each element that has found its partner.
  @usableFromInline var taken: [UInt64]
  /// Where the walk is in the tree.
  @usableFromInline var leaf = 0
  @usableFromInline var offset = 0
  /// Where it is in the array.
  @usableFromInline var index = 0
  @usableFromInline var lookahead = Confidence()
  /// Whether it pays to wait for what the table says of one element.
  @usableFromInline var lookup = Confidence()
  /// Whether elements that have gone elsewhere still stand in their old order.
  @usableFromInline var order = Confidence()
  @usableFromInline var notes: Notes
  /// How many times an element was looked for, and by leaf, the last time that it was in that.
  @usableFromInline var searches: (count: Int32, last: [Int32])
  /// An element stands twice in the array, or there are no labels left.
  @usableFromInline var hasFailed = false

  @usableFromInline var matching = OrderMatching<Element>()

  /// Which leaves go and come.
  @usableFromInline var delta = LeafDelta<Element>()
  /// Where in the array the elements begin that are to go to new leaves.
  @usableFromInline var pending = 0
  /// The first of the old leaves that these stand for.
  @usableFromInline var anchor = 0
  /// The first of them of which something stays in what is pending.
  @usableFromInline var firstPending: Int?
  /// The last old leaf of which something stays.
  @usableFromInline var lastStayed: Int?
  /// The last one that is kept, and where in the array it begins.
  @usableFromInline var lastKept: (leaf: Int, start: Int)?
  /// The first run that has not been filed to its end.
  @usableFromInline var nextRun = 0

  @inlinable init<Summary: TreeSummary>(
    of elements: UnsafeBufferPointer<Element>, by tree: OrderTree<Summary>,
    table: IdentityTable?, section: SectionKey?, notes: Notes
  ) where Summary.Element == Element {
    self.elements = elements
    self.shape = tree.shape
    self.table = table
    self.section = section
    self.notes = notes
    var leaves: [OldLeaf] = []
    leaves.reserveCapacity(tree.count / tree.shape.builtLeafCount + 1)
    var start = 0
    tree.root?.forEachLeaf { leaf in
      leaves.append(OldLeaf(leaf, start: start))
      start += leaf.elements.count
    }
    self.leaves = leaves
    taken = Array(repeating: 0, count: leaves.count)
    searches = (0, Array(repeating: 0, count: leaves.count))
  }
}

extension Adoption {
  /// A leaf of the tree that is adopted, and where its elements and hashes are in memory.
  ///
  /// It is looked at for each element, and to retain and release it would cost more than the look.
  /// That is safe: `adopting` holds the tree, and with it the leaves, until the adoption has ended; a
  /// leaf never changes, and so its arrays stay where they are.
  @usableFromInline struct OldLeaf {
    @usableFromInline let unretained: Unmanaged<Leaf<Element>>
    @usableFromInline let label: LeafLabel
    /// The position in the tree where the leaf begins.
    @usableFromInline let start: Int
    @usableFromInline let elements: UnsafeBufferPointer<Element>
    @usableFromInline let hashes: UnsafeBufferPointer<UInt32>

    @inlinable init(_ leaf: Leaf<Element>, start: Int) {
      unretained = .passUnretained(leaf)
      label = leaf.label
      self.start = start
      elements = leaf.elements.withUnsafeBufferPointer { $0 }
      hashes = leaf.hashes.withUnsafeBufferPointer { $0 }
    }

    @inlinable var leaf: Leaf<Element> { unretained.takeUnretainedValue() }

    /// Where its elements stand in the tree.
    @inlinable var positions: Range<Int> { start..<start + elements.count }

    /// Where an element with some hash stands in the leaf.
    ///
    /// - Complexity: O(l) for the l elements of the leaf, of which those with the hash are compared.
    @inlinable func offset(of element: Element, hash: UInt32) -> Int? {
      hashes.indices.first { hashes[$0] == hash && elements[$0] == element }
    }
  }

  /// How many elements the tree holds.
  @inlinable var oldCount: Int { leaves.last?.positions.upperBound ?? 0 }

  /// Matches the whole array.
  @inlinable mutating func walk() {
    while index < elements.count, !hasFailed {
      if leaf < leaves.count { walk(along: leaves[leaf]) } else { part() }
    }
    lookUpPassed()
  }

  /// Walks on in the present leaf until its end, a jump, or the end of the array.
  @inlinable mutating func walk(along oldLeaf: OldLeaf) {
    let (old, oldHashes) = (oldLeaf.elements, oldLeaf.hashes)
    let present = leaf
    var isNew = true
    while leaf == present, index < elements.count, !hasFailed {
      // What has found its partner already is not met again.
      offset += (~(taken[present] >> UInt64(offset))).trailingZeroBitCount
      guard offset < old.count else {
        // At most one leaf is passed for each element, or skipping would be quadratic.
        if isNew { part() }
        if leaf == present { (leaf, offset) = (leaf + 1, 0) }
        return
      }
      isNew = false
      let limit = Swift.min(old.count - offset, elements.count - index)
      var count = 0
      while count < limit, old[offset &+ count] == elements[index &+ count] { count &+= 1 }
      if count > 0 {
        take(present, offset, count: count)
        if count < old.count || count == 1 {
          for step in 0..<count { notes.hashes[index &+ step] = oldHashes[offset &+ step] }
        }
        offset += count
        index += count
      } else if lookahead.isWorthTrying {
        lookAhead(old)
      } else {
        passOn(to: old[offset])
      }
    }
  }

  /// Notes that the next elements of the array are those of a leaf from an offset on.
  @inlinable mutating func take(_ leaf: Int, _ offset: Int, count: Int) {
    mark(leaf, offset, count: count)
    notes.appendRun(
      old: leaves[leaf].start + offset, new: index, count: count, leaf: leaf)
  }

  /// Notes that elements of a leaf have found their partners.
  @inlinable mutating func mark(_ leaf: Int, _ offset: Int, count: Int) {
    let bits = (UInt64.max &>> UInt64(64 &- count)) &<< UInt64(offset)
    // What is taken is equal to another element of the array.
    if taken[leaf] & bits != 0 { hasFailed = true }
    taken[leaf] |= bits
  }

  /// Goes on where the two meet again within a few elements, if they do.
  @inlinable mutating func lookAhead(_ old: UnsafeBufferPointer<Element>) {
    let (gone, come) = parting(old)
    lookahead.record(success: gone + come > 0)
    guard gone + come > 0 else { return part() }
    for _ in 0..<come {
      notes.hashes[index] = elements[index].storedHash
      pass(isAlone: false)
    }
    offset += gone
  }

  /// How many elements of either side stand before the two meet again; neither, if they do not
  /// within a few elements.
  @inlinable mutating func parting(_ old: UnsafeBufferPointer<Element>) -> (gone: Int, come: Int) {
    for step in 1...8 {
      if offset + step < old.count {
        if old[offset + step] == elements[index] { return (step, 0) }
      } else if leaf + 1 < leaves.count, case let next = leaves[leaf + 1].elements,
        offset + step - old.count < next.count,
        next[offset + step - old.count] == elements[index]
      {
        // The walk goes on in the next leaf, and looks ahead there.
        return (old.count - offset, 0)
      }
      guard index + step < elements.count else { continue }
      if old[offset] == elements[index + step] { return (0, step) }
      if step == 1, offset + 1 < old.count, old[offset + 1] == elements[index + 1] {
        return (1, 1)
      }
    }
    return (0, 0)
  }

  // MARK: Elements that the walk does not meet

  /// Where an element stood.
  @usableFromInline enum Whereabouts {
    case here(leaf: Int, offset: Int)
    /// In another section, perhaps.
    case elsewhere
    case nowhere
  }

  /// Finds out where the next element stood: the walk goes on there, or it is matched alone, or
  /// passed.
  @inlinable mutating func part() {
    notes.hashes[index] = elements[index].storedHash
    guard lookup.isWorthTrying else { return pass(isAlone: order.isUsedUp) }
    switch whereabouts(of: index) {
    case .here(let leaf, let offset):
      let isNext =
        index + 1 < elements.count && element(after: leaf, offset) == elements[index + 1]
      lookup.record(success: isNext)
      order.record(success: isNext)
      if isNext, taken[leaf] >> UInt64(offset) & 1 == 0 {
        (self.leaf, self.offset) = (leaf, offset)
      } else {
        take(leaf, offset, count: 1)
        index += 1
      }
    case .elsewhere:
      lookup.record(success: false)
      pass(isAlone: order.isUsedUp)
    case .nowhere:
      lookup.record(success: false)
      order.record(success: true)
      index += 1
    }
  }

  /// Passes elements until one is met, or a try is due: none has been worth its cost lately.
  @inlinable mutating func passOn(to next: Element) {
    let most = Swift.min(lookahead.patience, lookup.patience, elements.count - index)
    guard most > 0 else { return part() }
    let start = index
    repeat {
      notes.hashes[index] = elements[index].storedHash
      pass(isAlone: order.isUsedUp)
    } while index - start < most && elements[index] != next
    lookahead.rests += index - start
    lookup.rests += index - start
  }

  /// Leaves the next element, whose hash has been noted, to be looked up later.
  @inlinable mutating func pass(isAlone: Bool) {
    notes.appendPassed(.init(index: index, isAlone: isAlone))
    index += 1
  }

  /// Where the table says that an element of the array stood, whose hash has been noted.
  @inlinable mutating func whereabouts(of index: Int) -> Whereabouts {
    guard let table, section != nil else { return .elsewhere }
    let hash = notes.hashes[index]
    var found = Whereabouts.nowhere
    searches.count &+= 1
    table.forEachEntry(hash: hash) { entry in
      guard entry.section == section, let leaf = leaf(labelled: entry.label) else {
        found = .elsewhere
        return true
      }
      // Where a leaf holds several elements of the hash, it is looked at once.
      guard searches.last[leaf] != searches.count else { return true }
      if self.leaf(of: index, by: entry) >= 0 {
        found = .here(leaf: leaf, offset: entry.hint)
        return false
      }
      searches.last[leaf] = searches.count
      guard let offset = leaves[leaf].offset(of: elements[index], hash: hash) else {
        return true
      }
      found = .here(leaf: leaf, offset: offset)
      return false
    }
    return found
  }

  /// The place of a leaf among the others: found by one division where all were built together, and
  /// by halves otherwise.
  @inlinable mutating func leaf(labelled label: LeafLabel) -> Int? {
    guard let first = leaves.first?.label, first <= label else { return nil }
    let guess = Int(
      Swift.min((label.rawValue - first.rawValue) / LeafLabel.stride, UInt64(leaves.count - 1)))
    if leaves[guess].label == label { return guess }
    let last =
      leaves.withUnsafeBufferPointer {
        $0.count(upTo: Int(label.rawValue)) { Int($0.label.rawValue) }
      } - 1
    return leaves[last].label == label ? last : nil
  }

  @inlinable mutating func element(after leaf: Int, _ offset: Int) -> Element? {
    let old = leaves[leaf].elements
    if offset + 1 < old.count { return old[offset + 1] }
    return leaf + 1 < leaves.count ? leaves[leaf + 1].elements[0] : nil
  }
}

/// Whether a try has been worth its cost lately.
@usableFromInline struct Confidence {
  @usableFromInline var credit = 32
  @usableFromInline var rests = 0

  @inlinable init(credit: Int = 32, rests: Int = 0) {
    self.credit = credit
    self.rests = rests
  }

  /// A try without credit is made now and then all the same: the array may have changed its ways.
  @inlinable var isWorthTrying: Bool {
    mutating get {
      if credit > 0 { return true }
      rests += 1
      return rests % 64 == 0
    }
  }

  @inlinable var isUsedUp: Bool { credit == 0 }

  /// How many more tries are not worth it.
  @inlinable var patience: Int { isUsedUp ? 63 - rests % 64 : 0 }

  @inlinable mutating func record(success: Bool) {
    credit = success ? Swift.min(64, credit + 4) : Swift.max(0, credit - 1)
  }
}
