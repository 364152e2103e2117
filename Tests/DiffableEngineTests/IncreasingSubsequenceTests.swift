import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable

@Suite("The heaviest increasing subsequence of runs")
struct IncreasingSubsequenceTests {
  @Test("Every order of a few runs, with weights that differ")
  func exhaustive() {
    for weights in [[1, 1, 1, 1, 1], [1, 2, 3, 4, 5], [5, 1, 4, 1, 3], [2, 2, 1, 1, 9]] {
      for order in everyPermutation(of: Array(0..<5)) {
        check(runs(order, weights))
        // So far apart that their places are sorted, not counted.
        check(runs(order, weights).map { .init(old: $0.old * 500, new: $0.new, count: $0.count) })
      }
    }
  }

  @Test("Long lists: one weight, many weights, and weights that ascend against the order")
  func long() {
    for seed in 0..<UInt64(rounds(4)) {
      var random = SplitMix64(seed: seed)
      let count = 400
      let order = random.shuffled(Array(0..<count))
      check(runs(order, Array(repeating: 1, count: count)))
      check(runs(order, (0..<count).map { _ in random.number(below: 1_000) + 1 }))
      check(runs(order, (0..<count).map { _ in random.chance(oneIn: 9) ? 500 : 1 }))
    }
  }

  // Every run goes under all steps before it without making one of them useless, until a tree is
  // cheaper than shifting them. Then some come that do not.
  @Test("Runs of which each is lighter than all before it", arguments: [0, 1, 40])
  func fallback(_ shuffledCount: Int) {
    // A tree of so many entries has its last one at the end of a long path, or of a short one.
    for count in [127, 128, 200, 255, 256, 300] {
      var random = SplitMix64(seed: UInt64(count))
      let descending = Array((shuffledCount..<count).reversed())
      let order = random.shuffled(Array(0..<shuffledCount)) + descending
      check(runs(order, (0..<count).map { 1_000 + $0 }))
      check(runs(order, (0..<count).map { 1_000 + $0 - ($0 % 7) * 20 }))
      // Several choices among the first ones are equally heavy.
      check(runs(order, (0..<count).map { 1_000 + max($0, shuffledCount) }))
    }
  }

  /// Runs with gaps between some of them, in an order of their old places.
  private func runs(_ order: [Int], _ weights: [Int]) -> [MatchedRun] {
    var starts: [Int] = []
    var end = 0
    for old in order.indices {
      starts.append(end)
      end += weights[order.firstIndex(of: old) ?? 0] + old % 2
    }
    var runs: [MatchedRun] = []
    for (old, weight) in zip(order, weights) {
      let new = (runs.last?.newRange.upperBound ?? 0) + old % 3
      runs.append(MatchedRun(old: starts[old], new: new, count: weight))
    }
    return runs
  }

  private func check(_ runs: [MatchedRun]) {
    let ascends = zip(runs, runs.dropFirst()).allSatisfy { $0.old < $1.old }
    guard let stays = runs.heaviestIncreasingSubsequence() else {
      #expect(ascends, "\(runs)")
      return
    }
    #expect(!ascends, "\(runs)")
    #expect(runs.indices.filter { stays[$0] } == heaviest(runs), "\(runs)")
  }

  /// The runs that stay, by the quadratic textbook method; of equally heavy ones, those that are first.
  private func heaviest(_ runs: [MatchedRun]) -> [Int] {
    // By run: the weight of the heaviest subsequence that begins there, and its second run.
    var weights = runs.map(\.count)
    var nexts = [Int?](repeating: nil, count: runs.count)
    func best(_ candidates: some Sequence<Int>) -> Int? {
      candidates.max { (weights[$0], $1) < (weights[$1], $0) }
    }
    for index in runs.indices.reversed() {
      nexts[index] = best(runs.indices[(index + 1)...].filter { runs[$0].old > runs[index].old })
      if let next = nexts[index] { weights[index] += weights[next] }
    }
    return best(runs.indices).map { Array(sequence(first: $0) { nexts[$0] }) } ?? []
  }
}

@Suite("Which elements move, if some were placed")
struct PlacedSubsequenceTests {
  /// Every order of five elements with every set of placed ones, against all increasing subsequences.
  @Test func exhaustive() {
    for order in everyPermutation(of: Array(0..<5)) {
      let runs = order.enumerated().map { MatchedRun(old: $1 * 2, new: $0 * 2, count: 1) }
      for bits in 0..<32 {
        let placed = (0..<5).filter { bits >> $0 & 1 == 1 }
        for preference in [MovePreference.fewest, .placed] {
          let stays =
            runs.heaviestIncreasingSubsequence(placed: placed.map { $0 * 2 }, moving: preference)
            ?? Array(repeating: true, count: 5)
          #expect(
            score((0..<5).filter { stays[$0] }, placed, preference)
              == best(order, placed, preference),
            "\(order), placed \(placed)")
          #expect(
            zip((0..<5).filter { stays[$0] }, (0..<5).filter { stays[$0] }.dropFirst())
              .allSatisfy { order[$0] < order[$1] })
        }
      }
    }
  }

  private func score(_ kept: [Int], _ placed: [Int], _ preference: MovePreference) -> [Int] {
    let untouched = kept.count { !placed.contains($0) }
    return preference == .fewest ? [kept.count, untouched] : [untouched, kept.count]
  }

  private func best(_ order: [Int], _ placed: [Int], _ preference: MovePreference) -> [Int] {
    (0..<32).map { bits in (0..<5).filter { bits >> $0 & 1 == 1 } }
      .filter { kept in zip(kept, kept.dropFirst()).allSatisfy { order[$0] < order[$1] } }
      .map { score($0, placed, preference) }
      .max { $0.lexicographicallyPrecedes($1) } ?? []
  }
}
