import Diffable
import DiffableTerminal
import DiffableViews
import Foundation

extension ProcessView {
  /// The screen for a size; the list gets the space that titles and keys leave.
  func screen(_ size: TerminalSize) -> Screen {
    let notice = notice(
      ofMany: "processes", found: controller.snapshot.numberOfItems, columns: size.columns)
    return screen(size, below: [title(size), titles(size)], from: 4, notice: notice) {
      status(size)
    }
  }

  private static let warning = TextStyle(color: .red, isBold: true)

  /// The totals, after the program's name if there is space.
  private func title(_ size: TerminalSize) -> StyledText {
    let sums = summary.sums
    var line = StyledText(Figure.count(sums.processes, "process", "processes"), .bold)
    line.append(
      arrangement.grouping == .machines
        ? " on " + Figure.count(summary.machines, "machine", "machines")
        : " of " + Figure.count(summary.users, "user", "users"))
    if !silentMachines.isEmpty { line.append(", \(silentMachines.count) silent", Self.warning) }
    line.append("   CPU ", .dim)
    line.append("\(Figure.percent(permille: sums.permille)) %", .bold)
    if let cores { line.append(" of " + Figure.count(cores, "core", "cores")) }
    if let memory = summary.machineMemory {
      line.append("   memory ", .dim)
      line.append(Figure.bytes(memory.used), .bold)
      line.append(" of \(Figure.bytes(memory.total))")
    }
    let name = StyledText("livelist", TextStyle(color: .cyan, isBold: true))
    let room = size.columns - name.columnCount - 1
    return line.columnCount > room ? line : line.filled(toColumns: room + 1) + name
  }

  private func titles(_ size: TerminalSize) -> StyledText {
    let columns = ProcessColumns(
      width: size.columns, showsUser: arrangement.grouping != .users)
    return StyledText(columns.titles(sortedBy: arrangement.order), .reversed)
      .filled(toColumns: size.columns, .reversed)
  }

  /// A user with the sums over the shown rows of the section.
  func header(of section: ProcessGroup, _ mark: ChangeMark?) -> StyledText {
    var line = StyledText(
      (mark?.sign ?? "").aligned(.left, columns: ProcessColumns.mark), mark?.style ?? .plain)
    let name =
      switch section {
      case .everybody: "all users"
      case .user(let name), .machine(let name): name.printable()
      }
    line.append(name, TextStyle(color: mark?.style.color ?? .blue, isBold: true))
    let sums = controller.sectionModel(for: section)?.sums ?? .zero
    line.append("  " + Figure.count(sums.processes, "process", "processes"), .dim)
    line.append(", \(Figure.percent(permille: sums.permille)) %", .dim)
    line.append(", \(Figure.bytes(sums.memory))", .dim)
    if case .machine(let name) = section, let date = silentMachines[name] {
      line.append("  silent since \(Figure.time(date, now: Date()))", Self.warning)
    }
    return line
  }

  /// The search or the keys, the metrics of the source if there is space, and the visible rows.
  private func status(_ size: TerminalSize) -> StyledText {
    let visible = list.visibleLines
    let count = list.lineCount
    let rows =
      count == 0 ? "" : " rows \(visible.lowerBound + 1)–\(visible.upperBound) of \(count) "
    let longer = " " + text(of: metrics()) + " " + rows
    let hints = hints
    // How to quit comes before the place, and all keys before the metrics.
    let place =
      [(longer, hints.text), (rows, hints.text(1)), ("", "")].first { place, keys in
        place.columnCount + keys.columnCount <= size.columns
      }?.0 ?? ""
    let room = max(0, size.columns - place.columnCount)
    if field.isEditing || !field.text.isEmpty {
      let line = field.line(columns: min(room, field.text.columnCount + 5))
      return hints.line(beside: line, columns: room).filled(toColumns: room)
        + StyledText(place, .reversed)
    }
    return hints.line(columns: room) + StyledText(place, .reversed)
  }

  /// The numbers of changes and batches, and the longest time that a change took.
  private func text(of metrics: DataSourceMetrics) -> String {
    return Figure.count(metrics.changed, "change", "changes") + " in "
      + Figure.count(metrics.batches.count, "batch", "batches")
      + ", longest \(Figure.duration(metrics.writingTime.largest))"
  }
}
