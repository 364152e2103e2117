import Foundation
import Testing

@testable import livelist

@Suite("JSON text") struct JSONTextTests {
  private func text(_ write: (inout JSONText) -> Void) -> String {
    var text = JSONText()
    write(&text)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  @Test("has its keys in the order given")
  func order() {
    let written = text { text in
      text.object { members in
        members.key("b") { $0.number(-1) }
        members.key("a") { text in text.array([1, 2]) { $0.number($1) } }
        members.key("c") { text in text.object { $0.key("d") { $0.null() } } }
        members.key("e") { $0.strings([]) }
        members.key("f") { $0.object { _ in } }
      }
    }
    #expect(written == #"{"b":-1,"a":[1,2],"c":{"d":null},"e":[],"f":{}}"#)
  }

  @Test("escapes what JSON wants escaped, and nothing else")
  func escapes() {
    #expect(
      text { $0.string("a\"\\/\n\r\t\u{0}\u{1F}\u{7F}ä日👍\u{2028}") }
        == "\"a\\\"\\\\/\\n\\r\\t\\u0000\\u001f\u{7F}ä日👍\u{2028}\"")
  }

  @Test("comes back from Foundation's reader for every scalar that may need care")
  func roundTrip() throws {
    var scalars = (0...0x2FF).compactMap(Unicode.Scalar.init)
    scalars += [0x2028, 0x2029, 0xFEFF, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF]
      .compactMap(Unicode.Scalar.init)
    let strings =
      scalars.map { String(Character($0)) } + [String(String.UnicodeScalarView(scalars))]
    for string in strings {
      let written = Data(text { $0.strings([string]) }.utf8)
      let read = try JSONDecoder().decode([String].self, from: written)
      #expect(read.map { Array($0.utf8) } == [Array(string.utf8)])
    }
  }
}
