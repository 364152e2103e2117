import Diffable
import DiffableTerminal

/// The content of a row, and its drawing.
struct ProcessRow: Equatable, Sendable {
  let record: ProcessRecord
  /// The disclosure in a tree; `nil` in a flat list.
  let disclosure: Disclosure?
  let showsUser: Bool

  private var isFolded: Bool { disclosure?.sign == .collapsed }

  /// The sums shown: a collapsed row includes everything that it hides.
  private var sums: ProcessSums {
    isFolded ? record.total : record.own
  }

  func line(_ size: TerminalSize, _ state: TerminalCell.State) -> StyledText {
    let columns = ProcessColumns(width: size.columns, showsUser: showsUser)
    var style = state.mark?.style ?? .plain
    style.isReversed = state.isFocused
    style.isBold = state.isSelected
    // Names come from anybody's programs.
    var command = record.listed.command.printable()
    if let disclosure {
      let sign = [.collapsed: "▸ ", .expanded: "▾ "][disclosure.sign] ?? "  "
      // A row deep in the tree still needs space for its name.
      let indent = String(repeating: "  ", count: min(disclosure.level, columns.command / 4))
      command = indent + sign + (isFolded ? "+\(sums.processes - 1) " : "") + command
    }
    var line = StyledText(
      (state.mark?.sign ?? "").aligned(.left, columns: ProcessColumns.mark), style)
    line.append(
      columns.row(
        number: String(record.listed.id.number), processor: Figure.percent(permille: sums.permille),
        memory: Figure.bytes(sums.memory), user: record.listed.user.printable(),
        command: command), style)
    return state.isFocused ? line.filled(toColumns: size.columns, style) : line
  }
}
