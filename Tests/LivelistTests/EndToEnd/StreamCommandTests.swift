import Foundation
import Testing

@testable import livelist

@Suite("livelist stream") struct StreamCommandTests {
  @Test("answers what the manual shows, line by line")
  func answers() async throws {
    let input = """
      {"sections":[{"id":"s","items":["a","b"]}],"reload":["a"],"reconfigure":["b"],"reloadSections":["s"]}
      {"sections":[{"id":"s","items":["b","c"]}],"reconfigure":["b"]}
      """
    let outcome = try await BuiltCommand.run(
      ["stream", "--epoch", StreamLine.epochText], input: Data(input.utf8))
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(
      outcome.lines == [
        StreamLine.reset(1, sections: 1, items: 2, #"[{"id":"s","items":["a","b"]}]"#),
        StreamLine.change(
          1, 2, sections: 1, items: 2,
          #"{"itemDeletes":[[0,0,1]],"itemInserts":[[0,1,2]],"itemReconfigures":[[0,0,1]]}"#,
          items: #"["c"]"#),
      ])
  }

  @Test("names another life in each run, unless it is given one")
  func epochs() async throws {
    let input = Data(#"{"sections":[]}"#.utf8)
    let first = try await BuiltCommand.run(["stream"], input: input)
    let second = try await BuiltCommand.run(["stream"], input: input)
    #expect(first.lines.count == 1 && first.lines != second.lines)
    let wrong = try await BuiltCommand.run(["stream", "--epoch", "short"], input: input)
    #expect(wrong.status == 64)
  }

  @Test("ends with status 1 if any line was wrong, wherever it stood", arguments: 0..<3)
  func status(_ wrong: Int) async throws {
    let lines = (0..<3).map { $0 == wrong ? "{" : #"{"sections":[]}"# }
    let outcome = try await BuiltCommand.run(
      ["stream"], input: Data(lines.joined(separator: "\n").utf8))
    #expect(outcome.status == 1)
    try #require(outcome.lines.count == 3)
    #expect(
      outcome.lines[wrong].hasPrefix(
        #"{"error":"invalidJSON","identifiers":[],"line":\#(wrong + 1),"#))
  }

  @Test("has nothing to say about nothing")
  func nothing() async throws {
    for input in ["", "\n", "\n \n\t"] {
      let outcome = try await BuiltCommand.run(["stream"], input: Data(input.utf8))
      #expect(outcome.status == 0)
      #expect(outcome.output.isEmpty)
    }
  }

  @Test("loses none of 10,000 lines")
  func manyLines() async throws {
    // Each line has one item more or less than the one before; every 100th is wrong.
    let input = (0..<10_000).map { number in
      number % 100 == 50
        ? "wrong"
        : #"{"sections":[{"id":"s","items":[\#(number % 2 == 0 ? "" : #""i""#)]}]}"#
    }
    let outcome = try await BuiltCommand.run(
      ["stream", "--epoch", StreamLine.epochText], input: Data(input.joined(separator: "\n").utf8))
    #expect(outcome.status == 1)
    var session = try StreamSession(options: StreamOptions(epoch: StreamLine.epoch))
    var expected: [String] = []
    for line in input {
      let answer = try await session.answer(Array(line.utf8)[...])
      expected.append(String(decoding: try #require(answer), as: UTF8.self))
    }
    #expect(outcome.lines == expected)
  }

  @Test("answers each line before it reads the next one")
  func interactive() throws {
    let command = try PipedCommand(["stream"])
    for number in 1...3 {
      try command.write(#"{"sections":[{"id":"s","items":["\#(number)"]}]}"# + "\n")
      let answer = try command.read { $0.contains("\n") }
      #expect(answer.contains(#"["\#(number)"]"#))
    }
    try command.close()
    #expect(try command.end() == 0)
  }

  @Test("ends quietly when nobody reads its answers any more")
  func brokenPipe() async throws {
    let output = Pipe()
    let line = #"{"sections":[{"id":"s","items":["a"]}]}"# + "\n"
    // Closed before the first answer, so that even that one finds nobody.
    try output.fileHandleForReading.close()
    let outcome = try await BuiltCommand.run(
      ["stream"], input: Data(String(repeating: line, count: 1000).utf8),
      output: output.fileHandleForWriting)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
  }
}

@Suite("livelist") struct CommandTests {
  @Test("explains itself, and what is wrong with its arguments")
  func arguments() async throws {
    let help = try await BuiltCommand.run(["--help"])
    #expect(help.status == 0)
    #expect(help.lines.first == "livelist shows a diffable data source at work.")
    let version = try await BuiltCommand.run(["--version"])
    #expect(version.status == 0)
    #expect(version.lines.first?.hasPrefix("livelist ") == true)
    let wrong = try await BuiltCommand.run(["stream", "--stages", "grid"])
    #expect(wrong.status == 64)
    #expect(wrong.output.isEmpty)
    #expect(
      wrong.errors == """
        livelist: “grid” is not a value for --stages, which needs one of collectionView, \
        tableView, movesApart, sequential
        usage: livelist stream [--stages collectionView|tableView|movesApart|sequential | --epoch EPOCH]
        Try “livelist stream --help”.

        """)
  }
}
