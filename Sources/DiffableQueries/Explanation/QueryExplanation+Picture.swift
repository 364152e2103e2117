extension QueryExplanation {
  /// A picture of the steps as SVG, which every browser shows.
  ///
  /// Rows flow from the followed sources at the top to this source at the bottom. Each step has a bar: its part of
  /// the time of all steps in the picture. The picture is in the colours of the page or of the system, light or dark. An
  /// operation that is too long is cut; its whole text appears under the pointer.
  public var svg: String {
    var picture = ExplanationPicture(of: self)
    picture.draw(self)
    return picture.text
  }
}

/// Boxes below each other, in a column for each followed source.
///
/// A source is as wide as its followed sources together, and in the middle below them.
private struct ExplanationPicture {
  private static let (boxWidth, gap, margin, line) = (296, 28, 16, 18)
  /// The letters of a line in a box.
  private static let letters = 42

  private var body = ""
  private let size: (width: Int, height: Int)
  /// The time of all steps.
  private let total: Duration

  init(of explanation: QueryExplanation) {
    size = (Self.width(of: explanation), Self.height(of: explanation))
    total = Self.time(of: explanation)
  }

  mutating func draw(_ explanation: QueryExplanation) {
    draw(explanation, x: Self.margin, bottom: Self.margin + size.height)
  }

  var text: String {
    let (width, height) = (size.width + 2 * Self.margin, size.height + 2 * Self.margin)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="system-ui, Helvetica, Arial, sans-serif" \
      font-size="12">
        <style>
          :root { color-scheme: light dark }
          .page { fill: #fff } .box { fill: #f6f7f9; stroke: #c3c8d0 }
          .source { fill: #e6eefb; stroke: #7aa0dc } text { fill: #1c2026 }
          .name { font-weight: 600 } .dim { fill: #59626f } .hint { fill: #9a4b00 }
          .flow { stroke: #8a93a0; fill: none } .tip { fill: #8a93a0 }
          .track { fill: #dfe3e8 } .bar { fill: #4f82d0 }
          @media (prefers-color-scheme: dark) {
            .page { fill: #16181c } .box { fill: #23262c; stroke: #4a515c }
            .source { fill: #1d2a40; stroke: #55779f } text { fill: #eceff3 }
            .dim { fill: #a6afbb } .hint { fill: #f0b060 } .track { fill: #3a404a }
          }
        </style>
        <rect class="page" width="\(width)" height="\(height)"/>
      \(body)</svg>

      """
  }

  // MARK: Where boxes are

  private static func width(of explanation: QueryExplanation) -> Int {
    let above = explanation.followed.map(width(of:))
    return max(boxWidth, above.reduce(0, +) + gap * max(0, above.count - 1))
  }

  private static func height(of explanation: QueryExplanation) -> Int {
    let above = explanation.followed.map { height(of: $0) + gap }.max() ?? 0
    return above + explanation.steps.reduce(0) { $0 + height(of: $1) + gap } + sourceHeight
  }

  private static let sourceHeight = 2 * line + 14

  private static func height(of step: QueryExplanation.Step) -> Int {
    let hints = step.hints.flatMap { lines(of: $0) }.count
    return (step.operations.count + 3 + hints) * line + 26
  }

  private static func time(of explanation: QueryExplanation) -> Duration {
    explanation.steps.reduce(.zero) { $0 + $1.totalTime }
      + explanation.followed.reduce(.zero) { $0 + time(of: $1) }
  }

  // MARK: Drawing

  /// Draws a source with all that it follows.
  private mutating func draw(_ explanation: QueryExplanation, x: Int, bottom: Int) {
    let width = Self.width(of: explanation)
    let left = x + (width - Self.boxWidth) / 2
    var y = bottom - Self.sourceHeight
    drawSource(explanation, x: left, y: y)
    for step in explanation.steps.reversed() {
      let height = Self.height(of: step)
      drawFlow(from: left, y - Self.gap, to: left, y)
      y -= Self.gap + height
      draw(step, x: left, y: y, height)
    }
    let above = explanation.followed.map(Self.width(of:))
    var column = x + (width - above.reduce(0, +) - Self.gap * max(0, above.count - 1)) / 2
    for (source, width) in zip(explanation.followed, above) {
      drawFlow(from: column + (width - Self.boxWidth) / 2, y - Self.gap, to: left, y)
      draw(source, x: column, bottom: y - Self.gap)
      column += width + Self.gap
    }
  }

  /// Draws an arrow between the middles of two boxes.
  private mutating func drawFlow(from left: Int, _ top: Int, to right: Int, _ bottom: Int) {
    let (from, to) = (left + Self.boxWidth / 2, right + Self.boxWidth / 2)
    let middle = (top + bottom) / 2
    body += """
        <path class="flow" d="M\(from) \(top) V\(middle - 4) H\(to) V\(bottom - 5)"/>
        <path class="tip" d="M\(to - 4) \(bottom - 7) h8 l-4 7 z"/>

      """
  }

  private mutating func drawSource(_ explanation: QueryExplanation, x: Int, y: Int) {
    box("source", x: x, y: y, Self.sourceHeight)
    write(explanation.name, "name", x: x + 12, y: y + Self.line + 2)
    write(explanation.size, "dim", x: x + 12, y: y + 2 * Self.line + 2)
  }

  private mutating func draw(_ step: QueryExplanation.Step, x: Int, y: Int, _ height: Int) {
    box("box", x: x, y: y, height)
    var y = y + 2
    func next() -> Int {
      y += Self.line
      return y
    }
    for operation in step.operations { write("\(operation)", "name", x: x + 12, y: next()) }
    let sections = step.sectionsOut.counted("section", "sections")
    write("\(step.rowsIn) → \(step.rowsOut) rows, \(sections)", "", x: x + 12, y: next())
    write(
      "\(step.changesFollowed) followed, \(step.changesFromScratch) from scratch", "",
      x: x + 12, y: next())
    write(
      "last \(step.lastTime.short), total \(step.totalTime.short), \(step.bytes.shortBytes)",
      "dim", x: x + 12, y: next())
    let track = Self.boxWidth - 24
    // A clock that goes back may have measured less for all steps than for one.
    let share = total > .zero ? min(max(0, step.totalTime / total), 1) : 0
    let part = Int((share * Double(track)).rounded())
    body += """
        <rect class="track" x="\(x + 12)" y="\(y + 8)" width="\(track)" height="5" rx="2.5"/>
        <rect class="bar" x="\(x + 12)" y="\(y + 8)" width="\(part)" height="5" rx="2.5"/>

      """
    y += 12
    for hint in step.hints {
      for line in Self.lines(of: hint) { write(line, "hint", x: x + 12, y: next()) }
    }
  }

  private mutating func box(_ style: String, x: Int, y: Int, _ height: Int) {
    body += "  <rect class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" width=\"\(Self.boxWidth)\" "
    body += "height=\"\(height)\" rx=\"7\"/>\n"
  }

  /// Writes a line, cut to the width of a box.
  private mutating func write(_ text: String, _ style: String, x: Int, y: Int) {
    // A bold letter is about 7 points wide, another one 6.
    let cut = text.cut(toColumns: style == "name" ? 39 : Self.letters)
    body += "  <text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(cut.escapedForXML)"
    if cut != text { body += "<title>\(text.escapedForXML)</title>" }
    body += "</text>\n"
  }

  /// The lines of a hint, broken between words.
  private static func lines(of hint: QueryExplanation.Hint) -> [String] {
    var lines: [String] = []
    for word in hint.description.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= letters {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension String {
  /// The text with special characters of XML replaced, and those left out that XML cannot have.
  fileprivate var escapedForXML: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\t", "\n", "\r": text += " "
      case "\0"..<" ", "\u{7f}"..<"\u{a0}", "\u{fffe}", "\u{ffff}": break
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
