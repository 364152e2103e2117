/// A grid of characters on which rectangles are drawn.
struct TextCanvas {
  /// The characters that boxes are made of.
  private struct Border {
    let topLeft: Character
    let topRight: Character
    let bottomLeft: Character
    let bottomRight: Character
    let horizontal: Character
    let vertical: Character

    static let cell = Border(
      topLeft: "┌", topRight: "┐", bottomLeft: "└", bottomRight: "┘", horizontal: "─",
      vertical: "│")
    static let supplementary = Border(
      topLeft: "╔", topRight: "╗", bottomLeft: "╚", bottomRight: "╝", horizontal: "═",
      vertical: "║")
  }

  private let rect: LayoutRect

  /// The width of a character, in points.
  private let unit: Double

  private var lines: [[Character]]

  /// Creates an empty canvas for a part of the content.
  init(rect: LayoutRect, columns: Int) {
    let columns = max(1, min(columns, 1_000))
    self.rect = rect
    unit = rect.width.isFinite && rect.width > 0 ? rect.width / Double(columns) : 1
    let rows = (rect.height / (2 * unit)).rounded(.up)
    let count = rows.isFinite ? Int(max(0, min(rows, 1_000))) : 0
    lines = Array(repeating: Array(repeating: " ", count: columns), count: count)
  }

  /// The lines, without the blanks at their ends.
  var text: String {
    lines.map { line in
      String(line[..<((line.lastIndex { $0 != " " } ?? -1) + 1)])
    }.joined(separator: "\n")
  }

  /// Draws an element.
  mutating func draw(_ attributes: LayoutAttributes) {
    let frame = attributes.frame
    guard frame.isFinite, !lines.isEmpty else { return }
    let left = column(frame.x)
    let right = max(left, column(frame.maxX) - 1)
    let top = row(frame.y)
    let bottom = max(top, row(frame.maxY) - 1)
    switch attributes.element {
    case .decoration: fill(left...right, top...bottom, with: "·")
    case .item: box(left...right, top...bottom, .cell, "\(attributes.element)")
    case .supplementary: box(left...right, top...bottom, .supplementary, "\(attributes.element)")
    }
  }

  private func column(_ x: Double) -> Int { place((x - rect.x) / unit) }

  private func row(_ y: Double) -> Int { place((y - rect.y) / (2 * unit)) }

  /// The nearest character; positions far outside give the same character.
  private func place(_ position: Double) -> Int {
    Int(min(max(position.rounded(), -10_000), 10_000))
  }

  private mutating func set(_ character: Character, _ column: Int, _ row: Int) {
    guard lines.indices.contains(row), lines[row].indices.contains(column) else { return }
    lines[row][column] = character
  }

  private mutating func fill(
    _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, with character: Character
  ) {
    for row in rows.clamped(to: 0...lines.count) {
      for column in columns.clamped(to: 0...lines[0].count) { set(character, column, row) }
    }
  }

  private mutating func box(
    _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, _ border: Border, _ label: String
  ) {
    fill(columns, rows, with: " ")
    if rows.count == 1 {
      // Not high enough for a box: brackets around the label.
      for column in columns { set(border.horizontal, column, rows.lowerBound) }
      set("[", columns.lowerBound, rows.lowerBound)
      set("]", columns.upperBound, rows.lowerBound)
      write(label, columns, rows.lowerBound)
      return
    }
    for column in columns {
      set(border.horizontal, column, rows.lowerBound)
      set(border.horizontal, column, rows.upperBound)
    }
    for row in rows {
      set(border.vertical, columns.lowerBound, row)
      set(border.vertical, columns.upperBound, row)
    }
    set(border.topLeft, columns.lowerBound, rows.lowerBound)
    set(border.topRight, columns.upperBound, rows.lowerBound)
    set(border.bottomLeft, columns.lowerBound, rows.upperBound)
    set(border.bottomRight, columns.upperBound, rows.upperBound)
    if rows.count > 2 {
      write(label, columns, rows.lowerBound + 1)
    } else {
      write(label, columns, rows.lowerBound)
    }
  }

  private mutating func write(_ label: String, _ columns: ClosedRange<Int>, _ row: Int) {
    for (offset, character) in label.prefix(max(0, columns.count - 2)).enumerated() {
      set(character, columns.lowerBound + 1 + offset, row)
    }
  }
}
