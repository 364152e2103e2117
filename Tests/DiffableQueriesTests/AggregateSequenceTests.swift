import DiffableTesting
import TestScope
import Testing

@testable import DiffableQueries

@Suite("A sequence knows what its parts come to") struct AggregateSequenceTests {
  @Test("As an array does, whatever is replaced", arguments: 1...rounds(64 as UInt64))
  func replaced(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func range(in count: Int) -> Range<Int> {
      let (first, second) = (random.number(below: count + 1), random.number(below: count + 1))
      return min(first, second)..<max(first, second)
    }
    var (sequence, array) = (AggregateSequence<ReducingRule<[Int]>>(), [Int]())
    // Lists that are joined show an order, and what is left out.
    let rule = ReducingRule<[Int]> { $0 + $1 }
    for step in 0..<60 {
      let isSmall = random.chance(oneIn: 2)
      let old = range(in: array.count)
      let replaced = isSmall ? old.lowerBound..<min(old.upperBound, old.lowerBound + 3) : old
      let new = (0..<random.number(below: isSmall ? 4 : 600)).map { _ in random.number(below: 1000)
      }
      array.replaceSubrange(replaced, with: new)
      sequence.replaceSubrange(replaced, with: new.map { [$0] })
      for _ in 0..<20 {
        let part = range(in: array.count)
        guard sequence.partial(of: part, by: rule) ?? [] == Array(array[part]),
          sequence.count == array.count
        else {
          Issue.record("seed \(seed), step \(step): something else for \(part)")
          return
        }
      }
    }
  }
}
