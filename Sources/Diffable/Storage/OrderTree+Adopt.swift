extension OrderTree {
  /// A tree of other elements that shares with this one whatever it can.
  ///
  /// - Parameters:
  ///   - elements: What the new tree is to hold.
  ///   - table: Where the elements of this tree are filed, if they are.
  ///   - section: The key that they are filed under.
  /// - Complexity: O(n + m) comparisons for n elements and m new ones, and one hash for each of the
  ///   new ones that does not stand where the walk expects it.
  @inlinable func adopting(
    _ elements: [Element], table: IdentityTable? = nil, section: SectionKey? = nil
  ) -> OrderTree {
    guard !isEmpty, !elements.isEmpty else { return OrderTree(elements, shape: shape) }
    var adoption = Adoption(leaves: leaves, shape: shape, table: table, section: section)
    adoption.walk(elements)
    guard adoption.hasRoom else { return OrderTree(elements, shape: shape) }
    var tree = self
    _ = tree.replaceLeaves(adoption.replacements)
    return tree
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
@usableFromInline struct Adoption<Element: Hashable & Sendable> {
  @usableFromInline let leaves: [Leaf<Element>]
  @usableFromInline let shape: TreeShape
  @usableFromInline let table: IdentityTable?
  @usableFromInline let section: SectionKey?

  /// What takes the place of old leaves that are finished and do not stay.
  @usableFromInline var replacements: [LeafReplacement<Element>] = []
  /// What stands between them and the walk.
  @usableFromInline var pending = LeafContent<Element>()
  /// The first of the leaves that `pending` stands for.
  @usableFromInline var anchor = 0
  /// Where the walk is in the tree.
  @usableFromInline var leaf = 0
  @usableFromInline var offset = 0
  @usableFromInline var lookahead = Confidence()
  @usableFromInline var lookup = Confidence()
  @usableFromInline var hasRoom = true

  @inlinable init(
    leaves: [Leaf<Element>], shape: TreeShape, table: IdentityTable?, section: SectionKey?
  ) {
    self.leaves = leaves
    self.shape = shape
    self.table = table
    self.section = section
  }

  @inlinable mutating func walk(_ elements: [Element]) {
    var index = 0
    while index < elements.count {
      if leaf < leaves.count {
        index = walkLeaf(elements, from: index)
      } else {
        index = part(elements, at: index)
      }
    }
    finish(before: leaves.count)
  }

  /// Walks on in the present leaf until its end, a jump, or the end of the array.
  @inlinable mutating func walkLeaf(_ elements: [Element], from start: Int) -> Int {
    let old = leaves[leaf].elements
    let hashes = leaves[leaf].hashes
    let present = leaf
    var index = start
    while leaf == present, offset < old.count, index < elements.count {
      let first = offset
      let limit = Swift.min(old.count - offset, elements.count - index)
      var count = 0
      while count < limit, old[first + count] == elements[index + count] { count += 1 }
      if count == old.count, leaf >= anchor {
        finish(before: leaf)
        leaf += 1
        anchor = leaf
        offset = 0
        return index + count
      }
      for step in 0..<count {
        pending.append(old[first + step], hash: hashes[first + step])
      }
      offset += count
      index += count
      guard offset < old.count, index < elements.count else { break }
      if lookahead.isWorthTrying {
        let (gone, come) = parting(old, offset, elements, index)
        lookahead.record(success: gone + come > 0)
        for element in elements[index..<index + come] {
          pending.append(element, hash: element.storedHash)
        }
        offset += gone
        index += come
        if gone + come > 0 { continue }
      }
      index = part(elements, at: index)
    }
    if leaf == present, offset >= old.count {
      leaf += 1
      offset = 0
      if pending.count * 2 >= shape.leafCapacity { finish(before: leaf) }
    }
    return index
  }

  /// How many elements of either side stand before the two meet again; neither, if they do not
  /// within a few elements.
  @inlinable func parting(
    _ old: ContiguousArray<Element>, _ offset: Int, _ elements: [Element], _ index: Int
  ) -> (gone: Int, come: Int) {
    let next = leaf + 1 < leaves.count ? leaves[leaf + 1].elements : []
    for step in 1...8 {
      if offset + step < old.count {
        if old[offset + step] == elements[index] { return (step, 0) }
      } else if offset + step - old.count < next.count,
        next[offset + step - old.count] == elements[index]
      {
        // The walk goes on in the next leaf, and looks ahead there.
        return (old.count - offset, 0)
      }
      if index + step < elements.count, old[offset] == elements[index + step] { return (0, step) }
    }
    return (0, 0)
  }

  /// Decides what an element is that the walk does not meet: the walk goes on where the table says
  /// it stands, or it has come.
  ///
  /// Answers where the array goes on.
  @inlinable mutating func part(_ elements: [Element], at index: Int) -> Int {
    let hash = elements[index].storedHash
    if lookup.isWorthTrying, let place = place(of: elements[index], hash: hash) {
      let isNext = index + 1 == elements.count || element(after: place) == elements[index + 1]
      lookup.record(success: isNext)
      if isNext {
        if place.leaf > leaf { finish(before: place.leaf) }
        (leaf, offset) = place
        return index
      }
    }
    pending.append(elements[index], hash: hash)
    return index + 1
  }

  /// Where the table says that an element stands in this tree.
  @inlinable func place(of element: Element, hash: UInt32) -> (leaf: Int, offset: Int)? {
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

  @inlinable func element(after place: (leaf: Int, offset: Int)) -> Element? {
    let old = leaves[place.leaf].elements
    if place.offset + 1 < old.count { return old[place.offset + 1] }
    return place.leaf + 1 < leaves.count ? leaves[place.leaf + 1].elements[0] : nil
  }

  // MARK: Leaves

  /// Puts what is pending in the place of the old leaves from `anchor` to `end`.
  @inlinable mutating func finish(before end: Int) {
    defer { anchor = Swift.max(anchor, end) }
    if anchor < end {
      let label = leaves[anchor].label
      replacements.append(
        .init(label: label, leaves: leaves(of: pending, first: label, before: end)))
      for leaf in leaves[anchor + 1..<end] {
        replacements.append(.init(label: leaf.label, leaves: []))
      }
    } else if pending.count > 0 {
      insertBetweenKept()
    } else {
      return
    }
    pending = LeafContent()
    pending.reserveCapacity(shape.leafCapacity)
  }

  /// Puts what is pending between leaves that stay: there is no label to take over.
  ///
  /// What is too little for a leaf of its own joins the one before.
  @inlinable mutating func insertBetweenKept() {
    guard anchor > 0 else {
      let new = leaves(of: pending, first: nil, before: 0)
      replacements.append(.init(label: leaves[0].label, leaves: new + [leaves[0]]))
      return
    }
    let previous = leaves[anchor - 1]
    var before = [previous]
    if replacements.last?.label == previous.label {
      before = replacements.removeLast().leaves
    }
    var content = pending
    var first: LeafLabel?
    if let last = before.last, pending.count * 4 < shape.leafCapacity {
      content = LeafContent(last)
      content.append(pending)
      first = last.label
      before.removeLast()
    }
    let lower = before.last?.label ?? previous.label
    before += leaves(of: content, first: first, after: lower, before: anchor)
    replacements.append(.init(label: previous.label, leaves: before))
  }

  /// Cuts content into leaves whose labels lie before that of an old leaf.
  ///
  /// - Parameters:
  ///   - first: The label of the first leaf, if there is one to take over.
  ///   - lower: A label that the others lie behind, where there is no first one.
  @inlinable mutating func leaves(
    of content: LeafContent<Element>, first: LeafLabel?, after lower: LeafLabel? = nil,
    before end: Int
  ) -> [Leaf<Element>] {
    let chunks = content.chunks(shape)
    var labels = first.map { [$0] } ?? []
    if chunks.count > labels.count {
      let upper = end < leaves.count ? leaves[end].label : nil
      guard
        let more = LeafLabel.labels(
          chunks.count - labels.count, after: labels.last ?? lower, before: upper)
      else {
        hasRoom = false
        return []
      }
      labels += more
    }
    return zip(labels, chunks).map { $1.leaf($0) }
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

  @inlinable mutating func record(success: Bool) {
    credit = success ? Swift.min(64, credit + 4) : Swift.max(0, credit - 1)
  }
}
