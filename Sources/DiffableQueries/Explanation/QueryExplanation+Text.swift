import Diffable

extension QueryExplanation: CustomStringConvertible {
  /// A table of the steps of each source, for a terminal or a log.
  ///
  /// A followed source is below the one that follows it, with its own table. An operation is cut to 44
  /// characters.
  public var description: String { lines.joined(separator: "\n") }

  private var lines: [String] {
    var lines = ["\(name), \(size)"]
    if !steps.isEmpty { lines += table.map { "  " + $0 } }
    for (number, source) in followed.enumerated() {
      let isLast = number == followed.count - 1
      for (line, text) in source.lines.enumerated() {
        let lead = line == 0 ? (isLast ? "└ " : "├ ") : (isLast ? "  " : "│ ")
        lines.append(lead + text)
      }
    }
    return lines
  }

  /// The kind.
  var name: String { "\(source) of \(element)" }

  /// The revision and the size.
  var size: String {
    "\(revision): \(rowCount.counted("row", "rows")) in "
      + sectionCount.counted("section", "sections")
  }

  private var table: [String] {
    let head = [
      "step", "rows in", "rows out", "sections", "followed", "from scratch", "last", "total",
      "memory",
    ]
    let rows = steps.map { step -> [String] in
      let counts = [
        step.rowsIn, step.rowsOut, step.sectionsOut, step.changesFollowed, step.changesFromScratch,
      ]
      return [step.operations.first.map { $0.shown } ?? ""] + counts.map(\.description)
        + [step.lastTime.short, step.totalTime.short, step.bytes.shortBytes]
    }
    let names = steps.flatMap(\.operations).map { $0.shown.columns }
    let widths = head.indices.map { column in
      ([head] + rows).reduce(column == 0 ? names.max() ?? 0 : 0) { max($0, $1[column].columns) }
    }
    func line(_ cells: [String]) -> String {
      zip(cells, widths).enumerated().map { column, cell in
        let gap = String(repeating: " ", count: cell.1 - cell.0.columns)
        return column == 0 ? cell.0 + gap : gap + cell.0
      }.joined(separator: "  ")
    }
    var lines = [line(head)]
    for (step, row) in zip(steps, rows) {
      lines.append(line(row))
      lines += step.operations.dropFirst().map { $0.shown }
      lines += step.hints.map { "  ! \($0)" }
    }
    return lines
  }
}

extension QueryExplanation.Operation {
  /// The description, as far as a table has room for it.
  var shown: String { description.cut(toColumns: 44) }
}

extension String {
  /// How many columns of a terminal it takes: Chinese, Japanese and Korean letters take two, and so do emoji.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The text on one line, with an ellipsis in place of what has no room.
  func cut(toColumns limit: Int) -> String {
    let line = split(whereSeparator: \.isNewline).joined(separator: " ")
    guard line.columns > limit else { return line }
    var rest = limit - 1
    return line.prefix { character in
      rest -= character.columns
      return rest >= 0
    } + "…"
  }
}

extension Character {
  fileprivate var columns: Int {
    switch unicodeScalars.first?.value ?? 0 {
    case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
      0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
      2
    default: 1
    }
  }
}

extension Duration {
  /// The duration with three digits and a unit: "0 s", "850 ns", "12.3 µs".
  var short: String {
    let (seconds, attoseconds) = components
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    return nanoseconds == 0
      ? "0 s" : nanoseconds.short([("ns", 1), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)])
  }
}

extension Int {
  /// A number of bytes with three digits and a unit: "850 B", "12.3 kB".
  var shortBytes: String {
    self == 0 ? "0 B" : Double(self).short([("B", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9)])
  }
}

extension Double {
  /// The number with three digits, in the largest of some units of which there is one.
  fileprivate func short(_ units: [(name: String, size: Double)]) -> String {
    let unit = units.last { abs(self) >= $0.size * 0.9995 } ?? units[0]
    let number = self / unit.size
    let decimals = abs(number) >= 99.95 || unit.size == 1 ? 1.0 : abs(number) >= 9.995 ? 10 : 100
    let rounded = (number * decimals).rounded() / decimals
    return "\(Int64(exactly: rounded)?.description ?? rounded.description) \(unit.name)"
  }
}
