package import DiffableTerminal

/// As much of a terminal as the library uses, so that tests can look at the screen it leaves.
package struct TerminalEmulator {
  package private(set) var size: TerminalSize
  package private(set) var modes: Set<String> = []
  /// What each column shows: a character, nothing behind a wide one, or a space.
  private var cells: [[String]]
  /// The parameters that select the style of each column; empty for the plain one.
  private var cellStyles: [[String]]
  private var style = ""
  private var row = 0
  private var column = 0
  private var pending: [UInt8] = []
  /// Every selection of a style, as it was sent.
  package private(set) var styles: [String] = []

  package init(size: TerminalSize) {
    self.size = size
    cells = TerminalEmulator.blank(size)
    cellStyles = TerminalEmulator.plain(size)
  }

  /// The lines without the spaces at their ends.
  package var lines: [String] {
    cells.map { line in
      let text = line.joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  package var text: String { lines.joined(separator: "\n") }

  /// The style of every column as a letter, and below that what the letters mean.
  package var stylePicture: String {
    var letters: [String: Character] = ["": "."]
    var legend: [String] = []
    var rows: [String] = []
    for row in cellStyles {
      var text = ""
      for style in row {
        if letters[style] == nil {
          let letter = Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(legend.count)))
          letters[style] = letter
          legend.append("\(letter) = \(style)")
        }
        text.append(letters[style] ?? "?")
      }
      rows.append(text)
    }
    return (rows + legend).joined(separator: "\n")
  }

  /// Changes the size; what the program drew before is gone.
  package mutating func resize(to size: TerminalSize) {
    self.size = size
    cells = TerminalEmulator.blank(size)
    cellStyles = TerminalEmulator.plain(size)
    (row, column) = (0, 0)
  }

  package mutating func feed(_ text: String) {
    feed(Array(text.utf8))
  }

  /// Takes bytes in any pieces: what is not complete waits for the rest.
  package mutating func feed(_ bytes: [UInt8]) {
    pending += bytes
    // The end may be in the middle of a character or of an escape sequence.
    let complete = pending.lastIndex { $0 < 0x80 }.map { $0 + 1 } ?? 0
    var text = String(decoding: pending[..<complete], as: UTF8.self)[...]
    while let character = text.first {
      if character == "\u{1B}" {
        guard let sequence = text.prefixMatch(of: /\u{1B}\[([?0-9;]*)([A-Za-z])/) else { break }
        obey(String(sequence.1), sequence.2)
        text.removeSubrange(sequence.range)
      } else {
        show(character)
        text.removeFirst()
      }
    }
    pending = Array(text.utf8) + pending[complete...]
  }

  private mutating func obey(_ parameters: String, _ command: Substring) {
    switch command {
    case "H":
      let place = parameters.split(separator: ";").compactMap { Int($0) }
      (row, column) = place.count == 2 ? (place[0] - 1, place[1] - 1) : (0, 0)
    case "J":
      cells = TerminalEmulator.blank(size)
      cellStyles = TerminalEmulator.plain(size)
    case "K":
      // What was drawn for a larger terminal may still arrive.
      guard cells.indices.contains(row) else { return }
      for place in cells[row].indices.dropFirst(column) { put(" ", place) }
    case "m":
      styles.append(parameters)
      style = parameters == "0" ? "" : parameters
    case "h": modes.insert(parameters)
    case "l": modes.remove(parameters)
    default: break
    }
  }

  private mutating func show(_ character: Character) {
    if character == "\r\n" || character == "\n" {
      (row, column) = (min(row + 1, size.rows - 1), 0)
      return
    }
    let width = character.columnCount
    // Without wrapping, what does not fit is lost; a place outside the screen as well.
    guard cells.indices.contains(row), column + width <= size.columns else { return }
    put(String(character), column)
    if width == 2 { put("", column + 1, isSecondHalf: true) }
    column += width
  }

  /// Changes a column; what is left of a wide character there goes.
  private mutating func put(_ text: String, _ place: Int, isSecondHalf: Bool = false) {
    if !isSecondHalf, cells[row][place] == "", place > 0 { cells[row][place - 1] = " " }
    if place + 1 < size.columns, cells[row][place + 1] == "" { cells[row][place + 1] = " " }
    cells[row][place] = text
    cellStyles[row][place] = style
  }

  private static func plain(_ size: TerminalSize) -> [[String]] {
    Array(repeating: Array(repeating: "", count: size.columns), count: size.rows)
  }

  private static func blank(_ size: TerminalSize) -> [[String]] {
    Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
  }
}
