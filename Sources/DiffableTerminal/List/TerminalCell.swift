public import Diffable

/// A rectangle of text in a list: a cell, a header, a badge.
///
/// Give it ``lines``, and the list shows by itself which cell has the focus, which are selected and
/// what has just changed. Or give it a ``drawing``, which is told the size and all of that, and is
/// drawn again when they change.
@MainActor
public final class TerminalCell {
  /// What a list tells a cell about itself.
  public struct State: Hashable, Sendable {
    /// Whether the next key acts on the cell.
    public var isFocused = false
    /// Whether the item is selected.
    public var isSelected = false
    /// What has just happened to it.
    public var mark: ChangeMark?
    /// How deep the item stands in an outline, and whether its children show; `nil` in a list.
    public var disclosure: Disclosure?

    /// Creates the state of a cell that nothing is said about.
    public init() {}
  }

  /// Draws a cell, from top to bottom; what does not fit the size is cut off.
  public typealias Drawing = @MainActor (_ size: TerminalSize, _ state: State) -> [StyledText]

  /// What the cell shows; cut off where its frame ends.
  public var lines: [StyledText] = [] {
    didSet { drawing = nil }
  }

  /// The one line of a cell that has one.
  public var line: StyledText {
    get { lines.first ?? StyledText() }
    set { lines = [newValue] }
  }

  /// Draws the cell; without it the cell shows its ``lines``.
  public var drawing: Drawing?

  /// The disclosure of its row, which the cell keeps when the row is gone.
  var disclosure: Disclosure?

  /// What the cell was dequeued with; `nil` for a placeholder.
  let reuseIdentifier: String?

  init(reuseIdentifier: String? = nil) {
    self.reuseIdentifier = reuseIdentifier
  }

  /// Creates what stands in for a cell that could not be made.
  convenience init(placeholderFor error: some Error) {
    self.init()
    line = StyledText("\(error)", TextStyle(color: .red))
  }

  /// What is to be seen of the cell.
  func picture(size: TerminalSize, state: State) -> [StyledText] {
    if let drawing { return drawing(size, state) }
    guard state != State() else { return lines }
    var lines = lines.map { line in line.styled { $0.show(state) } }
    if let disclosure = state.disclosure {
      for (row, line) in lines.enumerated() {
        lines[row] = line.indented(by: row == 0 ? disclosure.text : disclosure.margin)
      }
    }
    if let mark = state.mark, let first = lines.first, first.text.hasPrefix(" ") {
      // Where the cell leaves a margin, a sign tells of the change without colours, too.
      lines[0] =
        StyledText(mark.sign, mark.style) + first.columns(1..<max(1, first.columnCount))
    }
    guard state.isFocused else { return lines }
    let missing = max(0, size.rows - lines.count)
    return (lines + Array(repeating: StyledText(), count: missing)).map { line in
      line.filled(toColumns: max(size.columns, line.columnCount)).styled { $0.isReversed = true }
    }
  }
}

extension TextStyle {
  /// Shows selection and change; colours that the text has of its own stay.
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
  /// What stands before a row: two columns for each ancestor, and the sign of the row itself.
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

  /// As much room as the text takes.
  fileprivate var margin: String { String(repeating: " ", count: text.count) }
}

extension StyledText {
  /// The line with something between its margin and what it begins with.
  fileprivate func indented(by text: String) -> StyledText {
    let margin = self.text.prefix { $0 == " " }.count
    return columns(0..<margin) + StyledText(text, spans.first?.style ?? .plain)
      + columns(margin..<columnCount)
  }
}
