import Diffable
import Foundation
import TestScope
import Testing

@testable import livelist

@Suite("Stream session", .deadline) struct StreamSessionTests {
  /// The answers to some lines, and whether any was an error.
  private func answers(
    _ lines: [String], stages: ListProfile? = nil
  ) async throws -> (lines: [String?], hasFailed: Bool) {
    try await answers(lines.map { Array($0.utf8) }, stages: stages)
  }

  private func answers(
    _ lines: [[UInt8]], stages: ListProfile? = nil
  ) async throws -> (lines: [String?], hasFailed: Bool) {
    var session = try StreamSession(
      options: StreamOptions(stages: stages, epoch: StreamLine.epoch))
    var answers: [String?] = []
    for line in lines {
      answers.append(
        try await session.answer(line[...]).map { String(decoding: $0, as: UTF8.self) })
    }
    return (answers, session.hasFailed)
  }

  @Test("answers with a reset, then with what changed, with all kinds of change in their order")
  func everyKind() async throws {
    let (lines, hasFailed) = try await answers([
      #"{"sections":[{"id":"gone","items":["x"]},{"id":"p","items":["a","b","c","d","g"]},{"id":"q","items":["e"]},{"id":"r","items":["f"]}]}"#,
      #"{"sections":[{"id":"r","items":["f"]},{"id":"p","items":["g","a","d","n"]},{"id":"q","items":["e","c"]},{"id":"new","items":["z"]}],"reload":["e"],"reconfigure":["a","c"],"reloadSections":["q"]}"#,
    ])
    #expect(!hasFailed)
    #expect(
      lines[0]
        == StreamLine.reset(
          1, sections: 4, items: 8,
          #"[{"id":"gone","items":["x"]},{"id":"p","items":["a","b","c","d","g"]},{"id":"q","items":["e"]},{"id":"r","items":["f"]}]"#
        ))
    #expect(
      lines[1]
        == StreamLine.change(
          1, 2, sections: 4, items: 8,
          #"""
          {"itemDeletes":[[1,1,2]],"itemInserts":[[1,3,4]],"itemMoves":[\#
          {"from":{"item":4,"section":1},"to":{"item":0,"section":1}},\#
          {"from":{"item":2,"section":1},"to":{"item":1,"section":2}}],\#
          "itemReconfigures":[[1,1,2],[2,1,2]],"itemReloads":[[2,0,1]],\#
          "sectionDeletes":[[0,1]],"sectionInserts":[[3,4]],"sectionMoves":[{"from":3,"to":0}],\#
          "sectionReloads":[[2,3]]}
          """#, items: #"["n"]"#, newSections: #"[{"id":"new","items":["z"]}]"#))
  }

  @Test("answers each wrong line in its place, keeps the state, and goes on")
  func errorsInPlace() async throws {
    let good = #"{"sections":[{"id":"s","items":["a","b"]}]}"#
    let (lines, hasFailed) = try await answers([
      "nonsense", good, "", "  \t\r", #"{"sections":[{"id":"s","items":["a","b","a"]}]}"#,
      #"{"sections":[{"id":"s","items":[]},{"id":"s","items":[]}]}"#,
      #"{"sections":[{"id":"s","items":["a"]}],"reload":["q"]}"#,
      #"{"reconfigure":["q"],"sections":[]}"#,
      #"{"sections":[],"reloadSections":["t"]}"#, #"{"sections":[{"id":"s"}]}"#, "[]", "{}", "7",
      #"{"sections":[{"id":"s","items":["a",2]}]}"#, good + good, good,
    ])
    func error(
      _ line: Int, _ code: String, _ identifiers: String, _ message: String, _ advice: String = ""
    ) -> String {
      #"{"error":"\#(code)","identifiers":\#(identifiers),"line":\#(line),"message":"\#(message) Nothing was changed.\#(advice)"}"#
    }
    let insertIt = " Insert it first, or leave it out."
    let expected: [String?] = [
      error(1, "invalidJSON", "[]", "The line is not JSON."),
      StreamLine.reset(1, sections: 1, items: 2, #"[{"id":"s","items":["a","b"]}]"#),
      nil, nil,
      error(
        5, "duplicateItems", #"["a"]"#,
        "Item identifiers must be unique in the whole snapshot, but “a” is at [0, 0] and [0, 2].",
        " Keep each item once, or make its place part of the identifier."),
      error(
        6, "duplicateSections", #"["s"]"#,
        "Section identifiers must be unique, but “s” is at indices 0 and 1.",
        " Keep each section once."),
      error(7, "unknownItem", #"["q"]"#, "The snapshot has no item “q”.", insertIt),
      error(8, "unknownItem", #"["q"]"#, "The snapshot has no item “q”.", insertIt),
      error(
        9, "unknownSection", #"["t"]"#, "The snapshot has no section “t”.",
        " Append it first, or leave it out."),
      error(
        10, "malformedSnapshot", "[]",
        "The line is not a snapshot: “items” is missing at $.sections[0]."),
      error(
        11, "malformedSnapshot", "[]",
        "The line is not a snapshot: the value at $ has the wrong type."),
      error(
        12, "malformedSnapshot", "[]", "The line is not a snapshot: “sections” is missing at $."),
      error(
        13, "malformedSnapshot", "[]",
        "The line is not a snapshot: the value at $ has the wrong type."),
      error(
        14, "malformedSnapshot", "[]",
        "The line is not a snapshot: the value at $.sections[0].items[1] has the wrong type."),
      error(15, "invalidJSON", "[]", "The line is not JSON."),
      StreamLine.change(1, 1, sections: 1, items: 2),
    ]
    #expect(hasFailed)
    for (answer, wanted) in zip(lines, expected) { #expect(answer == wanted) }
    #expect(lines.count == expected.count)
  }

  @Test("takes UTF-8 and nothing else")
  func encodings() async throws {
    let text = #"{"sections":[{"id":"ä","items":["日本","👍"]}]}"#
    let wrong: [[UInt8]] = [
      Array(text.utf8.prefix(20)) + [0xFF] + Array(text.utf8.dropFirst(20)),
      Array(text.utf8).map { $0 == 0xC3 ? 0xC0 : $0 },
      text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
    ]
    let (lines, _) = try await answers(wrong + [Array(text.utf8)])
    for line in lines.prefix(3) {
      let answer = try #require(line)
      #expect(answer.contains(#""error":"invalid"#), "\(answer)")
    }
    #expect(lines[0]?.contains(#""error":"invalidUTF8","identifiers":[],"line":1"#) == true)
    #expect(
      lines[3]
        == StreamLine.reset(1, sections: 1, items: 2, #"[{"id":"ä","items":["日本","👍"]}]"#))
  }

  @Test("begins with a reset even where the first snapshot is empty")
  func emptyFirst() async throws {
    let (lines, _) = try await answers([
      #"{"sections":[]}"#, #"{"sections":[]}"#, #"{"sections":[{"id":"s","items":[]}]}"#,
    ])
    #expect(
      lines == [
        StreamLine.reset(0, sections: 0, items: 0, nil),
        StreamLine.change(0, 0, sections: 0, items: 0),
        StreamLine.change(
          0, 1, sections: 1, items: 0, #"{"sectionInserts":[[0,1]]}"#, newSections: #"[{"id":"s"}]"#
        ),
      ])
  }

  @Test("says of a line that changes nothing only that, whatever the line before has said")
  func nothing() async throws {
    let start = #"{"sections":[{"id":"s","items":["a","b","c"]}]}"#
    let end = #"{"sections":[{"id":"s","items":["c","d","b"]}]}"#
    let marks = #"{"placed":["c"],"reload":["b"],"renamed":[{"old":"a","new":"d"}],"#
    let (lines, hasFailed) = try await answers([start, marks + end.dropFirst(), end, end])
    #expect(!hasFailed)
    #expect(lines[1]?.contains(#""renamedItems""#) == true, "\(lines)")
    let nothing = StreamLine.change(2, 2, sections: 1, items: 3)
    #expect(lines[2...] == [nothing, nothing])
  }

  @Test("gives each stage with the state after it")
  func stages() async throws {
    let (lines, _) = try await answers(
      [
        #"{"sections":[{"id":"p","items":["a"]},{"id":"q","items":["b"]},{"id":"r","items":[]}]}"#,
        #"{"sections":[{"id":"r","items":[]},{"id":"p","items":["a","c"]},{"id":"q","items":["b"]}]}"#,
        #"{"sections":[{"id":"r","items":[]},{"id":"p","items":["a","c"]},{"id":"q","items":["b"]}]}"#,
      ], stages: .collectionView)
    #expect(
      lines[1]
        == #"{"base":1,"stages":[{"difference":{"itemInserts":[[0,1,2]]},"snapshot":{"sections":[{"id":"p","items":["a","c"]},{"id":"q","items":["b"]},{"id":"r","items":[]}]}},{"#
        + #""difference":{"sectionMoves":[{"from":2,"to":0}]},"snapshot":{"sections":[{"id":"r","items":[]},{"id":"p","items":["a","c"]},{"id":"q","items":["b"]}]}}],"target":2}"#
    )
    #expect(lines[2] == #"{"base":2,"stages":[],"target":2}"#)
  }

  @Test("answers a line of 100,000 items, and the change of one of them")
  func large() async throws {
    let items = (0..<100_000).map { "item number \($0)" }
    func line(_ items: [String]) -> String {
      let list = items.map { "\"\($0)\"" }.joined(separator: ",")
      return #"{"sections":[{"id":"s","items":[\#(list)]}]}"#
    }
    let (lines, hasFailed) = try await answers([line(items), line(items + ["x"]), line(items)])
    #expect(!hasFailed)
    let sections = String(line(items).dropFirst(#"{"sections":"#.count).dropLast())
    #expect(lines[0] == StreamLine.reset(1, sections: 1, items: 100_000, sections))
    #expect(
      lines[1]
        == StreamLine.change(
          1, 2, sections: 1, items: 100_001, #"{"itemInserts":[[0,100000,100001]]}"#,
          items: #"["x"]"#))
    #expect(
      lines[2]
        == StreamLine.change(
          2, 3, sections: 1, items: 100_000, #"{"itemDeletes":[[0,100000,100001]]}"#))
  }
}

/// The lines of a stream whose epoch is known.
enum StreamLine {
  static let epochText = "AAAAAAAAAAAAAAAAAAAAAA"
  static let epoch = Epoch(epochText)

  private static func token(_ revision: Int) -> String {
    "\"\(ResumeToken(epoch: epoch ?? Epoch(), revision: Revision(revision)))\""
  }

  static func reset(_ target: Int, sections: Int, items: Int, _ content: String?) -> String {
    #"{"counts":{"items":\#(items),"sections":\#(sections)},"format":1,"presentation":"reset","#
      + (content.map { #""sections":\#($0),"# } ?? "") + #""target":\#(token(target))}"#
  }

  static func change(
    _ base: Int, _ target: Int, sections: Int, items count: Int, _ difference: String? = nil,
    items: String? = nil, newSections: String? = nil
  ) -> String {
    #"{"base":\#(token(base)),"counts":{"items":\#(count),"sections":\#(sections)},"#
      + (difference.map { #""difference":\#($0),"# } ?? "") + #""format":1,"#
      + (items.map { #""items":\#($0),"# } ?? "") + #""presentation":"animated","#
      + (newSections.map { #""sections":\#($0),"# } ?? "") + #""target":\#(token(target))}"#
  }
}
