import Diffable
import DiffableTerminal

/// Draws the list of processes: totals, column titles, the visible rows, and a line with keys.
struct ProcessScreen: Sendable {
  typealias Row = LiveRows<String, ProcessID>.Row

  let arrangement: ProcessArrangement
  /// The cores that totals refer to.
  let cores: Int

  /// The rows that the list itself has in a terminal: all but title, column titles and keys.
  ///
  /// A terminal of one or two rows shows the list only.
  func listHeight(in size: TerminalSize) -> Int {
    hasFrame(size) ? size.rows - 3 : size.rows
  }

  /// The rows that the list shows: in a flat list, its one section has no row.
  func listed(_ rows: [Row]) -> [Row] {
    guard arrangement.isFlat else { return rows }
    return rows.filter { row in
      if case .item = row.element { true } else { false }
    }
  }

  private func hasFrame(_ size: TerminalSize) -> Bool { size.rows >= 4 }

  /// The screen.
  ///
  /// - Parameters:
  ///   - rows: All rows that the list shows.
  ///   - visible: Those to draw, at most ``listHeight(in:)``.
  ///   - contents: What the rows show.
  ///   - metrics: What the source has done so far.
  ///   - size: The size of the terminal.
  func draw(
    _ rows: [Row], visible: Range<Int>, contents: ProcessTable.Contents,
    metrics: DataSourceMetrics, size: TerminalSize
  ) -> Screen {
    let columns = ProcessColumns(width: size.columns, isFlat: arrangement.isFlat)
    let totals = Totals(of: rows, records: contents.records)
    let list = rows[visible].map { line(for: $0, columns, totals, contents.records) }
    guard hasFrame(size) else { return Screen(size: size, lines: list) }
    let space = Array(repeating: StyledText(), count: listHeight(in: size) - list.count)
    let lines =
      [title(totals, contents, size), titles(of: columns, size)] + list + space
      + [status(visible: visible, of: rows.count, metrics, size)]
    return Screen(size: size, lines: lines)
  }

  /// The totals, and the program's name before them where there is room.
  private func title(_ totals: Totals, _ contents: ProcessTable.Contents, _ size: TerminalSize)
    -> StyledText
  {
    var line = StyledText(Figure.count(totals.processes, "process", "processes"), .bold)
    line.append(" of " + Figure.count(totals.userCount, "user", "users"))
    let all = Figure.percent(permille: totals.permille)
    line.append("   CPU ", .dim)
    line.append("\(all) %", .bold)
    line.append(" of " + Figure.count(cores, "core", "cores"))
    if let memory = contents.machineMemory {
      line.append("   memory ", .dim)
      line.append(Figure.bytes(memory.used), .bold)
      line.append(" of \(Figure.bytes(memory.total))")
    }
    let name = StyledText("livelist", TextStyle(color: .cyan, isBold: true))
    let room = size.columns - name.columnCount - 1
    return line.columnCount > room ? line : line.filled(toColumns: room + 1) + name
  }

  private func titles(of columns: ProcessColumns, _ size: TerminalSize) -> StyledText {
    func title(_ text: String, _ order: ProcessOrder) -> String {
      arrangement.order == order ? "▾" + text : text
    }
    let text = columns.row(
      number: title("PID", .pid), processor: title("CPU %", .cpu),
      memory: title("MEMORY", .memory), user: "USER", command: "COMMAND")
    let margin = String(repeating: " ", count: ProcessColumns.mark)
    return StyledText(margin + text, .reversed).filled(toColumns: size.columns, .reversed)
  }

  private func line(
    for row: Row, _ columns: ProcessColumns, _ totals: Totals,
    _ records: [ProcessID: ProcessRecord]
  ) -> StyledText {
    var line = StyledText()
    let style = row.mark.style
    line.append(row.mark.sign.aligned(.left, columns: ProcessColumns.mark), style)
    switch row.element {
    case .section(let user):
      line.append(user, TextStyle(color: row.mark == nil ? .blue : style.color, isBold: true))
      // A section that has just gone has no sums any more.
      guard let sums = totals.users[user] else { break }
      line.append("  " + Figure.count(sums.processes, "process", "processes"), .dim)
      line.append(", \(Figure.percent(permille: sums.permille)) %", .dim)
      line.append(", \(Figure.bytes(sums.memory))", .dim)
    case .item(let id, _):
      let record = records[id]
      let text = columns.row(
        number: String(id.number),
        processor: record.map { Figure.percent(permille: $0.permille) } ?? "",
        memory: record.map { Figure.bytes($0.memory) } ?? "",
        user: record?.listed.user ?? "", command: record?.listed.command ?? "")
      line.append(text, style)
    }
    return line
  }

  /// The keys, as many as there is room for, what the source has done, where there is room for that
  /// as well, and which rows are to be seen.
  private func status(
    visible: Range<Int>, of count: Int, _ metrics: DataSourceMetrics, _ size: TerminalSize
  ) -> StyledText {
    let first = visible.lowerBound + 1
    let rows = count == 0 ? "" : "rows \(first)–\(visible.upperBound) of \(count) "
    let keys = [
      " q quit  ↑↓ scroll  PgUp PgDn page  Home End ", " q quit  ↑↓ scroll ", " q quit ",
    ]
    let longer = text(of: metrics) + "  " + rows
    let place = keys[0].columnCount + longer.columnCount <= size.columns ? longer : rows
    let room = max(0, size.columns - place.columnCount)
    let fitting = keys.first { $0.columnCount <= room } ?? ""
    return StyledText(fitting.aligned(.left, columns: room) + place, .reversed)
  }

  /// How many changes came in how many batches, and how long the longest one took to make.
  private func text(of metrics: DataSourceMetrics) -> String {
    let longest = Int(metrics.writingTime.largest / .microseconds(1))
    return Figure.count(metrics.changed, "change", "changes") + " in "
      + Figure.count(metrics.batches.count, "batch", "batches") + ", longest \(longest) µs"
  }
}

/// Sums over the rows that are there; those that have just gone do not count.
private struct Totals {
  struct User {
    var processes = 0
    var permille = 0
    var memory = 0
  }

  /// By section.
  private(set) var users: [String: User] = [:]
  private(set) var userCount = 0
  private(set) var processes = 0
  private(set) var permille = 0

  init(of rows: [ProcessScreen.Row], records: [ProcessID: ProcessRecord]) {
    var names: Set<String> = []
    for row in rows where row.mark != .deleted {
      guard case .item(let id, let section) = row.element else { continue }
      let record = records[id]
      if let record { names.insert(record.listed.user) }
      processes += 1
      permille += record?.permille ?? 0
      users[section, default: User()].processes += 1
      users[section, default: User()].permille += record?.permille ?? 0
      users[section, default: User()].memory += record?.memory ?? 0
    }
    userCount = names.count
  }
}

extension LiveRows<String, ProcessID>.Mark? {
  /// What stands before the row, so that it shows without colours, too.
  fileprivate var sign: String {
    switch self {
    case .inserted: "+"
    case .movedUp: "↑"
    case .movedDown: "↓"
    case .deleted: "-"
    case nil: ""
    }
  }

  fileprivate var style: TextStyle {
    switch self {
    case .inserted: TextStyle(color: .green)
    case .movedUp: TextStyle(color: .yellow)
    case .movedDown: TextStyle(color: .yellow, isDim: true)
    case .deleted: TextStyle(color: .red, isDim: true)
    case nil: .plain
    }
  }
}
