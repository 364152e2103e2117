import TestScope
import Testing

@testable import DiffableTerminal

@Suite("Key parser") struct KeyParserTests {
  static let sequences: [(String, [Key])] = [
    ("q", [.character("q")]),
    ("\u{1B}[A\u{1B}[B", [.up, .down]),
    ("\u{1B}OA\u{1B}OB", [.up, .down]),
    ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
    (
      "\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~",
      [.home, .end, .home, .end, .home, .end]
    ),
    // With a modifier other than Shift it is the same key.
    ("\u{1B}[1;5A\u{1B}[5;3~\u{1B}[1;A\u{1B}[1;2;2A", [.up, .pageUp, .up, .up]),
    ("\u{1B}[1;0A", [.up]),
    ("\u{1B}[1;2A\u{1B}[6;2~\u{1B}[1;6H", [.shift(.up), .shift(.pageDown), .shift(.home)]),
    // Unknown sequences disappear as a whole: no q, no ~ comes out of them.
    ("\u{1B}[<0;3;4Mq", [.character("q")]),
    ("\u{1B}[200~x", [.character("x")]),
    ("\u{1B}Oq", []),
    ("\u{1B}[[Aq\u{1B}[[E\u{1B}[A", [.character("q"), .up]),
    // A lone escape takes nothing but the character after it with it.
    ("\u{1B}xq", [.character("q")]),
    ("\u{1B}\u{1B}[A", [.up]),
    ("\u{3}\r\n\t\u{7F}\u{8}", [.enter, .enter, .tab, .backspace, .backspace]),
    ("\u{1B}[C\u{1B}[D\u{1B}OC\u{1B}[3~", [.right, .left, .right, .delete]),
    ("ä日👍", [.character("ä"), .character("日"), .character("👍")]),
    // Parts of a character come one by one.
    ("e\u{301}", [.character("e"), .character("\u{301}")]),
    // Controls beyond ASCII are no keys.
    ("\u{9B}", []),
  ]

  @Test("reads keys, in one piece or byte by byte", arguments: sequences)
  func keys(_ bytes: String, _ expected: [Key]) {
    var whole = KeyParser()
    #expect(whole.keys(in: bytes.utf8) == expected)
    var pieces = KeyParser()
    #expect(bytes.utf8.flatMap { pieces.keys(in: [$0]) } == expected)
  }

  @Test(
    "A scalar that is encoded with more bytes than it needs is no key",
    arguments: [
      [0xC1, 0xA9], [0xE0, 0x82, 0xA9], [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x82, 0xA9],
      [0xF0, 0x8F, 0xBF, 0xBD],
    ] as [[UInt8]])
  func overlong(_ bytes: [UInt8]) {
    var parser = KeyParser()
    let keys = parser.keys(in: bytes + [UInt8(ascii: "q")])
    #expect(keys.last == .character("q"))
    #expect(!keys.contains { if case .character(let key) = $0 { key.value > 0x7F } else { false } })
  }

  // With a square of the bytes it would not end for hours.
  @Test("A sequence of any length is one, and costs what its bytes do", .deadline)
  func endless() {
    var parser = KeyParser()
    let digits = [UInt8](repeating: UInt8(ascii: "7"), count: 1 << 20)
    #expect(parser.keys(in: Array("\u{1B}[".utf8) + digits) == [])
    #expect(parser.keys(in: "Aq".utf8) == [.up, .character("q")])
  }

  @Test("An escape that nothing follows is the Escape key")
  func escape() {
    var parser = KeyParser()
    #expect(parser.keys(in: "\u{1B}".utf8) == [])
    #expect(parser.isUndecided)
    #expect(parser.flush() == .escape)
    #expect(parser.flush() == nil)
    #expect(parser.keys(in: "q\u{1B}[".utf8) == [.character("q")])
    #expect(!parser.isUndecided)
    #expect(parser.flush() == nil)
    #expect(parser.keys(in: "A".utf8) == [.up])
  }

  @Test("Bytes that are no UTF-8 give no keys, and hide none")
  func invalidBytes() {
    for bytes: [UInt8] in [
      [0xC3], [0xFF], [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F],
    ] {
      var parser = KeyParser()
      #expect(parser.keys(in: bytes + Array("q".utf8)) == [.character("q")], "\(bytes)")
    }
  }
}
