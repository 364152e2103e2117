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
