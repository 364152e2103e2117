/// How many elements of either side are searched for a place where the two sides meet again.
private let windows = [32, 128, 512, largestWindow]
private let largestWindow = 2_048

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
/// here from far away. If two windows of the greatest size have nothing in common, the rest of both
/// lists is left over. Finally the leftovers of the old side are filed by hash, and those of the
/// new side are looked up. When an element is found, its neighbours are matched without a hash.
///
/// So everything that the walk matches costs one comparison, and the rest a hash and a lookup.
struct ValueComparison {
  let old: ValueSide
  let new: ValueSide
  var pairs: [Pair] = []
  /// Elements that moved from the list of one pair to the list of another.
  var migrations: [Move<ItemPath>] = []
  /// By old element, over all columns: a bit that is set once it has a partner.
  var taken: [UInt64]
  /// Whether an element of the new side was found to equal another one.
  var isTwice = false

  /// Two versions of a list.
  struct Pair {
    let old: Int
    let new: Int
    /// What is in both, in ascending order of `new`.
    var runs: [MatchedRun] = []
    /// What the walk did not match, on each side; at the end, the deletes and the inserts.
    var departures: [Range<Int>] = []
    var arrivals: [Range<Int>] = []
  }

  /// Compares lists of two sides.
  ///
  /// - Parameter pairs: Runs of columns; each column is compared with its partner.
  init(old: ValueSide, new: ValueSide, pairs: [MatchedRun]) {
    (self.old, self.new) = (old, new)
    let oldCount = old.hashes.count
    taken = Array(repeating: 0, count: (oldCount + 63) / 64)
    for run in pairs {
      for offset in 0..<run.count { walk(Pair(old: run.old + offset, new: run.new + offset)) }
    }
    matchLeftovers()
  }

  private var kernel: ElementKernel { old.kernel }
}

// MARK: The walk

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
      var (gone, come) = (min(largestWindow, limit), min(largestWindow, limit))
      if let found = lookAhead(pair, i, j) ?? meetInWindows(pair, i, j) {
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
    let oldCount = old.columns[pair.old].count
    let newCount = new.columns[pair.new].count
    for step in 1...4 {
      if i + step < oldCount,
        kernel.areEqual(old.address(pair.old, i + step), new.address(pair.new, j))
      {
        return (step, 0)
      }
      if j + step < newCount,
        kernel.areEqual(old.address(pair.old, i), new.address(pair.new, j + step))
      {
        return (0, step)
      }
      if step == 1, i + 1 < oldCount, j + 1 < newCount,
        kernel.areEqual(old.address(pair.old, i + 1), new.address(pair.new, j + 1))
      {
        return (1, 1)
      }
    }
    return nil
  }

  /// The same within windows of growing size, where two neighbours must match.
  private func meetInWindows(_ pair: Pair, _ i: Int, _ j: Int) -> (gone: Int, come: Int)? {
    let oldCount = old.columns[pair.old].count
    let newCount = new.columns[pair.new].count
    func doMeet(_ i: Int, _ j: Int) -> Bool {
      let count = min(2, oldCount - i, newCount - j)
      return kernel.countEqual(old.address(pair.old, i), new.address(pair.new, j), count) == count
    }
    for size in windows {
      let (oldEnd, newEnd) = (min(i + size, oldCount), min(j + size, newCount))
      old.hash(pair.old, i..<oldEnd)
      var slots = HashSlots(capacity: oldEnd - i)
      var collisions = 0
      for index in i..<oldEnd {
        let hash = old.knownHash(pair.old, index)
        slots.insert(index - i, hash: hash) {
          if old.knownHash(pair.old, i + $0) == hash { collisions += 1 }
          return false
        }
      }
      // If many elements share a hash, searching for pairs is quadratic.
      guard collisions < 64 else { return nil }
      for index in j..<newEnd {
        // After a deleted block the first new element is in the window: the others need no hash.
        if (index - j) & 31 == 0 { new.hash(pair.new, index..<min(index + 32, newEnd)) }
        let hash = new.knownHash(pair.new, index)
        let met = slots.first(hash: hash) {
          old.knownHash(pair.old, i + $0) == hash && doMeet(i + $0, index)
        }
        // An `==` whose result changes must not lead here again.
        if let met, met + index > j { return (met, index - j) }
      }
      if oldEnd == oldCount, newEnd == newCount { return nil }
    }
    return nil
  }
}

// MARK: What is left over

extension ValueComparison {
  /// Finds the partners of what the walk did not match.
  private mutating func matchLeftovers() {
    let count = pairs.reduce(0) { $1.departures.reduce($0) { $0 + $1.count } }
    guard count > 0, pairs.contains(where: { !$0.arrivals.isEmpty }) else { return }
    var slots = HashSlots(capacity: count)
    var pairOfColumn = [Int](repeating: -1, count: old.columns.count)
    for (number, pair) in pairs.enumerated() {
      pairOfColumn[pair.old] = number
      for range in pair.departures {
        old.hash(pair.old, range)
        for index in range {
          slots.insert(old.columns[pair.old].start + index, hash: old.knownHash(pair.old, index))
        }
      }
    }
    for number in pairs.indices where !pairs[number].arrivals.isEmpty {
      findPartners(number, in: slots, pairOfColumn)
    }
    for number in pairs.indices {
      let start = old.columns[pairs[number].old].start
      var gone: [Range<Int>] = []
      for range in pairs[number].departures {
        for index in range where !isTaken(start + index) { gone.appendIndex(index) }
      }
      pairs[number].departures = gone
    }
    migrations.sort { $0.to < $1.to }
  }

  /// Looks up the elements that are new in a list.
  private mutating func findPartners(
    _ number: Int, in slots: HashSlots, _ pairOfColumn: [Int]
  ) {
    let (column, arrivals) = (pairs[number].new, pairs[number].arrivals)
    var strays: [MatchedRun] = []
    var come: [Range<Int>] = []
    for range in arrivals {
      var (index, hashed) = (range.lowerBound, range.lowerBound)
      while index < range.upperBound {
        if index >= hashed {
          // Most of a moved block is matched without its hashes.
          hashed = min(index + 32, range.upperBound)
          new.hash(column, index..<hashed)
        }
        let hash = new.knownHash(column, index)
        let address = new.address(column, index)
        guard
          let found = slots.first(
            hash: hash,
            where: { old.hashes[$0] == hash && kernel.areEqual(old.address(of: $0), address) })
        else {
          come.appendIndex(index)
          index += 1
          continue
        }
        let count = stray(found, to: (column, index), within: range.upperBound)
        guard count > 0 else {
          // An equal element has taken its partner.
          isTwice = true
          return
        }
        let origin = old.place(of: found)
        let other = pairOfColumn[origin.column]
        if other == number {
          strays.appendMatch(old: origin.index, new: index, count: count)
        } else {
          for step in 0..<count {
            migrations.append(
              Move(
                from: ItemPath(section: origin.column, item: origin.index + step),
                to: ItemPath(section: column, item: index + step)))
          }
        }
        index += count
      }
    }
    pairs[number].arrivals = come
    pairs[number].runs = merged(pairs[number].runs, strays)
  }

  /// Takes an old element and those after it that moved along; returns their number.
  private mutating func stray(
    _ found: Int, to place: (column: Int, index: Int), within end: Int
  ) -> Int {
    let origin = old.place(of: found)
    let limit = min(end - place.index, old.columns[origin.column].count - origin.index)
    let free = freeCount(from: found, limit: limit)
    guard free > 0 else { return 0 }
    let count =
      1
      + (free == 1
        ? 0
        : kernel.countEqual(
          old.address(origin.column, origin.index + 1),
          new.address(place.column, place.index + 1), free - 1))
    take(found, count: count)
    return count
  }

  /// Merges two lists of runs, in ascending order of `new`.
  private func merged(_ left: [MatchedRun], _ right: [MatchedRun]) -> [MatchedRun] {
    guard !right.isEmpty else { return left }
    var runs: [MatchedRun] = []
    runs.reserveCapacity(left.count + right.count)
    var next = 0
    for run in right {
      while next < left.count, left[next].new < run.new {
        runs.appendMatch(old: left[next].old, new: left[next].new, count: left[next].count)
        next += 1
      }
      runs.appendMatch(old: run.old, new: run.new, count: run.count)
    }
    for run in left[next...] { runs.appendMatch(old: run.old, new: run.new, count: run.count) }
    return runs
  }

  // MARK: Old elements that have found their partners

  private func isTaken(_ element: Int) -> Bool {
    taken[element >> 6] &>> UInt64(element & 63) & 1 != 0
  }

  private mutating func take(_ element: Int, count: Int) {
    var (element, rest) = (element, count)
    while rest > 0 {
      let bits = min(rest, 64 - element & 63)
      taken[element >> 6] |= (UInt64.max &>> UInt64(64 - bits)) &<< UInt64(element & 63)
      (element, rest) = (element + bits, rest - bits)
    }
  }

  /// The number of elements from one on, up to a limit, that have no partner yet.
  private func freeCount(from element: Int, limit: Int) -> Int {
    var count = 0
    while count < limit {
      let (word, bit) = ((element + count) >> 6, (element + count) & 63)
      let free = min((taken[word] &>> UInt64(bit)).trailingZeroBitCount, 64 - bit)
      count += free
      if free < 64 - bit { break }
    }
    return min(count, limit)
  }
}
