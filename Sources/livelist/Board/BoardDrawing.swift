import Diffable
import DiffableTerminal
import DiffableViews

extension BoardEdits {
  /// A card in one line: whether the server has it, whether it is done, and why a change was refused.
  func line(_ card: BoardCard, _ size: TerminalSize, _ state: TerminalCell.State) -> StyledText {
    let isPending = pending.contains(card.id)
    var line = StyledText(
      isPending ? " … " : state.mark.map { " \($0.sign) " } ?? "   ",
      state.mark?.style ?? .dim)
    let style = TextStyle(isDim: isPending || card.isDone)
    line.append((card.isDone ? "[x] " : "[ ] ") + card.title.printable(), style)
    if let reason = refusals[card.id] {
      line.append("  not saved: \(reason)", TextStyle(color: .red))
    }
    guard state.isFocused else { return line }
    return line.filled(toColumns: size.columns).styled { $0.isReversed = true }
  }
}

extension BoardView {
  /// The screen for a size; the list gets the space that title, banner and keys leave.
  func screen(_ size: TerminalSize) -> Screen {
    screen(size, below: [title, banner(size)], from: 5, notice: notice(size)) { status(size) }
  }

  /// Whether anything is known of the board.
  var hasColumns: Bool { controller.snapshot.numberOfSections > 0 }

  /// What is said as long as the columns are not known.
  private func notice(_ size: TerminalSize) -> [StyledText] {
    guard !hasColumns else { return [] }
    let reason = offlineReason?.printable() ?? "the board is empty"
    return notice(
      "No column is known yet, so no card can be added: \(reason).", columns: size.columns)
  }

  private var title: StyledText {
    var line = StyledText(" livelist board ", TextStyle(color: .cyan, isBold: true))
    line.append("  " + Figure.count(controller.snapshot.numberOfItems, "card", "cards"))
    return line
  }

  /// Why the server cannot be reached, and what waits for it if there is space.
  private func banner(_ size: TerminalSize) -> StyledText {
    guard let offlineReason else { return StyledText() }
    let style = TextStyle(color: .yellow, isBold: true, isReversed: true)
    let waiting =
      edits.pending.isEmpty
      ? "changes will wait" : Figure.count(edits.pending.count, "card waits", "cards wait")
    let reason = " Offline, \(offlineReason.printable())"
    let line = StyledText("\(reason): \(waiting) ", style)
    // Without columns there is nothing to change.
    return (hasColumns && line.columnCount <= size.columns ? line : StyledText(reason + " ", style))
      .filled(toColumns: size.columns, style).clipped(toColumns: size.columns)
  }

  /// What the user who quits waits for, the line that the user writes, what there is to say, or the keys.
  private func status(_ size: TerminalSize) -> StyledText {
    if isLeaving {
      let count = Figure.count(edits.undecidedCount, "change", "changes")
      return StyledText(
        " Sending \(count); any key ends livelist at once", TextStyle(color: .yellow, isBold: true)
      ).clipped(toColumns: size.columns)
    }
    if let entry {
      var line = StyledText(" \(entry.prompt): ", TextStyle(color: .cyan, isBold: true))
      line.append(entry.text)
      line.append(" ", .reversed)
      let count = line.columnCount
      return hints.line(
        beside: line.columns(max(0, count - size.columns)..<count), columns: size.columns)
    }
    if let message {
      return StyledText(" " + message.printable(), TextStyle(color: .red, isBold: true))
        .clipped(toColumns: size.columns)
    }
    return hints.line(columns: size.columns)
  }
}

extension BoardView.Entry {
  fileprivate var prompt: String {
    switch purpose {
    case .adding(let column): "Add to \(column.printable())"
    case .renaming: "Title"
    }
  }
}
