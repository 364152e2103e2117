import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Rows keep the ranks of an order that a map hides", .deadline) struct RankTests {
  private static let scripts = [
    QueryScript(operations: [
      .sort(by: .title, ascending: true), .map(by: 1), .group(by: .text, ascending: true), .sum,
    ]),
    QueryScript(operations: [
      .sort(by: .title, ascending: false), .map(by: 1), .sort(by: .text, ascending: true),
      .map(by: 2), .group(by: .folder, ascending: true), .count,
    ]),
  ]

  /// Lists are long enough that changes are followed one by one: rows get another rank and show something
  /// else at once.
  @Test("Any changes of rows", arguments: 0..<UInt64(rounds(16)), scripts.indices)
  func anyChanges(seed: UInt64, number: Int) async throws {
    var random = SplitMix64(seed: seed)
    let script = Self.scripts[number]
    let base = Notes()
    func note(_ id: Int) -> Note {
      Note(
        id: id, folder: Folder(id % 2), title: random.number(below: 9),
        text: random.number(below: 3))
    }
    try await base.apply((0..<80).map(note), section: \.folder)
    let derived = base.derived(options: .strict) { script.query($0, isDeclared: true) }
    var follower = ProgramFollower(derived)
    for step in 0..<10 {
      let changed = random.sample(Array(0..<80), oneIn: 12).map(note)
      let (moved, anchor) = (random.number(below: 80), random.number(below: 80))
      try await base.update { draft in
        draft.setModels(changed)
        try draft.snapshot.moveItem(moved, beforeItem: anchor)
      }
      let expected = script.evaluate(QueryScript.Plain(await base.snapshot))
      #expect(QueryScript.Plain(await derived.snapshot) == expected, "seed \(seed), step \(step)")
      try await follower.follow(derived)
      #expect(QueryScript.Plain(follower.keeper.snapshot) == expected, "seed \(seed), step \(step)")
    }
  }
}
