package import DiffableTerminal

/// As much of a terminal as the library uses, so that tests can look at the screen it leaves.
package struct TerminalEmulator {
  package private(set) var size: TerminalSize
  package private(set) var modes: Set<String> = []

  /// What is shown, and where the next character goes.
  private struct Screen {
    /// What each column shows: a character, nothing behind a wide one, or a space.
    var cells: [[String]]
    /// The parameters that select the style of each column; empty for the plain one.
    var cellStyles: [[String]]
    var row = 0
    var column = 0

    init(_ size: TerminalSize) {
      cells = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
      cellStyles = Array(repeating: Array(repeating: "", count: size.columns), count: size.rows)
    }
  }

  private var shown: Screen
  /// The screen of the shell, while the alternate one is shown.
  private var hidden: Screen?
  /// The lines of the alternate screen when it was left last.
  package private(set) var linesLeft: [String] = []
  private var style = ""
  private var pending: [UInt8] = []
  /// Every selection of a style, as it was sent.
  package private(set) var styles: [String] = []

  package init(size: TerminalSize) {
    self.size = size
    shown = Screen(size)
  }

  /// The lines without the spaces at their ends.
  package var lines: [String] {
    shown.cells.map { line in
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
    for row in shown.cellStyles {
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
    shown = Screen(size)
    hidden = hidden.map { _ in Screen(size) }
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
        guard let sequence = text.prefixMatch(of: /\u{1B}\[([?0-9;]*)([A-Za-z])/) else {
          // One that another cuts off is nothing.
          guard let next = text.dropFirst().firstIndex(of: "\u{1B}") else { break }
          text = text[next...]
          continue
        }
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
      (shown.row, shown.column) = place.count == 2 ? (place[0] - 1, place[1] - 1) : (0, 0)
    case "J":
      let blank = Screen(size)
      (shown.cells, shown.cellStyles) = (blank.cells, blank.cellStyles)
    case "K":
      // What was drawn for a larger terminal may still arrive.
      guard shown.cells.indices.contains(shown.row) else { return }
      for place in shown.cells[shown.row].indices.dropFirst(shown.column) { put(" ", place) }
    case "m":
      styles.append(parameters)
      style = parameters == "0" ? "" : parameters
    case "h":
      modes.insert(parameters)
      if parameters == "?1049", hidden == nil { (shown, hidden) = (Screen(size), shown) }
    case "l":
      modes.remove(parameters)
      if parameters == "?1049", let screen = hidden {
        linesLeft = lines
        (shown, hidden) = (screen, nil)
      }
    default: break
    }
  }

  private mutating func show(_ character: Character) {
    if character == "\r\n" || character == "\n" {
      nextLine()
      return
    }
    let width = character.columnCount
    // Without wrapping, what does not fit is lost; a place outside the screen as well.
    guard shown.cells.indices.contains(shown.row), shown.column + width <= size.columns else {
      return
    }
    put(String(character), shown.column)
    if width == 2 { put("", shown.column + 1, isSecondHalf: true) }
    shown.column += width
  }

  /// Goes to the beginning of the next line; below the last one, the lines move up.
  private mutating func nextLine() {
    shown.column = 0
    guard shown.row == size.rows - 1 else {
      shown.row += 1
      return
    }
    let blank = Screen(size)
    shown.cells = Array(shown.cells.dropFirst() + blank.cells.prefix(1))
    shown.cellStyles = Array(shown.cellStyles.dropFirst() + blank.cellStyles.prefix(1))
  }

  /// Changes a column; what is left of a wide character there goes.
  private mutating func put(_ text: String, _ place: Int, isSecondHalf: Bool = false) {
    let row = shown.row
    if !isSecondHalf, shown.cells[row][place] == "", place > 0 {
      shown.cells[row][place - 1] = " "
    }
    if place + 1 < size.columns, shown.cells[row][place + 1] == "" {
      shown.cells[row][place + 1] = " "
    }
    shown.cells[row][place] = text
    shown.cellStyles[row][place] = style
  }
}
