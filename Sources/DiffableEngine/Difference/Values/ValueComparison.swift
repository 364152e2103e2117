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
  package var pairs: [Pair] = []
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
    package var runs: [MatchedRun] = []
    /// What the walk did not match, on each side; at the end, the deletes and the inserts.
    package var departures: [Range<Int>] = []
    package var arrivals: [Range<Int>] = []
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
