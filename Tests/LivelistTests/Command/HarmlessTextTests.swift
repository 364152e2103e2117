import DiffableTerminal
import Foundation
import Testing

@testable import livelist

/// Text from outside that the command writes without drawing it.
@Suite("Text from outside") struct HarmlessTextTests {
  /// Everything that could control a terminal.
  private static let controls = (0..<0x1_1000 as Range<UInt32>).compactMap(Unicode.Scalar.init)
    .filter(\.isControl)

  @Test("in a complaint cannot control a terminal")
  func complaints() {
    #expect(Self.controls.contains("\u{202E}") && Self.controls.contains("\u{9B}"))
    for scalar in Self.controls where scalar != "\n" {
      let text = Complaint.text("a\(scalar)b\nc")
      #expect(text.hasPrefix("livelist: a") && text.hasSuffix("b\nc\n"))
      #expect(!text.unicodeScalars.contains { $0.isControl && $0 != "\n" }, "\(scalar.value)")
    }
  }

  @Test("in JSON is escaped, and means the same")
  func json() throws {
    for scalar in Self.controls {
      let value = ["a\(scalar)b": ["\(scalar)"]]
      let json = JSONText.harmless(try JSONEncoder().encode(value))
      let text = String(decoding: json, as: UTF8.self)
      #expect(!text.unicodeScalars.contains { $0.isControl }, "\(scalar.value)")
      #expect(try JSONDecoder().decode([String: [String]].self, from: Data(json)) == value)
    }
    #expect(JSONText.harmless(Data("[\"é\"]".utf8)) == Array("[\"é\"]".utf8))
  }
}
