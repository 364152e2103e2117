/// What the walk did not match.
extension ValueComparison {
  /// The number of new elements that are hashed and looked up together.
  private static let batchCount = 32

  /// Finds the partners of what the walk did not match.
  mutating func matchLeftovers() {
    let count = pairs.reduce(0) { $1.departures.reduce($0) { $0 + $1.count } }
    guard count > 0, pairs.contains(where: { !$0.arrivals.isEmpty }) else { return }
    var slots = HashSlots(capacity: count)
    var pairOfColumn = [Int](repeating: -1, count: old.columns.count)
    for (number, pair) in pairs.enumerated() {
      pairOfColumn[pair.old] = number
      for range in pair.departures {
        old.hash(pair.old, range)
        let start = old.columns[pair.old].start
        for element in start + range.lowerBound..<start + range.upperBound {
          slots.insert(element, hash: old.hashes[element])
        }
      }
    }
    for number in pairs.indices where !pairs[number].arrivals.isEmpty {
      findPartners(number, in: slots, pairOfColumn)
    }
    for number in pairs.indices {
      let start = old.columns[pairs[number].old].start
      pairs[number].departures = freeRanges(in: pairs[number].departures, from: start)
    }
    migrations = migrations.sortedIfNeeded { $0.to }
  }

  /// Looks up the elements that are new in a list.
  private mutating func findPartners(
    _ number: Int, in slots: HashSlots, _ pairOfColumn: [Int]
  ) {
    let (column, arrivals) = (pairs[number].new, pairs[number].arrivals)
    var strays: [MatchedRun] = []
    var come: [Range<Int>] = []
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.batchCount) { found in
      for range in arrivals {
        var (index, batch) = (range.lowerBound, range.lowerBound..<range.lowerBound)
        while index < range.upperBound {
          if index >= batch.upperBound {
            // Most of a moved block is matched without its hashes.
            batch = index..<min(index + Self.batchCount, range.upperBound)
            new.hash(column, batch)
            slots.readFirst(
              of: new.knownHashes(column, batch), hashes: old.hashes, into: found)
          }
          let first = Int(found[index - batch.lowerBound])
          guard first >= 0,
            let (origin, count) = stray(first, in: slots, to: (column, index), range.upperBound)
          else {
            come.appendIndex(index)
            index += 1
            continue
          }
          guard count > 0 else {
            // An equal element has taken its partner.
            isTwice = true
            return
          }
          if pairOfColumn[origin.column] == number {
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
    }
    guard !isTwice else { return }
    pairs[number].arrivals = come
    pairs[number].runs = merged(pairs[number].runs, strays)
  }

  /// Takes the partner of a new element and those after it that moved along.
  ///
  /// - Parameters:
  ///   - first: The first old element with the same hash.
  ///   - end: The end of the new elements without a partner.
  /// - Returns: The place of the partner, and how many elements moved along; 0 if the partner has
  ///   been taken. It is `nil` if there is no partner.
  private mutating func stray(
    _ first: Int, in slots: HashSlots, to place: (column: Int, index: Int), _ end: Int
  ) -> (origin: (column: Int, index: Int), count: Int)? {
    let address = new.address(place.column, place.index)
    func countEqual(_ origin: (column: Int, index: Int)) -> Int {
      kernel.countEqual(
        old.address(origin.column, origin.index), address,
        min(end - place.index, old.columns[origin.column].count - origin.index))
    }
    var (found, origin) = (first, old.place(of: first))
    var count = countEqual(origin)
    if count == 0 {
      let hash = new.knownHash(place.column, place.index)
      let other = slots.first(hash: hash) {
        old.hashes[$0] == hash && kernel.areEqual(old.address(of: $0), address)
      }
      guard let other else { return nil }
      (found, origin) = (other, old.place(of: other))
      count = countEqual(origin)
    }
    // The result of an `==` may change.
    guard count > 0 else { return nil }
    count = freeCount(from: found, limit: count)
    take(found, count: count)
    return (origin, count)
  }

  /// Merges two lists of runs, in ascending order of `new`.
  private func merged(_ left: [MatchedRun], _ right: [MatchedRun]) -> [MatchedRun] {
    guard !right.isEmpty else { return left }
    guard !left.isEmpty else { return right }
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
}

/// Old elements that have found their partners.
extension ValueComparison {
  mutating func take(_ element: Int, count: Int) {
    var (element, rest) = (element, count)
    while rest > 0 {
      let bits = min(rest, 64 - element & 63)
      taken[element >> 6] |= (UInt64.max &>> UInt64(64 - bits)) &<< UInt64(element & 63)
      (element, rest) = (element + bits, rest - bits)
    }
  }

  /// The number of elements from one on, up to a limit, that have no partner yet.
  private func freeCount(from element: Int, limit: Int) -> Int {
    count(from: element, limit: limit) { $0 }
  }

  /// The number of elements from one on, up to a limit, before the first whose bit is set in the
  /// words that a function makes of those of `taken`.
  @inline(__always) private func count(
    from element: Int, limit: Int, _ word: (UInt64) -> UInt64
  ) -> Int {
    var count = 0
    while count < limit {
      let bit = (element + count) & 63
      let rest = word(taken[(element + count) >> 6]) &>> UInt64(bit)
      let step = min(rest.trailingZeroBitCount, 64 - bit)
      count += step
      if step < 64 - bit { break }
    }
    return min(count, limit)
  }

  /// The parts of some ranges of a list that have no partners.
  ///
  /// - Parameter start: The number of elements in all lists before it.
  private func freeRanges(in ranges: [Range<Int>], from start: Int) -> [Range<Int>] {
    var free: [Range<Int>] = []
    for range in ranges {
      var index = range.lowerBound
      while index < range.upperBound {
        let count = freeCount(from: start + index, limit: range.upperBound - index)
        if count > 0 { free.appendRange(index..<index + count) }
        index += count
        index += self.count(from: start + index, limit: range.upperBound - index) { ~$0 }
      }
    }
    return free
  }
}
