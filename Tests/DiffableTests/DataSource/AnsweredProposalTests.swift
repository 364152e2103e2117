import DiffableTesting
import TestScope
import Testing

@testable import Diffable

@Suite struct AnsweredProposalTests {
  @Test(
    "As many accepted proposals are known as there may be revisions, whatever is refused",
    arguments: 0..<rounds(16 as UInt64, least: 2))
  func known(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // For every other seed, the history is longer than what is kept in any case.
    let length = seed.isMultiple(of: 2) ? 0 : 1024
    // The live revision comes on top of those before it.
    let capacity = max(1024, length + 1)
    let answers = AnsweredProposals(atLeast: length)
    // In the order of their first answer of this kind.
    var (accepted, refused): ([WriteID], [WriteID]) = ([], [])
    for step in 0..<8 * capacity {
      // Another participant may accept what was refused here, and a proposal may come again.
      let former = random.element(of: random.chance(oneIn: 2) ? refused : accepted)
      let id = random.chance(oneIn: 4) ? former ?? WriteID(using: &random) : WriteID(using: &random)
      let isKnown = answers[id] != nil
      if random.chance(oneIn: 2) {
        if answers[id]?.token == nil { accepted.append(id) }
        answers.record([id], in: ResumeToken("\(step)"))
      } else {
        if !isKnown { refused.append(id) }
        answers.record(id, "refused in \(step)", token: nil)
      }
      guard step.isMultiple(of: 512) else { continue }
      #expect(
        accepted.suffix(capacity).allSatisfy { answers[$0]?.token != nil },
        "seed \(seed), step \(step)")
      // One that was accepted, too, goes with the accepted ones.
      #expect(
        refused.suffix(capacity / 2).allSatisfy { answers[$0] != nil },
        "seed \(seed), step \(step)")
      #expect(
        Set(accepted + refused).count { answers[$0] != nil } <= 2 * capacity,
        "seed \(seed), step \(step)")
    }
    #expect(accepted.count > 2 * capacity && refused.count > 2 * capacity)
  }
}
