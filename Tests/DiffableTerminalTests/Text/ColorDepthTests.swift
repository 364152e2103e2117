import Testing

@testable import DiffableTerminal

@Suite("Colours") struct ColorDepthTests {
  @Test(
    "The environment says how many there are",
    arguments: [
      ([:], ColorDepth.none),
      (["TERM": ""], .none),
      (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
      (["TERM": "vt100"], .none),
      (["TERM": "xterm-mono"], .none),
      (["TERM": "xterm"], .sixteen),
      (["TERM": "linux"], .sixteen),
      (["TERM": "xterm-256color"], .palette256),
      (["TERM": "screen-256color-bce"], .palette256),
      (["TERM": "xterm-direct"], .trueColor),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
      (["TERM": "xterm", "COLORTERM": "24bit"], .trueColor),
      (["TERM": "xterm", "COLORTERM": "yes"], .sixteen),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
      (["TERM": "xterm-256color", "NO_COLOR": ""], .palette256),
    ])
  func detection(_ environment: [String: String], _ expected: ColorDepth) {
    #expect(ColorDepth(environment: environment) == expected)
  }

  @Test(
    "A terminal with fewer shows the nearest",
    arguments: [
      (TextColor.rgb(255, 0, 0), TextColor.palette(196), TextColor.palette(9)),
      (.rgb(0, 0, 0), .palette(16), .palette(0)),
      (.rgb(10, 10, 10), .palette(232), .palette(0)),
      (.rgb(128, 128, 128), .palette(244), .palette(8)),
      (.rgb(95, 135, 175), .palette(67), .palette(8)),
      (.palette(196), .palette(196), .palette(9)),
      (.palette(255), .palette(255), .palette(7)),
      (.green, .green, .green),
    ])
  func reduction(_ color: TextColor, _ palette: TextColor, _ basic: TextColor) {
    #expect(color.reduced(to: .trueColor) == color)
    #expect(color.reduced(to: .palette256) == palette)
    #expect(color.reduced(to: .sixteen) == basic)
    #expect(color.reduced(to: .none) == nil)
  }

  @Test("Reducing twice is reducing to the fewer")
  func composition() {
    for number in UInt8.min...UInt8.max {
      for color in [TextColor.palette(number), .rgb(number, 255 - number, number / 2)] {
        for depth in ColorDepth.allCases {
          let reduced = color.reduced(to: depth)
          #expect(reduced?.reduced(to: depth) == reduced)
        }
      }
    }
  }

  @Test("Each colour of the palette has the code of terminals, the first sixteen one of their own")
  func codes() {
    for number in UInt8.min...UInt8.max {
      for base in [30, 40] {
        let code =
          switch number {
          case 0..<8: [base + Int(number)]
          case 8..<16: [base + 60 + Int(number) - 8]
          default: [base + 8, 5, Int(number)]
          }
        #expect(TextColor.palette(number).parameters(base: base) == code)
      }
    }
  }
}
