import Diffable
import DiffableTesting
import Foundation
import Testing

@testable import WebLists

/// Where the interpreter is.
private let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
  .first(where: FileManager.default.isExecutableFile)

extension Pipe {
  /// All that comes in pieces, as a text.
  fileprivate static func joined(_ pieces: AsyncStream<Data>) -> Task<String, Never> {
    Task { String(decoding: await pieces.reduce(into: Data()) { $0 += $1 }, as: UTF8.self) }
  }
}

/// A follower in another language, which knows nothing but the documentation.
@Suite("The follower in Python", .enabled(if: python != nil), .timeLimit(.minutes(5)))
struct PythonTests {
  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("follow.py")

  /// What it prints after each delta.
  private struct Line: Decodable {
    struct Section: Decodable {
      let id: String
      let rows: [NumberedRow]

      init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        id = try pair.decode(String.self)
        rows = try pair.decode([NumberedRow].self)
      }
    }

    let reset: Bool
    let rows: [Section]

    /// As `RowSource.text`.
    var text: String {
      rows.map { section in
        section.id + ":" + section.rows.map { "\($0.title)/\($0.count)" }.joined(separator: ",")
      }.joined(separator: ";")
    }
  }

  @Test("follows, is cut off, and goes on", arguments: [3, 4] as [UInt64])
  func following(seed: UInt64) async throws {
    let source = RowSource()
    var random = SplitMix64(seed: seed)
    try await source.fill(2_300)
    try await serving([.rows(source)]) { address in
      let relay = try await Relay.start(to: address.port ?? 0)
      defer { relay.stop() }
      var lines = try Self.lines(address.atPort(relay.port)).makeAsyncIterator()
      var resets = 0
      for round in 0..<30 {
        if round % 7 == 3 { relay.cut() }
        for step in 0..<5 {
          try await source.shuffle(next: 3_000 + 5 * round + step, using: &random)
        }
        if round % 3 == 2 { try await Self.changeSections(of: source, round) }
        let text = await source.text
        var line: Line?
        while line?.text != text {
          let next = try #require(await lines.next(), "it goes on")
          line = try JSONDecoder().decode(Line.self, from: Data(next.utf8))
          if line?.reset == true { resets += 1 }
        }
      }
      #expect(resets == 1, "seed \(seed)")
      await source.finish()
      #expect(await lines.next() == nil)
    }
  }

  @Test(
    "applies the deltas that the others apply, without outlines", arguments: 0..<4 as Range<UInt64>)
  func steps(seed: UInt64) async throws {
    let program = """
      import json, sys, follow
      sections = []
      for number, step in enumerate(json.load(sys.stdin)):
          follow.apply(step["delta"], sections)
          shown = [[section["id"], section.get("items", [])] for section in sections]
          expected = [[section["id"], section["items"]] for section in step["sections"]]
          assert shown == expected, (number, shown, expected)
      print(number)
      """
    let input = FileManager.default.temporaryDirectory.appending(path: "steps-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: input) }
    try await Data(FollowedStep.text(seed: seed, hasOutlines: false).utf8).write(to: input)
    let (text, fault) = try await Self.run(
      ["-c", program], input: try FileHandle(forReadingFrom: input))
    #expect(fault == "", "seed \(seed)")
    #expect(Int(text.dropLast()) ?? 0 > 30, "seed \(seed)")
  }

  /// What a program prints, and its errors.
  private static func run(
    _ arguments: [String], input: FileHandle = .nullDevice
  ) async throws -> (text: String, fault: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python ?? "")
    process.arguments = arguments
    process.currentDirectoryURL = script.deletingLastPathComponent()
    process.environment = ["PYTHONDONTWRITEBYTECODE": "1"]
    process.standardInput = input
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let (text, fault) = (Pipe.joined(output.pieces()), Pipe.joined(errors.pieces()))
    return await withTaskCancellationHandler {
      await (text.value, fault.value)
    } onCancel: {
      process.end()
    }
  }

  @Test("adds a card to the board, as often as it is sent")
  func adding() async throws {
    let source = try await BoardSource.sample()
    try await serving([.board(source)]) { address in
      for title in ["Oil the gate", " "] {
        let (text, fault) = try await Self.run(
          [Self.script.deletingLastPathComponent().appending(path: "add.py").path]
            + [address.absoluteString, "Doing", title])
        #expect(fault == "")
        #expect(text.contains(title == " " ? "A card needs a title." : #""answer": "accepted""#))
      }
    }
    let cards = await source.snapshot.itemIdentifiers(inSection: "Doing")
    #expect(cards.count == 2 && cards.first == "fence")
    #expect(await source.model(for: cards[1])?.title == "Oil the gate")
  }

  /// Lets the last section come first, and another one take the place of the one before it.
  private static func changeSections(of source: RowSource, _ round: Int) async throws {
    try await source.update { draft in
      let sections = Array(draft.snapshot.sectionIdentifiers)
      try draft.snapshot.moveSection(sections[sections.count - 1], beforeSection: sections[0])
      draft.snapshot.deleteSections([sections[sections.count - 2]])
      try draft.snapshot.insertSections(["Round \(round)"], afterSection: sections[0])
      try draft.appendItems(
        (0..<40).map { NumberedRow(id: 10_000 + 100 * round + $0) }, toSection: "Round \(round)")
    }
  }

  /// Runs the program; gives its lines.
  private static func lines(_ address: URL) throws -> AsyncStream<String> {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python ?? "")
    process.arguments = [script.path, address.absoluteString, "rows"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let lines = output.lines()
    try process.run()
    return AsyncStream { continuation in
      let reading = Task {
        for await line in lines { continuation.yield(line) }
        continuation.finish()
      }
      continuation.onTermination = { _ in
        reading.cancel()
        process.end()
      }
    }
  }
}
