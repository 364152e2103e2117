import DiffableSync
import Foundation
import TestScope
import Testing

/// The cases that followers in all languages are tried with are what the Swift side does now.
///
/// `DIFFABLE_RECORD_CASES=1` writes them again. `cases.test.mjs` tries the modules with them.
@Suite("The cases for followers in other languages", .deadline)
struct CaseTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("cases.json")

  private func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// One case in each line, so that a change of the file shows which of them it is about.
  private func text() async throws -> String {
    let (base, delta, damaged) = try await SharedCases.damaged()
    var start = try await SharedCases.start()
    let lines = { (lines: [String]) in "[\n\(lines.joined(separator: ",\n"))\n]" }
    let damages = try damaged.map { damage in
      let delta = String(decoding: damage.delta, as: UTF8.self)
      return #"{"name":\#(try text(damage.name)),"code":"\#(damage.code)","delta":\#(delta)}"#
    }
    return """
      {
      "following": \(lines(try await SharedCases.following().map(text))),
      "base": \(try text(base)),
      "sound": \(try text(delta)),
      "damaged": \(lines(damages)),
      "start": \(try text(try await start.delta())),
      "editing": \(lines(try await SharedCases.editing().map(text)))
      }

      """
  }

  @Test("are what this version does")
  func recorded() async throws {
    let found = try await text()
    if ProcessInfo.processInfo.environment["DIFFABLE_RECORD_CASES"] != nil {
      return try Data(found.utf8).write(to: Self.file)
    }
    let kept = try String(contentsOf: Self.file, encoding: .utf8)
    let lines = zip(kept.split(separator: "\n"), found.split(separator: "\n"))
    let changed = lines.filter { $0 != $1 }.map { $1.prefix(200) }
    #expect(kept == found, "\(changed.count) are others: \(changed.prefix(3))")
  }

  @Test("have damages of every kind, and each is refused")
  func damages() async throws {
    let cases = try await SharedCases.damaged().cases
    for damage in cases { #expect(damage.code != "none", "\(damage.name)") }
    #expect(
      Set(cases.map(\.code)).isSuperset(of: [
        "unknownFormat", "wrongBase", "misfit", "undecodable", "duplicateItems",
        "duplicateSections", "missingModels",
      ]))
  }

  @Test("have proposals with every answer, and edits that make none")
  func answers() async throws {
    let cases = try await SharedCases.editing()
    let answers = cases.map(\.answer)
    for kind in ["accepted", "refused"] {
      #expect(answers.contains { $0?.contains(#""answer":"\#(kind)""#) == true }, "\(kind)")
    }
    #expect(cases.contains { $0.unknown == #"{"answer":"unknownBase"}"# })
    #expect(answers.contains { $0?.contains("changedTwice") == true })
    #expect(answers.contains(nil))
  }
}
