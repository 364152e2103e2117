/// A line of a screen: spans of text, each in one style.
public struct StyledText: Equatable, Sendable {
  /// A span of text in one style.
  package struct Span: Equatable, Sendable {
    /// The text, without escape sequences.
    package let text: String
    /// The style of the text.
    package let style: TextStyle
  }

  /// The spans, from left to right.
  package private(set) var spans: [Span] = []
  /// The total number of columns.
  public private(set) var columnCount = 0

  /// Creates an empty line.
  public init() {}

  /// Creates a line of one span.
  ///
  /// - Parameters:
  ///   - text: The text. A tab becomes spaces up to the next multiple of eight columns. Other
  ///     characters that a terminal could treat as a command become `?`.
  ///   - style: The style of the text.
  public init(_ text: String, _ style: TextStyle = .plain) {
    append(text, style)
  }

  /// The text without its styles.
  public var text: String { spans.map(\.text).joined() }

  /// Appends a span.
  ///
  /// A tab becomes spaces up to the next multiple of eight columns of the line. Other characters that
  /// a terminal could treat as a command become `?`.
  ///
  /// - Complexity: O(n) for n scalars.
  public mutating func append(_ text: String, _ style: TextStyle = .plain) {
    guard !text.isEmpty else { return }
    let text = text.printable(fromColumn: columnCount)
    spans.append(Span(text: text, style: style))
    columnCount += text.columnCount
  }

  /// Concatenates two lines.
  public static func + (left: StyledText, right: StyledText) -> StyledText {
    var line = left
    line.spans += right.spans
    line.columnCount += right.columnCount
    return line
  }

  /// Pads the line with spaces, or cuts it, to an exact number of columns.
  public func filled(toColumns limit: Int, _ style: TextStyle = .plain) -> StyledText {
    var line = clipped(toColumns: limit)
    line.append(String(repeating: " ", count: max(0, limit - line.columnCount)), style)
    return line
  }

  /// The line, or its beginning if it has too many columns.
  public func clipped(toColumns limit: Int) -> StyledText {
    guard columnCount > limit else { return self }
    var line = StyledText()
    for span in spans {
      let room = limit - line.columnCount
      guard room > 0 else { break }
      line.append(span.text.truncated(toColumns: room), span.style)
    }
    return line
  }

  /// Exactly the columns of a range.
  ///
  /// Half of a wide character becomes a space, and so do columns after the end of the line.
  ///
  /// - Complexity: O(n) for n characters.
  public func columns(_ range: Range<Int>) -> StyledText {
    var grid = TextGrid(columns: range.count, rows: 1)
    // The least number has no negative.
    grid.draw(self, column: -max(range.lowerBound, -.max), row: 0)
    return grid.lines[0].filled(toColumns: range.count)
  }

  /// The line with every style changed.
  public func styled(_ change: (inout TextStyle) -> Void) -> StyledText {
    var line = StyledText()
    for span in spans {
      var style = span.style
      change(&style)
      line.append(span.text, style)
    }
    return line
  }

  /// The line with text colour and background swapped.
  public var reversed: StyledText {
    styled { $0.isReversed.toggle() }
  }
}
