import DiffableTerminal

/// Draws exhibits, in any size and state.
enum ExhibitDrawing {
  static func lines(
    _ banner: Banner, _ size: TerminalSize, _ state: TerminalCell.State
  ) -> [StyledText] {
    let background = TextStyle(color: .rgb(240, 240, 240), background: banner.color)
    var bold = background
    bold.isBold = true
    bold.isUnderlined = state.isFocused
    var headline = StyledText("  ", background)
    headline.append(sign(of: state), bold)
    headline.append(banner.headline, bold)
    let words = StyledText("  ", background) + StyledText(banner.text, background)
    let lines = [StyledText(), headline, StyledText(), words]
    return (0..<max(0, size.rows)).map { row in
      (row < lines.count ? lines[row] : StyledText()).filled(toColumns: size.columns, background)
    }
  }

  static func lines(
    _ photo: Photo, _ size: TerminalSize, _ state: TerminalCell.State
  ) -> [StyledText] {
    var likes = StyledText("♥ ", TextStyle(color: .rgb(225, 70, 100)))
    likes.append("\(photo.likes)", .dim)
    return box([StyledText(photo.sign + " " + photo.place, .bold), likes], size, state)
  }

  static func lines(
    _ film: Film, _ size: TerminalSize, _ state: TerminalCell.State
  ) -> [StyledText] {
    let columns = max(0, size.columns - 4)
    let seen = film.length == 0 ? 0 : min(columns, columns * film.seen / film.length)
    var progress = StyledText(
      String(repeating: "━", count: seen), TextStyle(color: .rgb(240, 170, 60)))
    progress.append(String(repeating: "─", count: columns - seen), .dim)
    return box([StyledText("▶ " + film.title, .bold), progress], size, state)
  }

  /// The sign of a recent change, or of the selection.
  private static func sign(of state: TerminalCell.State) -> String {
    if let mark = state.mark { return mark.sign + " " }
    return state.isSelected ? "★ " : ""
  }

  /// Lines in a frame that shows the state of the cell.
  private static func box(
    _ content: [StyledText], _ size: TerminalSize, _ state: TerminalCell.State
  ) -> [StyledText] {
    guard size.columns >= 4, size.rows >= 3 else { return content }
    let edges = state.isFocused ? "┏━┓┃┗┛" : "╭─╮│╰╯"
    let edge = edges.map(String.init)
    var style = state.mark?.style ?? TextStyle(color: .gray)
    if state.isFocused {
      style = TextStyle(color: style.color == .gray ? .cyan : style.color, isBold: true)
    }
    let inner = size.columns - 2
    let sign = sign(of: state)
    let top = sign.isEmpty ? "" : edge[1] + " " + sign
    var lines = [
      StyledText(
        edge[0] + top + String(repeating: edge[1], count: max(0, inner - top.count)) + edge[2],
        style)
    ]
    for row in 0..<size.rows - 2 {
      var text = StyledText(" ")
      if row < content.count {
        text = text + content[row].styled { $0.isDim = $0.isDim || state.mark == .deleted }
      }
      lines.append(
        StyledText(edge[3], style)
          + (text.clipped(toColumns: inner - 1)).filled(toColumns: inner)
          + StyledText(edge[3], style))
    }
    lines.append(
      StyledText(edge[4] + String(repeating: edge[1], count: inner) + edge[5], style))
    return lines
  }
}
