/// The comparison of two values, without a tree or a table for either.
///
/// Pairs of lists are walked in step by `==`, which costs a fraction of a hash. When the walk finds
/// a difference:
///
///     old   a b c d e f g h     look ahead: `c` is gone, go on at d
///     new   a b d e X Y g h     look ahead: two for two do not meet within four, so
///                               windows:    hash 32 on both sides; the first *pair* of neighbours
///                                           of the new window that is in the old one is g h
///
/// Windows grow to 2,048. It must be a pair of neighbours, since a single element may have moved
/// here from far away. A long block that has gone or come is found from its end: the element after
/// it is searched by its hash. If two windows of the greatest size have nothing in common, and no
/// such block explains that, the rest of both lists is left over. Finally the leftovers of the old
/// side are filed by hash, and those of the new side are looked up. When an element is found, its
/// neighbours are matched without a hash.
///
/// So everything that the walk matches costs one comparison, and the rest a hash and a lookup.
package struct ValueComparison {
  let old: ValueSide
  let new: ValueSide
  package internal(set) var pairs: [Pair] = []
  /// Elements that moved from the list of one pair to the list of another.
  var migrations: [Move<ItemPath>] = []
  /// By old element, over all columns: a bit that is set once it has a partner.
  var taken: [UInt64]
  /// Whether an element of the new side was found to equal another one.
  var isTwice = false

  /// Two versions of a list.
  package struct Pair {
    let old: Int
    let new: Int
    /// What is in both, in ascending order of `new`.
    package internal(set) var runs: [MatchedRun] = []
    /// What the walk did not match, on each side; at the end, the deletes and the inserts.
    package internal(set) var departures: [Range<Int>] = []
    package internal(set) var arrivals: [Range<Int>] = []
  }

  /// Compares lists of two sides.
  ///
  /// - Parameter pairs: Runs of columns; each column is compared with its partner.
  package init(old: ValueSide, new: ValueSide, pairs: [MatchedRun]) {
    (self.old, self.new) = (old, new)
    let oldCount = old.hashes.count
    taken = Array(repeating: 0, count: (oldCount + 63) / 64)
    for run in pairs {
      for offset in 0..<run.count { walk(Pair(old: run.old + offset, new: run.new + offset)) }
    }
    matchLeftovers()
  }

  var kernel: ElementKernel { old.kernel }
}

extension ValueComparison {
  /// Walks along two lists.
  private mutating func walk(_ pair: Pair) {
    var pair = pair
    let (oldColumn, newColumn) = (old.columns[pair.old], new.columns[pair.new])
    var (i, j, failures) = (0, 0, 0)
    while i < oldColumn.count, j < newColumn.count {
      let limit = min(oldColumn.count - i, newColumn.count - j)
      let (left, right) = (old.address(pair.old, i), new.address(pair.new, j))
      let count = left == right ? limit : kernel.countEqual(left, right, limit)
      if count > 0 {
        pair.runs.appendMatch(old: i, new: j, count: count)
        take(old.columns[pair.old].start + i, count: count)
        (i, j) = (i + count, j + count)
        continue
      }
      var (gone, come) = (window(limit), window(limit))
      if let found = lookAhead(pair, i, j) ?? meet(pair, i, j) {
        (gone, come) = found
      } else {
        failures += 1
        if failures > 1 { break }
      }
      if gone > 0 { pair.departures.appendRange(i..<i + gone) }
      if come > 0 { pair.arrivals.appendRange(j..<j + come) }
      (i, j) = (i + gone, j + come)
    }
    if i < oldColumn.count { pair.departures.appendRange(i..<oldColumn.count) }
    if j < newColumn.count { pair.arrivals.appendRange(j..<newColumn.count) }
    pairs.append(pair)
  }

  /// How many elements of either list are before the next match, if it is within four elements.
  private func lookAhead(_ pair: Pair, _ i: Int, _ j: Int) -> (gone: Int, come: Int)? {
    nextMatch(
      within: 4, old: old.columns[pair.old].count - i, new: new.columns[pair.new].count - j
    ) { kernel.areEqual(old.address(pair.old, i + $0), new.address(pair.new, j + $1)) }
  }
}

extension ValueComparison {
  /// The outcome of comparing two values that may not be valid.
  package enum Outcome {
    case oldIsTwice
    case newIsTwice
    case compared(ValueComparison)
  }

  /// Compares two values, and proves that no element appears twice in either.
  ///
  /// - Parameters:
  ///   - oldIsUnique: Whether that is known for the old value; then all its hashes are known too.
  ///   - newIsUnique: The same for the new value.
  ///   - pairs: Runs of columns; each column is compared with its partner.
  package static func compare(
    _ old: ValueSide, isUnique oldIsUnique: Bool, _ new: ValueSide, isUnique newIsUnique: Bool,
    pairs: [MatchedRun]
  ) -> Outcome {
    guard oldIsUnique || old.isUnique() else { return .oldIsTwice }
    let comparison = ValueComparison(old: old, new: new, pairs: pairs)
    guard newIsUnique || comparison.isNewUnique() else { return .newIsTwice }
    return .compared(comparison)
  }

  /// Adds the changes of the lists to the changes of their sections.
  package func addChanges(to correspondence: inout Correspondence) {
    for pair in pairs {
      let matched = pair.runs.reduce(0) { $0 + $1.count }
      guard
        pair.runs.count > 1 || matched < old.columns[pair.old].count
          || matched < new.columns[pair.new].count
      else { continue }
      correspondence.changed.append(
        .init(
          old: pair.old, new: pair.new, runs: pair.runs, deletes: pair.departures,
          inserts: pair.arrivals))
    }
    correspondence.migrations = migrations
  }
}

/// How many elements of either side are searched for a pair of neighbours that both sides have.
private let windows = [32, 128, 512, largestWindow]
private let largestWindow = 2_048
/// The length of a block that has come up to which it is searched, which takes a hash of each
/// element.
private let longestBlock = 8_192

/// Where the two sides meet again after a difference.
extension ValueComparison {
  /// How many elements of either list are before the place where both meet again.
  func meet(_ pair: Pair, _ i: Int, _ j: Int) -> (gone: Int, come: Int)? {
    let (oldRest, newRest) = (old.columns[pair.old].count - i, new.columns[pair.new].count - j)
    // If nothing else differs, what is left of both lists ends in the same elements.
    let surplus = oldRest - newRest
    if surplus > 0, doMeet(pair, i + surplus, j, count: 8) { return (surplus, 0) }
    if surplus < 0, doMeet(pair, i, j - surplus, count: 8) { return (0, -surplus) }
    for size in windows {
      // To see whether a block has gone takes one hash, and less time than a large window. Whether
      // one has come takes a hash of each of its elements, and these are needed anyway if it has.
      if size == 512, let gone = gone(pair, i, j, 1..<largestWindow) { return (gone, 0) }
      if size == largestWindow, let come = come(pair, i, j, 1..<size) { return (0, come) }
      let (oldSize, newSize) = (min(size, oldRest), min(size, newRest))
      if let found = meetInWindow(pair, i..<i + oldSize, j..<j + newSize) { return found }
      if oldSize == oldRest, newSize == newRest { return nil }
    }
    // Old hashes are mostly known, so old elements are searched farther, and at last all of them.
    if let gone = gone(pair, i, j, largestWindow..<longestBlock * 4) { return (gone, 0) }
    if let come = come(pair, i, j, largestWindow..<longestBlock) { return (0, come) }
    let rest = longestBlock * 4..<max(longestBlock * 4, oldRest)
    if let gone = gone(pair, i, j, rest) { return (gone, 0) }
    return nil
  }

  /// The largest part of both lists that the walk leaves out if they do not meet again nearby.
  func window(_ limit: Int) -> Int { min(largestWindow, limit) }

  /// Whether some elements from a place in each list on are equal, one by one, up to either end.
  private func doMeet(_ pair: Pair, _ i: Int, _ j: Int, count: Int) -> Bool {
    let count = min(count, old.columns[pair.old].count - i, new.columns[pair.new].count - j)
    return kernel.countEqual(old.address(pair.old, i), new.address(pair.new, j), count) == count
  }

  /// The length of a block that has gone from the old list, if it is in a range.
  private func gone(_ pair: Pair, _ i: Int, _ j: Int, _ lengths: Range<Int>) -> Int? {
    new.hash(pair.new, j..<j + 1)
    let gone = old.distance(toHash: new.knownHash(pair.new, j), pair.old, i, lengths)
    return gone.flatMap { doMeet(pair, i + $0, j, count: 8) ? $0 : nil }
  }

  /// The length of a block that has come into the new list, if it is in a range.
  private func come(_ pair: Pair, _ i: Int, _ j: Int, _ lengths: Range<Int>) -> Int? {
    old.hash(pair.old, i..<i + 1)
    let come = new.distance(toHash: old.knownHash(pair.old, i), pair.new, j, lengths)
    return come.flatMap { doMeet(pair, i, j + $0, count: 8) ? $0 : nil }
  }

  /// The distances to the first pair of neighbours of a window of the new list that is also in a
  /// window of the old one.
  private func meetInWindow(
    _ pair: Pair, _ oldWindow: Range<Int>, _ newWindow: Range<Int>
  ) -> (gone: Int, come: Int)? {
    let (i, j) = (oldWindow.lowerBound, newWindow.lowerBound)
    old.hash(pair.old, oldWindow)
    var slots = HashSlots(capacity: oldWindow.count)
    var collisions = 0
    for index in oldWindow {
      let hash = old.knownHash(pair.old, index)
      slots.insert(index - i, hash: hash) {
        if old.knownHash(pair.old, i + $0) == hash { collisions += 1 }
        return false
      }
      // If many elements share a hash, searching for pairs is quadratic.
      guard collisions < 64 else { return nil }
    }
    for index in newWindow {
      // After a deleted block the first new element is in the window: the others need no hash.
      if (index - j) & 31 == 0 {
        new.hash(pair.new, index..<min(index + 32, newWindow.upperBound))
      }
      let hash = new.knownHash(pair.new, index)
      let met = slots.first(hash: hash) {
        old.knownHash(pair.old, i + $0) == hash && doMeet(pair, i + $0, index, count: 2)
      }
      // An `==` whose result changes must not lead here again.
      if let met, met + index > j { return (met, index - j) }
    }
    return nil
  }
}

extension ValueComparison {
  /// Whether no two new elements are equal; if so, all hashes of the new side are known.
  ///
  /// Requires that no two old elements are equal, and that all hashes of the old side are known.
  /// Each matched element has an old partner of its own, so no two matched elements are equal. It
  /// remains to show that an element without a partner equals no other element. For that, one bit
  /// for each of their hashes is enough, in almost all cases: elements with other bits differ.
  ///
  /// - Complexity: O(n) looks at a stored hash for n elements. The k elements without a partner are
  ///   hashed.
  func isNewUnique() -> Bool {
    guard !isTwice else { return false }
    copyHashes()
    let lonely = lonelyElements()
    let count = lonely.reduce(0) { $0 + $1.count }
    let hashes = UnsafeBufferPointer(new.hashes)
    var met: [UInt32] = []
    if count <= 4 {
      for element in lonely.joined() {
        let (hash, end) = (hashes[element], hashes.count)
        if hashes.firstIndex(ofHash: hash, in: 0..<element) != nil
          || hashes.firstIndex(ofHash: hash, in: element + 1..<end) != nil
        {
          met.append(hash)
        }
      }
    } else {
      var filter = HashFilter(capacity: count)
      for range in lonely {
        filter.add(UnsafeBufferPointer(rebasing: hashes[range])) { met.append($0) }
      }
      var start = 0
      for range in lonely + [hashes.count..<hashes.count] {
        let matched = UnsafeBufferPointer(rebasing: hashes[start..<range.lowerBound])
        filter.forEachCandidate(in: matched) { met.append(matched[$0]) }
        start = range.upperBound
      }
    }
    return new.areDistinct(hashedTo: met)
  }

  /// The new elements without a partner, counted over all columns, hashed.
  private func lonelyElements() -> [Range<Int>] {
    var arrivals = [[Range<Int>]?](repeating: nil, count: new.columns.count)
    for pair in pairs { arrivals[pair.new] = pair.arrivals }
    var lonely: [Range<Int>] = []
    for (column, elements) in new.columns.enumerated() {
      for range in arrivals[column] ?? [0..<elements.count] where !range.isEmpty {
        new.hash(column, range)
        lonely.appendRange(elements.start + range.lowerBound..<elements.start + range.upperBound)
      }
    }
    return lonely
  }

  /// Copies the hashes of matched elements from their partners.
  private func copyHashes() {
    // Both sides have an element if there is a run, so they have hashes.
    guard let old = old.hashes.baseAddress, let new = new.hashes.baseAddress else { return }
    for pair in pairs {
      let oldStart = old + self.old.columns[pair.old].start
      let newStart = new + self.new.columns[pair.new].start
      for run in pair.runs where run.count > 1 || newStart[run.new] == 0 {
        (newStart + run.new).update(from: oldStart + run.old, count: run.count)
      }
    }
    for move in migrations {
      new[self.new.columns[move.to.section].start + move.to.item] =
        old[self.old.columns[move.from.section].start + move.from.item]
    }
  }
}
