/// Neighbouring elements that are neighbours in the same order on both sides.
///
/// `old` and `new` are the start of the run in two lists. The `count` elements from there on are
/// the same, one by one.
package struct MatchedRun: Hashable, Sendable {
  package internal(set) var old: Int
  package internal(set) var new: Int
  package internal(set) var count: Int

  package init(old: Int, new: Int, count: Int) {
    self.old = old
    self.new = new
    self.count = count
  }

  package var oldRange: Range<Int> { old..<old + count }
  package var newRange: Range<Int> { new..<new + count }
}

extension [MatchedRun] {
  /// Adds a matched element after the others, to the last run if it continues that run.
  mutating func appendMatch(old: Int, new: Int, count: Int = 1) {
    if let last = indices.last, self[last].old + self[last].count == old,
      self[last].new + self[last].count == new
    {
      self[last].count += count
    } else {
      append(MatchedRun(old: old, new: new, count: count))
    }
  }

  /// Calls a function with each element that has to move, in ascending order of `new`.
  ///
  /// - Parameter stays: Which runs keep their place; `nil` if all do.
  package func forEachMove(knowing stays: [Bool]?, _ body: (_ from: Int, _ to: Int) -> Void) {
    guard let stays else { return }
    for (run, stays) in zip(self, stays) where !stays {
      for offset in 0..<run.count { body(run.old + offset, run.new + offset) }
    }
  }

  /// The number of elements in runs that do not keep their place.
  package func moveCount(knowing stays: [Bool]) -> Int {
    zip(self, stays).reduce(0) { $1.1 ? $0 : $0 + $1.0.count }
  }
}

/// How many elements of either side are before the next match after a difference.
///
/// It looks a few elements ahead on one side for the first element of the other. If the elements after
/// the first ones match, one of each is before the match.
///
/// - Parameters:
///   - most: How far to look.
///   - old: The number of old elements from the difference on.
///   - new: The number of new ones.
///   - areEqual: Compares an old element with a new one, each by its distance from the difference.
/// - Returns: `nil` if there is no match nearby.
@inline(__always)
func nextMatch(
  within most: Int, old: Int, new: Int, _ areEqual: (_ old: Int, _ new: Int) -> Bool
) -> (gone: Int, come: Int)? {
  for step in 1...most {
    if step < old, areEqual(step, 0) { return (step, 0) }
    if step < new, areEqual(0, step) { return (0, step) }
    if step == 1, old > 1, new > 1, areEqual(1, 1) { return (1, 1) }
  }
  return nil
}

extension UnsafeBufferPointer {
  /// The number of elements of an ascending buffer whose key is at most `bound`.
  ///
  /// It is a binary search without a branch that depends on the data, since that could not be
  /// predicted. The steps are powers of two, so the shifted sign of a difference gives the next
  /// step. A choice between two values would be compiled to a branch again. Keys have 64 bits on every
  /// system, as labels of leaves need them.
  ///
  /// - Complexity: O(log n) for n elements.
  @inlinable @inline(__always)
  package func count(upTo bound: Int64, by key: (Element) -> Int64) -> Int {
    guard !isEmpty else { return 0 }
    var shift = Int.bitWidth - 1 - count.leadingZeroBitCount
    let rest = count - 1 << shift
    var start = rest > 0 && key(self[rest - 1]) <= bound ? rest : 0
    while shift > 0 {
      shift &-= 1
      let last = start &+ 1 &<< shift &- 1
      let sign = UInt64(bitPattern: key(self[last]) &- bound &- 1) &>> 63
      start &+= Int(truncatingIfNeeded: sign) &<< shift
    }
    return key(self[start]) <= bound ? start + 1 : start
  }
}

extension Array {
  /// The elements in ascending order of a number; costs one pass if they are in order already.
  ///
  /// Elements with the same number keep their order.
  package func sortedIfNeeded(by number: (Element) -> Int) -> [Element] {
    sortedIfNeeded { ItemPath(section: 0, item: number($0)) }
  }

  /// The elements in ascending order of a path; costs one pass if they are in order already.
  ///
  /// Elements with the same path keep their order. Only paths and numbers are sorted, so the sort is
  /// compiled once, and not for each type of elements.
  package func sortedIfNeeded(by path: (Element) -> ItemPath) -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy { path(self[$0 - 1]) <= path(self[$0]) }
    return isSorted ? self : ascendingOrder(of: map(path)).map { self[$0] }
  }
}

/// The numbers of some paths in their ascending order.
private func ascendingOrder(of paths: [ItemPath]) -> [Int] {
  var order = paths.indices.map { (path: paths[$0], number: $0) }
  order.sort { $0.path < $1.path }
  return order.map(\.number)
}

extension [Range<Int>] {
  /// Adds an index greater than all others.
  package mutating func appendIndex(_ index: Int) {
    appendRange(index..<index + 1)
  }

  /// Adds a range after all others.
  mutating func appendRange(_ range: Range<Int>) {
    if let last = indices.last, self[last].upperBound == range.lowerBound {
      self[last] = self[last].lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }
}

extension Range<Int> {
  /// A range from its first position and the one after its last; `nil` if it is invalid or empty.
  init?(first: Int, end: Int) {
    let positions = ItemPath.indices
    guard positions.contains(first), first < end, end <= positions.upperBound else { return nil }
    self = first..<end
  }
}

/// A list of taken slots, and the ranks of the free ones.
///
/// Slots are in ``ItemPath/indices``; other slots are ignored.
///
/// Invariant: the taken ranges ascend, none is empty, and no two overlap or touch.
package struct SlotList {
  private var taken: [Range<Int>] = []
  /// The number of free slots before each taken range.
  private var freeBefore: [Int] = []
  /// The number of taken slots.
  private(set) var count = 0

  init() {}

  /// Creates a list of the slots in some ranges, in any order, which may overlap.
  ///
  /// - Complexity: O(r log r) for r ranges, O(r) if they ascend.
  package init(_ ranges: some Sequence<Range<Int>>) {
    for range in Array(ranges).sortedIfNeeded(by: { $0.lowerBound }) {
      let range = range.clamped(to: ItemPath.indices)
      guard !range.isEmpty else { continue }
      if let last = taken.last, range.lowerBound <= last.upperBound {
        let end = max(last.upperBound, range.upperBound)
        taken[taken.count - 1] = last.lowerBound..<end
        count += end - last.upperBound
      } else {
        taken.append(range)
        freeBefore.append(range.lowerBound - count)
        count += range.count
      }
    }
  }

  func contains(_ slot: Int) -> Bool {
    let next = taken.partitioningIndex { $0.lowerBound > slot }
    return next > 0 && taken[next - 1].contains(slot)
  }

  /// The number of free slots before a slot, which may be free or taken.
  package func rank(of slot: Int) -> Int {
    let next = taken.partitioningIndex { $0.lowerBound > slot }
    guard next > 0 else { return slot }
    return max(0, slot - taken[next - 1].upperBound) + freeBefore[next - 1]
  }

  /// The free slot that has `rank` free slots before it.
  func free(at rank: Int) -> Int {
    let next = freeBefore.partitioningIndex { $0 > rank }
    guard next > 0 else { return rank }
    return rank - freeBefore[next - 1] + taken[next - 1].upperBound
  }

  /// The ranks of the free slots in a range.
  func ranks(of slots: Range<Int>) -> Range<Int> {
    let slots = slots.clamped(to: ItemPath.indices)
    return rank(of: slots.lowerBound)..<rank(of: slots.upperBound)
  }

  /// The free slots for a range of ranks, as ascending ranges.
  ///
  /// - Complexity: O(log r + k) for r taken ranges, k of them between those slots.
  func free(at ranks: Range<Int>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var next = freeBefore.partitioningIndex { $0 > ranks.lowerBound }
    var rank = ranks.lowerBound
    while rank < ranks.upperBound {
      let end = next < taken.count ? min(freeBefore[next], ranks.upperBound) : ranks.upperBound
      let shift = next > 0 ? taken[next - 1].upperBound - freeBefore[next - 1] : 0
      let slots = (rank + shift..<end + shift).clamped(to: ItemPath.indices)
      if !slots.isEmpty { result.append(slots) }
      rank = end
      next += 1
    }
    return result
  }
}

extension RangeSet<Int> {
  /// The set of the indices in some ranges, in any order.
  ///
  /// - Complexity: O(r log r) for r ranges that do not overlap, O(r) if they also ascend.
  package init(sorting ranges: [Range<Int>]) {
    self.init()
    for range in ranges.sortedIfNeeded(by: { $0.lowerBound }) {
      insert(contentsOf: range)
    }
  }
}
