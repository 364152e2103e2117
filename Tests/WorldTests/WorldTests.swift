import TestScope
import Testing

@Suite("One world: whatever is written, shown and read, everyone sees the plain truth", .deadline)
@MainActor
struct WorldTests {
  private nonisolated static let lanes = 8
  private nonisolated static let seeds =
    chosenSeeds ?? 0..<scoped(usual: 260, wide: 320, long: 16000)

  @Test("Programs of every kind", arguments: 0..<lanes)
  func programs(lane: Int) async throws {
    for seed in Self.seeds where seed % Self.lanes == lane {
      let program = Program(seed: UInt64(seed))
      let isFaulty = await program.failure != nil
      if Task.isCancelled { return _ = Issue.record("seed \(seed) does not end\n\(program.code)") }
      guard isFaulty else { continue }
      let smallest = await program.shrunk()
      try Task.checkCancellation()
      let failure = await smallest.failure ?? "nothing any more: it depends on the order of tasks"
      Issue.record("seed \(seed): \(failure)\n\(smallest.code)")
      // Who has chosen the seeds wants to know of all.
      if chosenSeeds == nil { return }
    }
  }

  @Test("Programs that have found a fault before", arguments: Program.found.indices)
  func found(index: Int) async throws { try await Program.found[index].run() }

  @Test("Every kind of event and of edit happens", arguments: [0..<200])
  func kinds(seeds: Range<Int>) {
    let code = seeds.map { Program(seed: UInt64($0)).code }.joined()
    for words in [
      "write apply enqueue undo redo revert group drag setQuery fold turnClock link desk member look read",
      "resubscribe host query merge join mirror author giveUp insert insertAfter append delete move moveAfter moveInto",
      "moveToSection rename setText setRank setHidden setHeader mark markSection addSection deleteSection",
      "moveSection tree flatten tap extend shift select deselect scroll filter sort groupAlways window",
      "distinct map outline search arrive edit receive restrict sortSections",
      "keepLast deleteEvery upsert replace grow outline addSectionAfter moveSectionAfter",
      "filterSections shorten find rank pages load change roll pull reveal show resize",
    ] {
      for word in words.split(separator: " ") {
        #expect(code.contains(".\(word)("), "no \(word)")
      }
    }
    for word in [
      "deliver", "lose", "repeatLast", "reset", "omitEmptySections", "count", "totals", "expire",
      "answer", "cut", "cancel", "offer", "restart", "fail", "late", "refresh", "retry", "pause",
      "resume",
    ] {
      #expect(code.contains(".\(word)"), "no \(word)")
    }
  }
}
