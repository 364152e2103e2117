extension OrderTree {
  /// A tree of other elements that shares with this one whatever it can.
  ///
  /// - Parameters:
  ///   - elements: What the new tree is to hold, without repetition where `table` is given.
  ///   - table: Where the elements of this tree are filed, if they are.
  ///   - section: The key that they are filed under.
  /// - Complexity: O(n + m) comparisons for n elements and m new ones, and one hash for each of the
  ///   new ones that does not stand where the walk expects it.
  func adopting(
    _ elements: [Element], table: IdentityTable? = nil, section: SectionKey? = nil
  ) -> OrderTree {
    guard !isEmpty, !elements.isEmpty else { return OrderTree(elements, shape: shape) }
    var adoption = Adoption(leaves: Array(leaves), shape: shape, table: table, section: section)
    adoption.walk(elements)
    return adoption.tree
  }
}

/// The walk of an array along the leaves of a tree.
///
/// Both are walked in step by `==`, which costs a fraction of a hash. A leaf whose elements all
/// stand in the array one after the other is taken over as it is. Elsewhere new leaves are made
/// under the labels of those they stand for; an element that matches brings its hash along.
///
/// Where the walk parts, it first looks a few elements ahead on either side, then asks the table
/// where the new element is and goes on from there. Both tries are given up while they fail: on a
/// shuffled array they never help.
private struct Adoption<Element: Hashable & Sendable> {
  private let leaves: [Leaf<Element>]
  private let shape: TreeShape
  private let table: IdentityTable?
  private let section: SectionKey?

  /// The finished leaves.
  private var result: [Leaf<Element>] = []
  /// What stands between them and the walk.
  private var pending = LeafContent<Element>()
  /// The first of the leaves that `pending` stands for.
  private var anchor = 0
  /// Where the walk is in the tree.
  private var leaf = 0
  private var offset = 0
  private var lookahead = Confidence()
  private var lookup = Confidence()
  private var hasRoom = true

  init(
    leaves: [Leaf<Element>], shape: TreeShape, table: IdentityTable?, section: SectionKey?
  ) {
    self.leaves = leaves
    self.shape = shape
    self.table = table
    self.section = section
  }

  var tree: OrderTree<Element> {
    guard hasRoom else {
      return OrderTree(LeafContent(concatenating: result), shape: shape)
    }
    return OrderTree(leaves: result, shape: shape)
  }

  mutating func walk(_ elements: [Element]) {
    var index = 0
    while index < elements.count {
      let matched = matchingCount(elements, at: index)
      if matched > 0 {
        index += matched
      } else {
        index += part(elements, at: index)
      }
    }
    finish(before: leaves.count)
  }

  /// Takes over what is equal from here to the end of the leaf, and answers how much that is.
  private mutating func matchingCount(_ elements: [Element], at index: Int) -> Int {
    guard leaf < leaves.count else { return 0 }
    let old = leaves[leaf].elements
    let limit = min(old.count - offset, elements.count - index)
    var count = 0
    while count < limit, old[offset + count] == elements[index + count] { count += 1 }
    guard count > 0 else { return 0 }
    if count == old.count, leaf >= anchor {
      finish(before: leaf)
      result.append(leaves[leaf])
      leaf += 1
      anchor = leaf
    } else {
      pending.append(leaves[leaf], offset..<offset + count)
      offset += count
      leaveFinishedLeaf()
    }
    return count
  }

  /// Goes on to the next leaf at the end of one, and finishes what stands for it.
  private mutating func leaveFinishedLeaf() {
    while leaf < leaves.count, offset >= leaves[leaf].elements.count {
      offset -= leaves[leaf].elements.count
      leaf += 1
    }
    if leaf > anchor, pending.count * 2 >= shape.leafCapacity { finish(before: leaf) }
  }

  /// Decides what an element is that does not stand where the walk is, and answers how many
  /// elements were taken: a few came, some old ones went, or the walk goes on elsewhere.
  private mutating func part(_ elements: [Element], at index: Int) -> Int {
    if lookahead.isWorthTrying {
      for step in 1...8 {
        if let old = element(ahead: step), old == elements[index] {
          lookahead.record(success: true)
          offset += step
          leaveFinishedLeaf()
          return 0
        }
        if index + step < elements.count, let old = element(ahead: 0),
          old == elements[index + step]
        {
          lookahead.record(success: true)
          for element in elements[index..<index + step] { come(element, element.storedHash) }
          return step
        }
      }
      lookahead.record(success: false)
    }
    let hash = elements[index].storedHash
    if lookup.isWorthTrying, let place = place(of: elements[index], hash: hash) {
      let isNext = matches(elements, at: index + 1, from: (place.leaf, place.offset + 1))
      lookup.record(success: isNext)
      if isNext {
        if place.leaf > leaf { finish(before: place.leaf) }
        (leaf, offset) = place
        return 0
      }
    }
    come(elements[index], hash)
    return 1
  }

  private mutating func come(_ element: Element, _ hash: UInt32) {
    pending.append(element, hash: hash)
  }

  /// The old element a few places ahead of the walk, at most in the next leaf.
  private func element(ahead step: Int) -> Element? {
    guard leaf < leaves.count else { return nil }
    let elements = leaves[leaf].elements
    if offset + step < elements.count { return elements[offset + step] }
    guard leaf + 1 < leaves.count else { return nil }
    let rest = offset + step - elements.count
    return rest < leaves[leaf + 1].elements.count ? leaves[leaf + 1].elements[rest] : nil
  }

  private func matches(
    _ elements: [Element], at index: Int, from place: (leaf: Int, offset: Int)
  ) -> Bool {
    guard index < elements.count else { return true }
    let old = leaves[place.leaf].elements
    if place.offset < old.count { return old[place.offset] == elements[index] }
    return place.leaf + 1 < leaves.count && leaves[place.leaf + 1].elements[0] == elements[index]
  }

  /// Where the table says that an element stands in this tree.
  private func place(of element: Element, hash: UInt32) -> (leaf: Int, offset: Int)? {
    guard let table, let section else { return nil }
    var found: (Int, Int)?
    table.forEachEntry(hash: hash) { entry in
      guard entry.section == section else { return true }
      let index = leaves.partitioningIndex { $0.label >= entry.label }
      guard index < leaves.count, leaves[index].label == entry.label else { return true }
      for (offset, candidate) in leaves[index].hashes.enumerated()
      where candidate == hash && leaves[index].elements[offset] == element {
        found = (index, offset)
        return false
      }
      return true
    }
    return found
  }

  // MARK: Leaves

  /// Makes leaves of what is pending.
  ///
  /// They stand for the old leaves from `anchor` to `end`.
  private mutating func finish(before end: Int) {
    defer { anchor = max(anchor, end) }
    guard pending.count > 0 else { return }
    if anchor >= end, let last = result.last, pending.count * 4 < shape.leafCapacity {
      // Too little for a leaf of its own, and no label to take over: it joins the one before.
      var joined = LeafContent(last)
      joined.append(pending)
      pending = joined
      result.removeLast()
      append(pending.chunks(shape), first: last.label, before: end)
    } else {
      append(pending.chunks(shape), first: anchor < end ? leaves[anchor].label : nil, before: end)
    }
    pending = LeafContent()
  }

  private mutating func append(
    _ chunks: [LeafContent<Element>], first: LeafLabel?, before end: Int
  ) {
    let upper = end < leaves.count ? leaves[max(end, anchor)].label : nil
    var labels = first.map { [$0] } ?? []
    if let more = LeafLabel.labels(
      chunks.count - labels.count, after: labels.last ?? result.last?.label, before: upper)
    {
      labels += more
    } else {
      // No gap left: every leaf gets a new label at the end.
      hasRoom = false
      labels += Array(repeating: .middle, count: chunks.count - labels.count)
    }
    result.append(contentsOf: zip(labels, chunks).map { $1.leaf($0) })
  }
}

/// Whether a try has been worth its cost lately.
private struct Confidence {
  private var credit = 32
  private var rests = 0

  /// A try without credit is made now and then all the same: the array may have changed its ways.
  var isWorthTrying: Bool {
    mutating get {
      if credit > 0 { return true }
      rests += 1
      return rests % 64 == 0
    }
  }

  mutating func record(success: Bool) {
    credit = success ? min(64, credit + 4) : max(0, credit - 1)
  }
}
