import Diffable
import DiffableTesting
import Foundation
import TestScope
import Testing

@testable import livelist

@Suite("Follow session", .deadline) struct FollowSessionTests {
  /// What becomes of some lines, and whether any was not taken.
  private func answers(
    _ lines: [String], rows: Int = 40
  ) async -> (answers: [FollowSession.Answer], hasFailed: Bool) {
    var session = FollowSession(rows: rows)
    var answers: [FollowSession.Answer] = []
    for line in lines { answers.append(await session.take(Array(line.utf8)[...])) }
    return (answers, session.hasFailed)
  }

  private let reset = StreamLine.reset(
    1, sections: 2, items: 4, #"[{"id":"A","items":["a","b","c"]},{"id":"B","items":["d"]}]"#)

  @Test("shows the list after each delta, and what has happened to its items")
  func signs() async {
    let (answers, hasFailed) = await answers([
      reset, " ",
      StreamLine.change(
        1, 2, sections: 3, items: 6,
        #"""
        {"itemInserts":[[0,0,1]],"itemMoves":[{"from":{"section":0,"item":0},\#
        "to":{"section":0,"item":3}}],"itemReconfigures":[[1,0,1]],"sectionInserts":[[2,3]]}
        """#, items: #"["n"]"#, newSections: #"[{"id":"C","items":["x"]}]"#),
      StreamLine.change(2, 2, sections: 3, items: 6),
    ])
    #expect(!hasFailed)
    #expect(
      answers[0]
        == .list(
          """
          r1: 4 items in 2 sections
            A
              a
              b
              c
            B
              d

          """))
    #expect(answers[1] == .nothing)
    #expect(
      answers[2]
        == .list(
          """
          r1 → r2: 1 sections inserted, 1 inserted, 1 moved, 1 updated; 6 items in 3 sections
            A
          +   n
              b
              c
          ↓   a
            B
          ~   d
            C
          +   x

          """))
    #expect(answers[3] == .nothing)
  }

  @Test(
    "shows as many rows as there is space for, and says how many more there are", arguments: 1...8)
  func space(rows: Int) async throws {
    let (answers, _) = await answers([reset], rows: rows)
    guard case .list(let text) = answers[0] else {
      Issue.record("\(answers)")
      return
    }
    // Two sections and four items.
    let lines = text.split(separator: "\n").dropFirst()
    #expect(lines.count == min(rows, 6) + (rows < 6 ? 1 : 0))
    #expect((lines.last == "    … and \(6 - rows) more") == (rows < 6), "\(text)")
  }

  @Test("indents rows of outlines, but not out of sight")
  func depth() async throws {
    let rows = (0...30).map { #"{"id":"row \#($0)","expanded":true,"level":\#($0)}"# }
    let outline = StreamLine.reset(
      1, sections: 1, items: 31, #"[{"id":"T","outline":[\#(rows.joined(separator: ","))]}]"#)
    guard case .list(let text) = await answers([outline]).answers[0] else {
      Issue.record("The outline is no list.")
      return
    }
    for (level, line) in text.split(separator: "\n").dropFirst(2).enumerated() {
      #expect(line.prefix { $0 == " " }.count == 4 + 2 * min(level, 20), "\(line)")
    }
  }

  @Test("draws outlines, and nothing that controls a terminal")
  func drawing() async {
    let outline = StreamLine.reset(
      1, sections: 1, items: 2,
      #"[{"id":"T","outline":[{"id":"p","expanded":true},{"id":"\u001b\u202ec","level":1}]}]"#)
    #expect(
      await answers([outline]).answers == [
        .list("r1: 2 items in 1 section\n  T\n    ▾ p\n      • ??c\n")
      ])
  }

  @Test("says what is wrong with a line, keeps the list, and goes on")
  func faults() async {
    let (answers, hasFailed) = await answers([
      StreamLine.change(1, 2, sections: 2, items: 4), reset, "x", #"{"format":2,"target":""}"#,
      #"{"line":7,"error":"invalidJSON","identifiers":[],"message":"The line is not JSON."}"#,
      StreamLine.change(
        1, 2, sections: 2, items: 5, #"{"itemInserts":[[0,0,1]]}"#, items: #"["a"]"#),
      StreamLine.change(1, 2, sections: 2, items: 3, #"{"itemDeletes":[[0,0,1]]}"#),
    ])
    #expect(hasFailed)
    let words = ["starts from", nil, "not a delta", "format 2", "in its line 7", "twice: “a”", nil]
    for (answer, words) in zip(answers, words) {
      switch (answer, words) {
      case (.list, nil): break
      case (.fault(let message), let words?): #expect(message.contains(words), "\(message)")
      default: Issue.record("\(answer)")
      }
    }
    var session = FollowSession(rows: 40)
    guard case .fault(let message) = await session.take([0x22, 0xFF, 0x22]) else {
      Issue.record("taken")
      return
    }
    #expect(message.contains("UTF-8"))
  }

  @Test("shows what the stream was given", arguments: 0..<6 as Range<UInt64>)
  func stream(seed: UInt64) async throws {
    var generator = SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { "item \($0)" })
    var stream = try StreamSession(options: StreamOptions())
    var session = FollowSession(rows: 1_000)
    var snapshot = generator.snapshot(.uneven(sections: 3, items: 40))
    var before: Snapshot<String, String>?
    for step in 0..<20 {
      let answer = try #require(try await stream.answer(Array(JSONEncoder().encode(snapshot))[...]))
      let taken = await session.take(answer[...])
      defer {
        before = snapshot
        snapshot = generator.changing(snapshot, by: .mixed)
      }
      guard case .list(let text) = taken else {
        #expect(taken == .nothing && snapshot == before, "seed \(seed), step \(step)")
        continue
      }
      let shown = text.split(separator: "\n").dropFirst().map { line in
        line.drop { " +~↑↓•▾▸".contains($0) }
      }
      let expected = snapshot.sectionIdentifiers.flatMap { section in
        [section] + snapshot.itemIdentifiers(inSection: section)
      }
      #expect(shown.map(String.init) == expected, "seed \(seed), step \(step)")
    }
  }
}
