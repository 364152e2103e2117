public import Diffable

/// A rectangle of text in a list: a cell, a header, a badge.
///
/// Set its ``lines``, and the list itself shows the focus, the selection and change marks, and the
/// indentation and the sign of a row that folds. Or set a ``drawing``, which receives the size and the
/// state, draws all of that, and is called again when they change.
@MainActor
public final class TerminalCell {
  /// The state of a cell in a list.
  public struct State: Hashable, Sendable {
    /// Whether the next key acts on the cell.
    public var isFocused = false
    /// Whether the item is selected.
    public var isSelected = false
    /// The most recent change of the item.
    public var mark: ChangeMark?
    /// The level of the item in an outline, and whether its children show; `nil` in a flat list.
    public var disclosure: Disclosure?

    /// Creates the default state of a cell.
    package init() {}
  }

  /// Draws a cell, from top to bottom; lines outside the size are cut off.
  public typealias Drawing = @MainActor (_ size: TerminalSize, _ state: State) -> [StyledText]

  /// The text of the cell; it is clipped to the frame.
  ///
  /// In an outline, the list draws the sign of the row before it.
  public var lines: [StyledText] = [] {
    didSet { drawing = nil }
  }

  /// The first line, for cells that have one line.
  public var line: StyledText {
    get { lines.first ?? StyledText() }
    set { lines = [newValue] }
  }

  /// Draws the cell; without it the cell shows its ``lines``.
  public var drawing: Drawing?

  /// The disclosure of its row; the cell keeps it after the row is deleted.
  var disclosure: Disclosure?

  /// The identifier with which the cell was dequeued; `nil` for a placeholder.
  let reuseIdentifier: String?

  init(reuseIdentifier: String? = nil) {
    self.reuseIdentifier = reuseIdentifier
  }

  /// Creates a placeholder for a cell that could not be made.
  convenience init(placeholderFor error: some Error) {
    self.init()
    line = StyledText("\(error)", TextStyle(color: .red))
  }

  /// The lines to draw for the cell; the focus fills its frame.
  func picture(size: TerminalSize, state: State) -> [StyledText] {
    let lines = content(size: size, state: state)
    guard state.isFocused, drawing == nil else { return lines }
    let missing = max(0, size.rows - lines.count)
    return (lines + Array(repeating: StyledText(), count: missing)).map { line in
      line.filled(toColumns: max(size.columns, line.columnCount)).styled { $0.isReversed = true }
    }
  }

  /// The lines of the cell, which take as much space as it needs.
  func content(size: TerminalSize, state: State) -> [StyledText] {
    if let drawing { return drawing(size, state) }
    guard state != State() else { return lines }
    var lines = lines.map { line in line.styled { $0.show(state) } }
    if let disclosure = state.disclosure {
      for (row, line) in lines.enumerated() {
        lines[row] = line.indented(by: row == 0 ? disclosure.text : disclosure.margin)
      }
    }
    if let mark = state.mark, let first = lines.first, first.text.hasPrefix(" ") {
      // If the cell has a margin, a sign shows the change even without colours.
      lines[0] =
        StyledText(mark.sign, mark.style) + first.columns(1..<max(1, first.columnCount))
    }
    return lines
  }
}

extension TextStyle {
  /// Shows selection and change marks; the text keeps its own colours.
  fileprivate mutating func show(_ state: TerminalCell.State) {
    if state.isSelected {
      isBold = true
      color = color ?? .yellow
    }
    if let style = state.mark?.style {
      color = color ?? style.color
      isDim = isDim || style.isDim
    }
  }
}

extension Disclosure {
  /// The text before a row: two columns for each ancestor, and the sign of the row itself.
  public var text: String {
    let sign =
      switch sign {
      case .leaf: "  "
      case .collapsed: "▸ "
      case .expanded: "▾ "
      case .loading: "… "
      }
    return String(repeating: "  ", count: max(0, level)) + sign
  }

  /// Spaces of the same width as the text.
  fileprivate var margin: String { String(repeating: " ", count: text.count) }
}

extension StyledText {
  /// The line with text inserted after its margin.
  fileprivate func indented(by text: String) -> StyledText {
    let margin = self.text.prefix { $0 == " " }.count
    return columns(0..<margin) + StyledText(text, spans.first?.style ?? .plain)
      + columns(margin..<columnCount)
  }
}
