/// How a piece of text looks in a terminal.
public struct TextStyle: Hashable, Sendable {
  /// The colours every terminal has, with the parameter that selects each (ECMA-48, SGR).
  public enum Color: Int, Sendable {
    /// Red.
    case red = 31
    /// Green.
    case green = 32
    /// Yellow, which some terminals show as brown.
    case yellow = 33
    /// Blue.
    case blue = 34
    /// Magenta.
    case magenta = 35
    /// Cyan.
    case cyan = 36
  }

  /// The colour of the text; the terminal's own if there is none.
  public var color: Color?
  /// Answers whether the text is bold, or bright.
  public var isBold: Bool
  /// Answers whether the text is faint.
  public var isDim: Bool
  /// Answers whether text and background have changed places.
  public var isReversed: Bool

  /// Creates a style; the plain one if nothing is said.
  public init(
    color: Color? = nil, isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false
  ) {
    self.color = color
    self.isBold = isBold
    self.isDim = isDim
    self.isReversed = isReversed
  }

  /// As the terminal shows text by itself.
  public static let plain = TextStyle()
  /// Bold text.
  public static let bold = TextStyle(isBold: true)
  /// Faint text.
  public static let dim = TextStyle(isDim: true)
  /// Text and background have changed places.
  public static let reversed = TextStyle(isReversed: true)

  /// The parameters of the escape sequence that selects the style from the plain one.
  func parameters(usesColor: Bool) -> [Int] {
    var parameters: [Int] = []
    if isBold { parameters.append(1) }
    if isDim { parameters.append(2) }
    if isReversed { parameters.append(7) }
    if usesColor, let color { parameters.append(color.rawValue) }
    return parameters
  }
}

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

  /// The line with text and background in each other's place.
  public var reversed: StyledText {
    var line = StyledText()
    for span in spans {
      var style = span.style
      style.isReversed.toggle()
      line.append(span.text, style)
    }
    return line
  }
}
