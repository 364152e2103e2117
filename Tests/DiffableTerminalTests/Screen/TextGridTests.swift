import TerminalSupport
import Testing

@testable import DiffableTerminal

@Suite("Text grid") struct TextGridTests {
  private let texts = ["", "a", "日", "ab日", "日本", "👍🏽x", "e\u{301}日", "🇩🇪🇩🇪", "🇩", "\u{301}a"]

  /// What each column of a line shows: a character, nothing behind a wide one.
  private func columns(_ line: StyledText) -> [String] {
    var columns: [String] = []
    for character in line.spans.flatMap({ Array($0.text) }) {
      switch character.columnCount {
      case 0:
        // A mark without a base takes no column; one with a base is part of what it stands on.
        if let base = columns.lastIndex(where: { !$0.isEmpty }) {
          columns[base].append(character)
        }
      case 2: columns += [String(character), ""]
      default: columns.append(String(character))
      }
    }
    return columns
  }

  @Test("A part of a line keeps every character that is wholly inside, each in its column")
  func parts() {
    for first in texts {
      for second in texts {
        let line = StyledText(first, .bold) + StyledText(second)
        let whole = columns(line.filled(toColumns: 12))
        for start in 0...8 {
          for count in 0...8 {
            let part = line.columns(start..<start + count)
            #expect(part.columnCount == count)
            let found = columns(part)
            for offset in found.indices {
              let isCut =
                offset == 0 && whole[start].isEmpty
                || offset == count - 1 && start + count < whole.count
                  && whole[start + count].isEmpty
              #expect(
                found[offset] == (isCut ? " " : whole[min(start + offset, 11)]),
                "\(line.text) \(start) \(count)")
            }
          }
        }
      }
    }
  }

  @Test("Whatever is drawn over whatever, rows keep their width and are shown as they are")
  func drawing() {
    let size = TerminalSize(columns: 6, rows: 1)
    for first in texts {
      for second in texts {
        for column in -2...6 {
          for (limits, style) in [(0..<6, .bold), (1..<4, .bold), (3..<3, .bold), (0..<6, .plain)]
            as [(Range<Int>, TextStyle)]
          {
            var grid = TextGrid(columns: 6, rows: 1)
            grid.draw(StyledText(first), column: 0, row: 0)
            grid.draw(StyledText(second, style), column: column, row: 0, within: limits)
            #expect(grid.places[0].count == 6)
            for (place, next) in zip(grid.places[0], grid.places[0].dropFirst() + [.blank]) {
              #expect((place.character?.columnCount == 2) == (next.character == nil))
            }
            // Two letters of a flag stay two letters, where each was drawn alone.
            #expect(grid.lines[0].columnCount == TextGrid.length(of: grid.places[0]))
            var painter = ScreenPainter(colorDepth: .trueColor)
            var terminal = TerminalEmulator(size: size)
            terminal.feed(painter.paint(Screen(grid)))
            #expect(terminal.text == Screen(grid).text)
          }
        }
      }
    }
  }

  @Test("A selector in another style makes no character wider than its place")
  func selectors() {
    for text in ["❤", "☺x", "1", "a", "日", "👍", "", " "] {
      for (column, columns) in [(0, 8), (0, 2), (0, 1), (3, 5)] {
        var grid = TextGrid(columns: columns, rows: 1)
        grid.draw(StyledText(text) + StyledText("\u{FE0F}|", .bold), column: column, row: 0)
        for (place, next) in zip(grid.places[0], grid.places[0].dropFirst() + [.blank]) {
          #expect((place.character?.columnCount == 2) == (next.character == nil), "\(text)")
        }
        #expect(grid.lines[0].columnCount <= columns, "\(text)")
        let end = column + text.columnCount
        if end < columns { #expect(grid.places[0][end].character == "|", "\(text)") }
      }
    }
  }

  @Test("A rectangle is cut off where it leaves the grid, and its lines where it ends")
  func rectangles() {
    var grid = TextGrid(columns: 8, rows: 3)
    grid.draw(
      [StyledText("abcd"), StyledText("日本"), StyledText("x")],
      in: TextRect(column: 1, row: 0, columns: 3, rows: 2))
    #expect(grid.lines.map(\.text) == [" abc", " 日", ""])
    grid.clear(TextRect(column: 2, row: -1, columns: 99, rows: 3))
    #expect(grid.lines.map(\.text) == [" a", "", ""])
    grid.clear(TextRect(column: 6, row: 2, columns: 5, rows: 5), .reversed)
    #expect(grid.lines[2].spans.map(\.style) == [.plain, .reversed])
    grid.draw(StyledText("lost"), column: 0, row: 3)
    grid.draw(StyledText("lost"), column: 8, row: 0)
    #expect(grid.lines.map(\.text) == [" a", "", "        "])
  }

  @Test("No number is too large for a rectangle", arguments: [Int.min, -1, 0, 2, .max - 1, .max])
  func extremes(_ start: Int) {
    for count in [Int.min, -1, 0, 1, .max - 1, .max] {
      var rect = TextRect(column: start, row: start, columns: 1, rows: 1)
      (rect.columns, rect.rows) = (count, count)
      #expect(rect == TextRect(column: start, row: start, columns: count, rows: count))
      #expect(rect.columnRange.count == min(max(0, count), start < 0 ? .max : .max - start))
      var grid = TextGrid(columns: 4, rows: 3)
      let whole = TextRect(column: 0, row: 0, columns: 4, rows: 3)
      grid.draw([StyledText("abcd"), StyledText("efgh"), StyledText("ijkl")], in: whole)
      let before = grid.lines
      grid.clear(rect)
      let cleared = rect.clamped(to: whole)
      for row in 0..<3 where !cleared.rowRange.contains(row) {
        #expect(grid.lines[row] == before[row])
      }
      #expect((grid.lines == before) == (cleared.columns == 0 || cleared.rows == 0))
      grid.draw([StyledText("日x")], in: rect)
      grid.draw(StyledText("日x"), column: start, row: 0)
    }
  }

  @Test("No number is too small for a line or a screen", arguments: [Int.min, -Int.max, -1, 0])
  @MainActor
  func smallest(_ number: Int) {
    let line = StyledText("日x")
    #expect(line.filled(toColumns: number) == StyledText())
    #expect(line.clipped(toColumns: number) == StyledText())
    #expect(line.columns(number..<number + 1).text == " ")
    #expect(line.columns(number..<number).columnCount == 0)
    let size = TerminalSize(columns: number, rows: number)
    let screen = Screen(size: size, lines: [line])
    #expect(screen.lines == [])
    var painter = ScreenPainter(colorDepth: .none)
    _ = painter.paint(screen)
    var field = SearchField()
    #expect(field.line(columns: number) == StyledText())
    for key in [Key.character("/"), .character("x")] { _ = field.press(key) }
    #expect(field.line(columns: number) == StyledText())
    let list = TerminalList(size: size)
    #expect(list.lines == [])
  }
}
