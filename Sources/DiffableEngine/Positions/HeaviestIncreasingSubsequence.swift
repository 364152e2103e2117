/// Which elements move where several choices lead from one order to the other.
package enum MovePreference: Sendable {
  /// As few as possible; of several equally small choices, the one that leaves most elements alone that
  /// nobody has placed.
  case fewest
  /// What was placed; of everything else as few as possible.
  ///
  /// It may be more elements: two placed ones go past one that nobody has touched.
  case placed
}

extension [MatchedRun] {
  /// The runs that keep their place if as few elements as possible move; `nil` if all do.
  ///
  /// The runs are in ascending order of `new`. Elements that stay must also ascend in `old`, so
  /// they form an increasing subsequence. The number of moves is the number of matched elements
  /// minus the number of staying elements, so the longest such subsequence gives the fewest moves.
  /// A run is contiguous on both sides: whatever is compatible with one of its elements is
  /// compatible with all. So runs are taken whole, and the *longest* subsequence of elements is the
  /// *heaviest* subsequence of runs, weighted by their lengths.
  ///
  ///     new order     d e | a | b c        weights   2  1  2
  ///     old start     3     0   1
  ///     best ending   2     1   3 = 1 + 2          → a b c stay, d and e move
  ///
  /// By the same argument, runs that are adjacent on both sides, apart from unmatched elements, are
  /// taken as one block. So scattered deletes and inserts cost next to nothing.
  ///
  /// Source: the weighted form of Fredman, “On computing the length of longest increasing
  /// subsequences” (1975). A staircase holds the useful blocks: those for which no block before
  /// them in `old` ends a heavier subsequence. With blocks of equal weight it stays short. If the
  /// weights differ much, it may have to be shifted often, and a Fenwick tree over the ranks of
  /// `old` replaces it. The same input always gives the same result.
  ///
  /// Elements that a writer has *placed* weigh a little less than others, or much less. All weights are
  /// positive, so runs are still taken whole.
  ///
  /// - Parameters:
  ///   - placed: Positions in the new order of elements that were placed, ascending.
  ///   - preference: What counts more: few moves, or that only placed elements move.
  /// - Complexity: O(r log r + p) for r runs and p placed elements, O(r) if they already ascend.
  package func heaviestIncreasingSubsequence(
    placed: [Int] = [], moving preference: MovePreference = .fewest
  ) -> [Bool]? {
    guard indices.dropFirst().contains(where: { self[$0].old < self[$0 - 1].old }) else {
      return nil
    }
    let weights = placed.isEmpty ? nil : weights(placed, preference)
    let (blocks, blockOfRun) = blocksFromTheEnd(weights)
    let previous =
      Staircase.predecessors(blocks) ?? PrefixMaximum.predecessors(blocks, rankCount: count)
    var stays = [Bool](repeating: false, count: blocks.count)
    var block = previous.last
    while block >= 0 {
      stays[Int(block)] = true
      block = previous.of[Int(block)]
    }
    return blockOfRun.map { stays[Int($0)] }
  }

  /// Joins runs that are adjacent on both sides, and reverses both orders.
  ///
  /// As a result, if either of two choices is possible, the one that is first in the new order
  /// stays.
  ///
  /// - Parameter weights: By run; if it is `nil`, a run weighs as much as it has elements.
  private func blocksFromTheEnd(_ weights: [Int64]?) -> (blocks: [Block], blockOfRun: [Int32]) {
    let ranks = ranksOfOld()
    var blockOfRun = [Int32](repeating: 0, count: count)
    let blocks = [Block](unsafeUninitializedCapacity: count) { blocks, blockCount in
      var nextRank: Int32 = -1
      for run in indices.reversed() {
        let weight = weights?[run] ?? Int64(self[run].count)
        if ranks[run] + 1 == nextRank {
          blocks[blockCount - 1].weight += weight
        } else {
          let rank = count - 1 - Int(ranks[run])
          blocks.initializeElement(at: blockCount, to: Block(rank: rank, weight: weight))
          blockCount += 1
        }
        blockOfRun[run] = Int32(truncatingIfNeeded: blockCount - 1)
        nextRank = ranks[run]
      }
    }
    return (blocks, blockOfRun)
  }

  /// By run: its weight if some elements were placed.
  ///
  /// There are at most a billion elements, so the product of two counts has 64 bits. Those of an `Int` may be
  /// fewer.
  private func weights(_ placed: [Int], _ preference: MovePreference) -> [Int64] {
    let unit = reduce(1 as Int64) { $0 + Int64($1.count) }
    var next = 0
    return map { run in
      while next < placed.count, placed[next] < run.new { next += 1 }
      let first = next
      while next < placed.count, placed[next] < run.newRange.upperBound { next += 1 }
      let count = Int64(run.count)
      let untouched = count - Int64(next - first)
      return switch preference {
      case .fewest: count * unit + untouched
      case .placed: untouched * unit + count
      }
    }
  }

  /// By run: the number of runs that begin before it in `old`.
  private func ranksOfOld() -> [Int32] {
    let end = reduce(0) { Swift.max($0, $1.old + 1) }
    guard end <= count * 64 else {
      let starts = map(\.old).sorted()
      return map { run in Int32(truncatingIfNeeded: starts.partitioningIndex { $0 >= run.old }) }
    }
    // If the runs are not far apart, counting is cheaper than sorting: a bit for each position, and
    // for each word of bits the number of runs that begin before it.
    var starts = [UInt64](repeating: 0, count: end / 64 + 1)
    for run in self { starts[run.old >> 6] |= 1 &<< UInt64(run.old & 63) }
    var before = [Int32](repeating: 0, count: starts.count)
    for word in starts.indices.dropFirst() {
      before[word] = before[word - 1] + Int32(starts[word - 1].nonzeroBitCount)
    }
    return map { run in
      let lower = starts[run.old >> 6] & ((1 &<< UInt64(run.old & 63)) &- 1)
      return before[run.old >> 6] + Int32(lower.nonzeroBitCount)
    }
  }
}

/// Runs that stay or move together.
private struct Block {
  /// Its place among the others in `old`: greater is later.
  var rank: Int
  /// The number of elements, or what is made of it if some were placed.
  var weight: Int64
}

/// By block: the previous block in the heaviest subsequence that the block ends, or -1.
///
/// Also the last block of the heaviest subsequence of all.
private typealias Predecessors = (of: [Int32], last: Int32)

/// The ends of subsequences that may still grow into the heaviest, ascending by rank and by weight.
private struct Staircase {
  private typealias Step = (rank: Int, weight: Int64, block: Int32)
  private var steps: [Step] = []

  /// Processes the blocks; `nil` if that is about to cost more than a tree would.
  static func predecessors(_ blocks: [Block]) -> Predecessors? {
    var staircase = Staircase()
    var previous = [Int32](repeating: -1, count: blocks.count)
    var budget = 64 * blocks.count
    for (number, block) in blocks.enumerated() {
      let (before, shifted) = staircase.add(block, Int32(number))
      previous[number] = before
      budget -= shifted
      if budget < 0 { return nil }
    }
    return (previous, staircase.steps.last?.block ?? -1)
  }

  /// Adds a block; returns the block before it, and how many steps had to be shifted.
  private mutating func add(_ block: Block, _ number: Int32) -> (before: Int32, shifted: Int) {
    let place = steps.withUnsafeBufferPointer {
      $0.count(upTo: Int64(block.rank)) { Int64($0.rank) }
    }
    let before: Step = place > 0 ? steps[place - 1] : (-1, 0, -1)
    let step: Step = (block.rank, before.weight + block.weight, number)
    var end = place
    while end < steps.count, steps[end].weight <= step.weight { end += 1 }
    if end == place + 1 {
      steps[place] = step
      return (before.block, 1)
    }
    steps.replaceSubrange(place..<end, with: CollectionOfOne(step))
    return (before.block, steps.count - place)
  }
}

/// A Fenwick tree that returns the heaviest entry before a rank; of equally heavy ones the newest, as a
/// staircase does.
private struct PrefixMaximum {
  private var entries: [(weight: Int64, block: Int32)]

  init(count: Int) {
    entries = Array(repeating: (0, -1), count: count + 1)
  }

  static func predecessors(_ blocks: [Block], rankCount: Int) -> Predecessors {
    var best = PrefixMaximum(count: rankCount)
    var previous = [Int32](repeating: -1, count: blocks.count)
    for (number, block) in blocks.enumerated() {
      let (weight, last) = best.maximum(before: block.rank)
      previous[number] = last
      best.raise(at: block.rank, to: weight + block.weight, by: Int32(number))
    }
    return (previous, best.maximum(before: rankCount).block)
  }

  func maximum(before rank: Int) -> (weight: Int64, block: Int32) {
    var best = (weight: 0 as Int64, block: Int32(-1))
    var index = rank
    while index > 0 {
      let entry = entries[index]
      if (entry.weight, entry.block) > (best.weight, best.block) { best = entry }
      index &= index - 1
    }
    return best
  }

  mutating func raise(at rank: Int, to weight: Int64, by block: Int32) {
    var index = rank + 1
    while index < entries.count {
      if entries[index].weight <= weight { entries[index] = (weight, block) }
      index += index & -index
    }
  }
}
