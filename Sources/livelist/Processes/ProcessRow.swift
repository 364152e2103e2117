import Diffable
import DiffableTerminal

/// What a row shows, and how.
struct ProcessRow: Equatable, Sendable {
  let record: ProcessRecord
  /// The row in a tree; `nil` in a list.
  let disclosure: Disclosure?
  /// The sums of a row and all that it hides, where it hides something.
  let sums: ProcessSums?
  let showsUser: Bool

  func line(_ size: TerminalSize, _ state: TerminalCell.State) -> StyledText {
    let columns = ProcessColumns(width: size.columns, showsUser: showsUser)
    var style = state.mark?.style ?? .plain
    style.isReversed = state.isFocused
    style.isBold = state.isSelected
    var command = record.listed.command
    if let disclosure {
      let sign = [.collapsed: "▸ ", .expanded: "▾ "][disclosure.sign] ?? "  "
      // What stands deep below keeps room for its name.
      let indent = String(repeating: "  ", count: min(disclosure.level, columns.command / 4))
      let hidden = sums.map { "+\($0.processes - 1) " } ?? ""
      command = indent + sign + hidden + command
    }
    var line = StyledText(
      (state.mark?.sign ?? "").aligned(.left, columns: ProcessColumns.mark), style)
    line.append(
      columns.row(
        number: String(record.listed.id.number),
        processor: Figure.percent(permille: sums?.permille ?? record.permille),
        memory: Figure.bytes(sums?.memory ?? record.memory), user: record.listed.user,
        command: command), style)
    return state.isFocused ? line.filled(toColumns: size.columns, style) : line
  }
}

/// Sums over some processes.
struct ProcessSums: Equatable, Sendable {
  var processes = 0
  var permille = 0
  var memory = 0

  init(of items: some Sequence<ProcessID>, _ records: [ProcessID: ProcessRecord]) {
    for record in items.lazy.compactMap({ records[$0] }) {
      processes += 1
      permille += record.permille
      memory += record.memory
    }
  }
}
