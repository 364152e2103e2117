/// One line of a screen: pieces of text, each in one style.
public struct StyledText: Equatable, Sendable {
  /// A piece of text in one style.
  public struct Span: Equatable, Sendable {
    /// The text, without escape sequences.
    public let text: String
    /// How it looks.
    public let style: TextStyle
  }

  /// The pieces, from left to right.
  public private(set) var spans: [Span] = []
  /// The columns of all pieces.
  public private(set) var columnCount = 0

  /// Creates an empty line.
  public init() {}

  /// Creates a line of one piece.
  ///
  /// - Parameters:
  ///   - text: The text. What a terminal could take for a command becomes `?`.
  ///   - style: How it looks.
  public init(_ text: String, _ style: TextStyle = .plain) {
    append(text, style)
  }

  /// The text without its styles.
  public var text: String { spans.map(\.text).joined() }

  /// Adds a piece on the right.
  ///
  /// What a terminal could take for a command becomes `?`.
  ///
  /// - Complexity: O(n) for n scalars.
  public mutating func append(_ text: String, _ style: TextStyle = .plain) {
    guard !text.isEmpty else { return }
    let text = text.withoutControls
    spans.append(Span(text: text, style: style))
    columnCount += text.columnCount
  }

  /// One line behind the other.
  public static func + (left: StyledText, right: StyledText) -> StyledText {
    var line = left
    line.spans += right.spans
    line.columnCount += right.columnCount
    return line
  }

  /// Fills the line with spaces, or cuts it, so that it takes exactly so many columns.
  public func filled(toColumns limit: Int, _ style: TextStyle = .plain) -> StyledText {
    var line = clipped(toColumns: limit)
    line.append(String(repeating: " ", count: limit - line.columnCount), style)
    return line
  }

  /// The line, or its beginning where it takes more columns than there are.
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

  /// Exactly the columns of a range: half of a wide character is a space, and so is what lies behind
  /// the end of the line.
  ///
  /// - Complexity: O(n) for n characters.
  public func columns(_ range: Range<Int>) -> StyledText {
    var grid = TextGrid(columns: range.count, rows: 1)
    grid.draw(self, column: -range.lowerBound, row: 0)
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

  /// The line with text and background in each other's place.
  public var reversed: StyledText {
    styled { $0.isReversed.toggle() }
  }
}
