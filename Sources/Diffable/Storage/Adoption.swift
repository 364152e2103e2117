/// An array on its way into a tree that most likely held most of it before.
///
/// It knows elements by their addresses, and asks a kernel to compare and hash them: so it is compiled
/// once, for elements of any type.
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
struct Adoption {
  let kernel: ElementKernel
  /// The elements of the array.
  let elements: Elements
  let leaves: [OldLeaf]
  let shape: TreeShape
  let table: IdentityTable?
  let section: SectionKey?

  /// By leaf: a bit for each element that has found its partner.
  var taken: [UInt64]
  /// Where the walk is in the tree.
  var leaf = 0
  var offset = 0
  /// Where it is in the array.
  var index = 0
  var lookahead = Confidence()
  /// Whether it pays to wait for what the table says of one element.
  var lookup = Confidence()
  /// Whether elements that have gone elsewhere still stand in their old order.
  var order = Confidence()
  var notes: Notes
  /// Up to where the array has been hashed ahead of the walk.
  var hashedEnd = 0
  /// How many times an element was looked for, and by leaf, the last time that it was in that.
  var searches: (count: Int32, last: [Int32])
  /// An element stands twice in the array, or there are no labels left.
  var hasFailed = false

  var matching = Matching()

  /// Which old leaves go, and which ranges of the array go to new leaves under which labels.
  var removed: [Int] = []
  var added: [(label: LeafLabel, range: Range<Int>)] = []
  /// Where in the array the elements begin that are to go to new leaves.
  var pending = 0
  /// The first of the old leaves that these stand for.
  var anchor = 0
  /// The first of them of which something stays in what is pending.
  var firstPending: Int?
  /// The last old leaf of which something stays.
  var lastStayed: Int?
  /// The last one that is kept, and where in the array it begins.
  var lastKept: (leaf: Int, start: Int)?
  /// The first run that has not been filed to its end.
  var nextRun = 0

  init(
    of elements: Elements, by leaves: [OldLeaf], shape: TreeShape, kernel: ElementKernel,
    table: IdentityTable?, section: SectionKey?, notes: Notes
  ) {
    self.kernel = kernel
    self.elements = elements
    self.leaves = leaves
    self.shape = shape
    self.table = table
    self.section = section
    self.notes = notes
    taken = Array(repeating: 0, count: leaves.count)
    searches = (0, Array(repeating: 0, count: leaves.count))
  }
}

extension Adoption {
  /// By index in the array: the hash of what is in a new leaf, or has arrived.
  var notedHashes: UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(notes.hashes)
  }

  /// How many elements the tree holds.
  var oldCount: Int { leaves.last?.positions.upperBound ?? 0 }

  /// Matches the whole array.
  mutating func walk() {
    while index < elements.count, !hasFailed {
      if leaf < leaves.count { walk(along: leaves[leaf]) } else { part() }
    }
    lookUpPassed()
  }

  /// Walks on in the present leaf until its end, a jump, or the end of the array.
  mutating func walk(along oldLeaf: OldLeaf) {
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
      let count = kernel.countEqual(old[offset], elements[index], limit)
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
        passOn(to: old[offset], hash: oldHashes[offset])
      }
    }
  }

  /// Notes that the next elements of the array are those of a leaf from an offset on.
  mutating func take(_ leaf: Int, _ offset: Int, count: Int) {
    mark(leaf, offset, count: count)
    notes.appendRun(
      old: leaves[leaf].start + offset, new: index, count: count, leaf: leaf)
  }

  /// Notes that elements of a leaf have found their partners.
  mutating func mark(_ leaf: Int, _ offset: Int, count: Int) {
    let bits = (UInt64.max &>> UInt64(64 &- count)) &<< UInt64(offset)
    // What is taken is equal to another element of the array.
    if taken[leaf] & bits != 0 { hasFailed = true }
    taken[leaf] |= bits
  }

  /// Goes on where the two meet again within a few elements, if they do.
  mutating func lookAhead(_ old: Elements) {
    let (gone, come) = parting(old)
    lookahead.record(success: gone + come > 0)
    guard gone + come > 0 else { return part() }
    if come > 0 { hash(index..<index + come) }
    for _ in 0..<come { pass(isAlone: false) }
    offset += gone
  }

  /// How many elements of either side stand before the two meet again; neither, if they do not
  /// within a few elements.
  mutating func parting(_ old: Elements) -> (gone: Int, come: Int) {
    let next = elements[index]
    for step in 1...8 {
      if offset + step < old.count {
        if kernel.areEqual(old[offset + step], next) { return (step, 0) }
      } else if leaf + 1 < leaves.count, case let nextLeaf = leaves[leaf + 1].elements,
        offset + step - old.count < nextLeaf.count,
        kernel.areEqual(nextLeaf[offset + step - old.count], next)
      {
        // The walk goes on in the next leaf, and looks ahead there.
        return (old.count - offset, 0)
      }
      guard index + step < elements.count else { continue }
      if kernel.areEqual(old[offset], elements[index + step]) { return (0, step) }
      if step == 1, offset + 1 < old.count,
        kernel.areEqual(old[offset + 1], elements[index + 1])
      {
        return (1, 1)
      }
    }
    return (0, 0)
  }

  // MARK: Elements that the walk does not meet

  /// Where an element stood.
  enum Whereabouts {
    case here(leaf: Int, offset: Int)
    /// In another section, perhaps.
    case elsewhere
    case nowhere
  }

  /// Finds out where the next element stood: the walk goes on there, or it is matched alone, or
  /// passed.
  mutating func part() {
    hash(index..<index + 1)
    guard lookup.isWorthTrying else { return pass(isAlone: order.isUsedUp) }
    switch whereabouts(of: index) {
    case .here(let leaf, let offset):
      let isNext = index + 1 < elements.count && isNext(index + 1, after: leaf, offset)
      lookup.record(success: isNext)
      order.record(success: isNext)
      if isNext, taken[leaf] >> UInt64(offset) & 1 == 0 {
        // It is taken here: were it compared again, an `==` that answers otherwise the next time
        // could lead here for ever.
        let isLast = offset + 1 == leaves[leaf].elements.count
        (self.leaf, self.offset) = isLast ? (leaf + 1, 0) : (leaf, offset + 1)
      }
      take(leaf, offset, count: 1)
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

  /// Passes elements until one is met, or a try is due: none has been worth its cost lately.
  mutating func passOn(to next: UnsafeRawPointer, hash nextHash: UInt32) {
    let most = Swift.min(lookahead.patience, lookup.patience, elements.count - index)
    guard most > 0 else { return part() }
    let start = index
    hash(start..<start + most)
    repeat {
      pass(isAlone: order.isUsedUp)
    } while index - start < most
      && !(notes.hashes[index] == nextHash && kernel.areEqual(elements[index], next))
    lookahead.rests += index - start
    lookup.rests += index - start
  }

  /// Notes the hashes of some elements of the array that the walk has come to.
  mutating func hash(_ range: Range<Int>) {
    let start = Swift.max(range.lowerBound, hashedEnd)
    guard start < range.upperBound else { return }
    hashedEnd = range.upperBound
    kernel.writeHashes(
      elements[start], range.upperBound - start,
      notes.hashes.baseAddress.unsafelyUnwrapped + start)
  }

  /// Leaves the next element, whose hash has been noted, to be looked up later.
  mutating func pass(isAlone: Bool) {
    notes.appendPassed(.init(index: index, isAlone: isAlone))
    index += 1
  }

  /// Where the table says that an element of the array stood, whose hash has been noted.
  mutating func whereabouts(of index: Int) -> Whereabouts {
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
      guard let offset = leaves[leaf].offset(of: elements[index], hash: hash, kernel) else {
        return true
      }
      found = .here(leaf: leaf, offset: offset)
      return false
    }
    return found
  }

  /// The place of a leaf among the others: found by one division where all were built together, and
  /// by halves otherwise.
  mutating func leaf(labelled label: LeafLabel) -> Int? {
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

  /// Whether an element of the array is the one after another in the tree.
  mutating func isNext(_ index: Int, after leaf: Int, _ offset: Int) -> Bool {
    let old = leaves[leaf].elements
    if offset + 1 < old.count { return kernel.areEqual(old[offset + 1], elements[index]) }
    return leaf + 1 < leaves.count && kernel.areEqual(leaves[leaf + 1].elements[0], elements[index])
  }
}

/// Whether a try has been worth its cost lately.
struct Confidence {
  var credit = 32
  var rests = 0

  init(credit: Int = 32, rests: Int = 0) {
    self.credit = credit
    self.rests = rests
  }

  /// A try without credit is made now and then all the same: the array may have changed its ways.
  var isWorthTrying: Bool {
    mutating get {
      if credit > 0 { return true }
      rests += 1
      return rests % 64 == 0
    }
  }

  var isUsedUp: Bool { credit == 0 }

  /// How many more tries are not worth it.
  var patience: Int { isUsedUp ? 63 - rests % 64 : 0 }

  mutating func record(success: Bool) {
    credit = success ? Swift.min(64, credit + 4) : Swift.max(0, credit - 1)
  }
}
