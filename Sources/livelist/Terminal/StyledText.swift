/// How a piece of text looks in a terminal.
struct TextStyle: Hashable, Sendable {
  /// The colours every terminal has, with the parameter that selects each (ECMA-48, SGR).
  enum Color: Int, Sendable {
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case cyan = 36
  }

  var color: Color?
  var isBold = false
  var isDim = false
  var isReversed = false

  static let plain = TextStyle()
  static let bold = TextStyle(isBold: true)
  static let dim = TextStyle(isDim: true)
  static let reversed = TextStyle(isReversed: true)

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
struct StyledText: Equatable, Sendable {
  struct Span: Equatable, Sendable {
    let text: String
    let style: TextStyle
  }

  private(set) var spans: [Span] = []
  /// The columns of all pieces.
  private(set) var columnCount = 0

  init() {}

  init(_ text: String, _ style: TextStyle = .plain) {
    append(text, style)
  }

  /// The text without its styles.
  var text: String { spans.map(\.text).joined() }

  mutating func append(_ text: String, _ style: TextStyle = .plain) {
    guard !text.isEmpty else { return }
    spans.append(Span(text: text, style: style))
    columnCount += text.columnCount
  }

  static func + (left: StyledText, right: StyledText) -> StyledText {
    var line = left
    line.spans += right.spans
    line.columnCount += right.columnCount
    return line
  }

  /// Fills the line with spaces, or cuts it, so that it takes exactly so many columns.
  func filled(toColumns limit: Int, _ style: TextStyle = .plain) -> StyledText {
    var line = clipped(toColumns: limit)
    line.append(String(repeating: " ", count: limit - line.columnCount), style)
    return line
  }

  /// The line, or its beginning where it takes more columns than there are.
  func clipped(toColumns limit: Int) -> StyledText {
    guard columnCount > limit else { return self }
    var line = StyledText()
    for span in spans {
      let room = limit - line.columnCount
      guard room > 0 else { break }
      line.append(span.text.truncated(toColumns: room), span.style)
    }
    return line
  }
}
