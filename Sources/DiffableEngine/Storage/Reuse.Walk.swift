extension Reuse {
  /// Matches an array with leaves.
  ///
  /// Both are walked in step by `==`, which costs a fraction of a hash. When they differ, the walk
  /// looks a few elements ahead on either side. It stops doing that while it fails, as it always
  /// does on a shuffled array. Then the new element is hashed, and the table gives its old place.
  /// If the next element followed it there, the walk continues at that place.
  ///
  /// The walk does not need most elements to continue. They are passed, and looked up afterwards.
  struct Walk {
    let kernel: ElementKernel
    let elements: Elements
    let leaves: [OldLeaf]
    /// The table, if there is one that knows the section.
    let table: IdentityTable?
    let section: SectionKey?
    /// The number of table lookups so far, and by leaf the last one that searched it.
    var lookupCount: Int32 = 0
    var lastLookup: [Int32]
    /// The place of the walk in the tree.
    private var leaf = 0
    private var offset = 0
    /// The place of the walk in the array.
    private var index = 0
    private var lookahead = Confidence()
    /// Whether it pays to wait for the table to find one element.
    private var lookup = Confidence()
    /// Whether elements that moved elsewhere are still in their old order.
    private var order = Confidence()
    /// By index: the hash, except for whole leaves with several elements that were matched.
    let hashes: UnsafeMutableBufferPointer<UInt32>
    /// The end of the part of the array that has been hashed ahead of the walk.
    private var hashedEnd = 0
    /// The elements that were passed, ascending; they are looked up together.
    let passed: UnsafeMutableBufferPointer<Passed>
    private(set) var passedCount = 0
    var pairs: Pairs

    init(
      along elements: Elements, _ leaves: [OldLeaf], _ kernel: ElementKernel,
      by table: IdentityTable?, _ section: SectionKey?, _ notes: Notes
    ) {
      self.elements = elements
      self.leaves = leaves
      self.kernel = kernel
      self.table = table
      self.section = section
      lastLookup = Array(repeating: 0, count: leaves.count)
      hashes = notes.hashes
      passed = notes.passed
      pairs = Pairs(with: leaves, notes)
    }

    /// Matches the whole array; returns the elements that may have been elsewhere.
    mutating func match() -> [Int] {
      while index < elements.count, !pairs.isAmbiguous {
        if leaf < leaves.count { walk(along: leaves[leaf]) } else { part() }
      }
      pairs.endWalk()
      return lookUpPassed()
    }

    /// Walks on in the current leaf until its end, a jump, or the end of the array.
    private mutating func walk(along oldLeaf: OldLeaf) {
      let old = oldLeaf.span
      let present = leaf
      var isNew = true
      while leaf == present, index < elements.count, !pairs.isAmbiguous {
        // An element that has a partner is not matched again.
        offset = pairs.firstFree(in: present, from: offset)
        guard offset < old.count else {
          // At most one leaf is passed for each element, or skipping would be quadratic.
          if isNew { part() }
          if leaf == present { (leaf, offset) = (leaf + 1, 0) }
          return
        }
        isNew = false
        let limit = Swift.min(old.count - offset, elements.count - index)
        let count = kernel.countEqual(old.address(offset), elements[index], limit)
        if count > 0 {
          pairs.match(present, offset, with: index, count: count)
          if count < old.count || count == 1 {
            for step in 0..<count { hashes[index &+ step] = old.hashes[offset &+ step] }
          }
          offset += count
          index += count
        } else if lookahead.isWorthTrying {
          lookAhead(old)
        } else {
          passOn(to: old.address(offset), hash: old.hashes[offset])
        }
      }
    }

    /// Continues at the next match within a few elements, if there is one.
    private mutating func lookAhead(_ old: ElementSpan) {
      let found = matchAhead(in: old)
      lookahead.record(success: found != nil)
      guard let (gone, come) = found else { return part() }
      if come > 0 { hash(index..<index + come) }
      for _ in 0..<come { pass(isAlone: false) }
      // In the next leaf, the walk looks ahead again.
      offset += Swift.min(gone, old.count - offset)
    }

    /// How many elements of either side are before the next match, which may be in the next leaf.
    private mutating func matchAhead(in old: ElementSpan) -> (gone: Int, come: Int)? {
      let next = leaf + 1 < leaves.count ? leaves[leaf + 1].span : nil
      let (offset, index) = (offset, index)
      return nextMatch(
        within: 8, old: old.count - offset + (next?.count ?? 0), new: elements.count - index
      ) { [elements, kernel] oldStep, newStep in
        let place = offset + oldStep
        let element = place < old.count ? old.address(place) : next?.address(place - old.count)
        guard let element else { return false }
        return kernel.areEqual(element, elements[index + newStep])
      }
    }

    /// Finds the old place of the next element.
    ///
    /// Either the walk continues there, or the element is matched alone or passed.
    private mutating func part() {
      hash(index..<index + 1)
      guard lookup.isWorthTrying else { return pass(isAlone: order.isUsedUp) }
      switch whereabouts(of: index, hash: hashes[index]) {
      case .here(let leaf, let offset):
        let isNext = index + 1 < elements.count && isNext(index + 1, after: leaf, offset)
        lookup.record(success: isNext)
        order.record(success: isNext)
        if isNext, !pairs.isTaken(leaf, offset) {
          // It is taken here. If it were compared again, an `==` with changing results could lead
          // here forever.
          let isLast = offset + 1 == leaves[leaf].span.count
          (self.leaf, self.offset) = isLast ? (leaf + 1, 0) : (leaf, offset + 1)
        }
        pairs.match(leaf, offset, with: index, count: 1)
        index += 1
      case .elsewhere:
        lookup.record(success: false)
        pass(isAlone: order.isUsedUp)
      case .nowhere:
        lookup.record(success: false)
        order.record(success: true)
        index += 1
      }
    }

    /// Passes elements until one matches, or a try is due: recent tries were not worth their cost.
    private mutating func passOn(to next: UnsafeRawPointer, hash nextHash: UInt32) {
      let most = Swift.min(lookahead.patience, lookup.patience, elements.count - index)
      guard most > 0 else { return part() }
      let start = index
      hash(start..<start + most)
      repeat {
        pass(isAlone: order.isUsedUp)
      } while index - start < most
        && !(hashes[index] == nextHash && kernel.areEqual(elements[index], next))
      lookahead.rest(index - start)
      lookup.rest(index - start)
    }

    /// Records the hashes of some elements of the array that the walk has reached.
    private mutating func hash(_ range: Range<Int>) {
      let start = Swift.max(range.lowerBound, hashedEnd)
      guard start < range.upperBound else { return }
      hashedEnd = range.upperBound
      kernel.writeHashes(
        elements[start], range.upperBound - start,
        hashes.baseAddress.unsafelyUnwrapped + start)
    }

    /// Leaves the next element, whose hash has been recorded, to be looked up later.
    private mutating func pass(isAlone: Bool) {
      passed[passedCount] = Passed(index: Int32(truncatingIfNeeded: index), isAlone: isAlone)
      passedCount &+= 1
      index += 1
    }

    /// Whether an element of the array is the one after another in the tree.
    private mutating func isNext(_ index: Int, after leaf: Int, _ offset: Int) -> Bool {
      let old = leaves[leaf].span
      if offset + 1 < old.count { return kernel.areEqual(old.address(offset + 1), elements[index]) }
      return leaf + 1 < leaves.count
        && kernel.areEqual(leaves[leaf + 1].span.first, elements[index])
    }
  }
}

/// Finding old places by a table in which the elements of the tree are filed.
extension Reuse.Walk {
  /// The old place of an element.
  enum Whereabouts {
    case here(leaf: Int, offset: Int)
    /// Possibly in another section.
    case elsewhere
    case nowhere
  }

  /// An element that the walk has passed.
  struct Passed: BitwiseCopyable {
    let index: Int32
    /// Whether elements like this one are in no old order, as in a shuffled array.
    let isAlone: Bool
  }

  /// The old place of an element of the array according to the table.
  mutating func whereabouts(of index: Int, hash: UInt32) -> Whereabouts {
    guard let table else { return .elsewhere }
    var found = Whereabouts.nowhere
    lookupCount &+= 1
    table.forEachEntry(hash: hash) { entry in
      guard entry.section == section, let leaf = leaf(labelled: entry.label) else {
        found = .elsewhere
        return true
      }
      // A leaf with several elements of the hash is searched once.
      guard lastLookup[leaf] != lookupCount else { return true }
      if self.leaf(of: index, hash: hash, by: entry) >= 0 {
        found = .here(leaf: leaf, offset: entry.hint)
        return false
      }
      lastLookup[leaf] = lookupCount
      let span = leaves[leaf].span
      guard let offset = span.offset(of: elements[index], hash: hash, kernel) else { return true }
      found = .here(leaf: leaf, offset: offset)
      return false
    }
    return found
  }

  /// The old place of an element according to a hint.
  ///
  /// A leaf is searched only if an entry is the only one of its hash. If more entries share the
  /// hash, two are checked: a pool of leftovers, from which taken elements are removed, is better
  /// for that.
  private mutating func hinted(
    _ index: Int, hash: UInt32, in table: IdentityTable
  ) -> Whereabouts {
    var found: Whereabouts?
    var count = 0
    table.forEachEntry(hash: hash) { entry in
      count += 1
      guard case let leaf = leaf(of: index, hash: hash, by: entry), leaf >= 0 else {
        return count < 2
      }
      found = .here(leaf: Int(leaf), offset: entry.hint)
      return false
    }
    return found ?? (count < 2 ? whereabouts(of: index, hash: hash) : .elsewhere)
  }

  /// The leaf of an element if an entry of its hash has its exact old place; otherwise -1.
  private mutating func leaf(
    of index: Int, hash: UInt32, by entry: IdentityTable.Entry
  ) -> Int32 {
    guard entry.hash == hash, entry.section == section,
      let leaf = leaf(labelled: entry.label), case let old = leaves[leaf].span,
      entry.hint < old.count, kernel.areEqual(old.address(entry.hint), elements[index])
    else { return -1 }
    return Int32(truncatingIfNeeded: leaf)
  }

  /// The index of a leaf among the others.
  ///
  /// It takes one division if all leaves were built together, otherwise a binary search.
  private mutating func leaf(labelled label: LeafLabel) -> Int? {
    guard let first = leaves.first?.label, first <= label else { return nil }
    let guess = Int(
      Swift.min((label.rawValue - first.rawValue) / LeafLabel.stride, UInt64(leaves.count - 1)))
    if leaves[guess].label == label { return guess }
    let last =
      leaves.withUnsafeBufferPointer {
        $0.count(upTo: Int64(label.rawValue)) { Int64($0.label.rawValue) }
      } - 1
    return leaves[last].label == label ? last : nil
  }

  /// Finds the old places of the elements that the walk has passed; returns those that may have been
  /// elsewhere.
  ///
  /// A table lookup waits for memory, and several lookups at once share the waiting.
  mutating func lookUpPassed() -> [Int] {
    guard let table else { return passed[..<passedCount].map { Int($0.index) } }
    var arrivals: [Int] = []
    for start in stride(from: 0, to: passedCount, by: IdentityTable.batchCount) {
      let end = Swift.min(start + IdentityTable.batchCount, passedCount)
      lookUp(UnsafeBufferPointer(rebasing: passed[start..<end]), in: table, &arrivals)
    }
    return arrivals
  }

  /// Looks up some elements together.
  ///
  /// First it reads an entry for each hash, then the elements that the entries refer to. Only if
  /// that is not enough are elements looked up one by one.
  private mutating func lookUp(
    _ batch: UnsafeBufferPointer<Passed>, in table: IdentityTable, _ arrivals: inout [Int]
  ) {
    withUnsafeTemporaryAllocation(of: IdentityTable.Entry.self, capacity: batch.count) { entries in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: batch.count) { sought in
        for number in batch.indices { sought[number] = hashes[Int(batch[number].index)] }
        table.readFirst(of: UnsafeBufferPointer(sought), into: entries)
      }
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: batch.count) { found in
        for number in batch.indices {
          let (index, entry) = (Int(batch[number].index), entries[number])
          found[number] = entry.hash == 0 ? -1 : leaf(of: index, hash: hashes[index], by: entry)
        }
        for number in batch.indices where entries[number].hash != 0 {
          let index = Int(batch[number].index)
          if found[number] >= 0 {
            pairs.match(Int(found[number]), entries[number].hint, with: index, count: 1)
            continue
          }
          let whereabouts =
            batch[number].isAlone
            ? hinted(index, hash: hashes[index], in: table)
            : whereabouts(of: index, hash: hashes[index])
          switch whereabouts {
          case .here(let leaf, let offset): pairs.match(leaf, offset, with: index, count: 1)
          case .elsewhere: arrivals.append(index)
          case .nowhere: break
          }
        }
      }
    }
  }
}
