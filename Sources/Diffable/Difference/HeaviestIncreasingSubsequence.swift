extension [MatchedRun] {
  /// Which runs keep their place when as few elements as possible move; `nil` if all do.
  ///
  /// The runs are in ascending order of `new`. Elements that stay must also ascend in `old`, so
  /// what stays is an increasing subsequence, and the fewest moves are all matched elements minus
  /// the longest one. A run is contiguous on both sides: whatever is compatible with one of its
  /// elements is compatible with all. So runs are taken whole, and the *longest* subsequence of
  /// elements is the *heaviest* subsequence of runs, weighted by their lengths.
  ///
  ///     new order     d e | a | b c        weights   2  1  2
  ///     old start     3     0   1
  ///     best ending   2     1   3 = 1 + 2          → a b c stay, d and e move
  ///
  /// Source: the weighted form of Fredman, “On computing the length of longest increasing
  /// subsequences” (1975), with a Fenwick tree over the ranks of `old` for “the best that ends
  /// before here”. Equal weights are decided for the run that comes first, so the same input
  /// gives the same answer.
  ///
  /// - Complexity: O(r log r) for r runs, O(r) where they already ascend.
  @usableFromInline func heaviestIncreasingSubsequence() -> [Bool]? {
    guard indices.dropFirst().contains(where: { self[$0].old < self[$0 - 1].old }) else {
      return nil
    }
    let ranks = ranksOfOld()
    var best = PrefixMaximum(count: count)
    var previous = [Int32](repeating: -1, count: count)
    for run in indices {
      let (weight, last) = best.maximum(before: ranks[run])
      previous[run] = last
      best.raise(at: ranks[run], to: weight + self[run].count, by: Int32(run))
    }
    var stays = [Bool](repeating: false, count: count)
    var run = best.maximum(before: count).run
    while run >= 0 {
      stays[Int(run)] = true
      run = previous[Int(run)]
    }
    return stays
  }

  /// By run: how many runs begin before it in `old`.
  private func ranksOfOld() -> [Int] {
    let end = reduce(0) { Swift.max($0, $1.old + 1) }
    guard end <= count * 64 else {
      var ranks = [Int](repeating: 0, count: count)
      for (rank, run) in indices.sorted(by: { self[$0].old < self[$1].old }).enumerated() {
        ranks[run] = rank
      }
      return ranks
    }
    // The starts are distinct: a bit for each, and a running count, are cheaper than sorting.
    var words = [UInt64](repeating: 0, count: end / 64 + 1)
    for run in self { words[run.old >> 6] |= 1 << UInt64(run.old & 63) }
    var before = [Int](repeating: 0, count: words.count)
    for word in words.indices.dropFirst() {
      before[word] = before[word - 1] + words[word - 1].nonzeroBitCount
    }
    return map { run in
      let lower = words[run.old >> 6] & ((1 << UInt64(run.old & 63)) - 1)
      return before[run.old >> 6] + lower.nonzeroBitCount
    }
  }
}

/// A Fenwick tree that answers the heaviest entry before a rank.
private struct PrefixMaximum {
  private var entries: [(weight: Int, run: Int32)]

  init(count: Int) {
    entries = Array(repeating: (0, -1), count: count + 1)
  }

  func maximum(before rank: Int) -> (weight: Int, run: Int32) {
    var best = (weight: 0, run: Int32(-1))
    var index = rank
    while index > 0 {
      if entries[index].weight > best.weight { best = entries[index] }
      index &= index - 1
    }
    return best
  }

  mutating func raise(at rank: Int, to weight: Int, by run: Int32) {
    var index = rank + 1
    while index < entries.count {
      if entries[index].weight < weight { entries[index] = (weight, run) }
      index += index & -index
    }
  }
}
