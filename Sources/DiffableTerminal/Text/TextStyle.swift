/// How a piece of text looks in a terminal.
public struct TextStyle: Hashable, Sendable {
  /// The colour of the text; the terminal's own if there is none.
  public var color: TextColor?
  /// The colour behind the text; the terminal's own if there is none.
  public var background: TextColor?
  /// Answers whether the text is bold, or bright.
  public var isBold: Bool
  /// Answers whether the text is faint.
  public var isDim: Bool
  /// Answers whether a line runs below the text.
  public var isUnderlined: Bool
  /// Answers whether text and background have changed places.
  public var isReversed: Bool

  /// Creates a style; the plain one if nothing is said.
  public init(
    color: TextColor? = nil, background: TextColor? = nil, isBold: Bool = false,
    isDim: Bool = false, isUnderlined: Bool = false, isReversed: Bool = false
  ) {
    self.color = color
    self.background = background
    self.isBold = isBold
    self.isDim = isDim
    self.isUnderlined = isUnderlined
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

  /// The parameters of the escape sequence that selects the style from the plain one (ECMA-48, SGR).
  func parameters(at depth: ColorDepth) -> [Int] {
    var parameters: [Int] = []
    if isBold { parameters.append(1) }
    if isDim { parameters.append(2) }
    if isUnderlined { parameters.append(4) }
    if isReversed { parameters.append(7) }
    parameters += color?.reduced(to: depth)?.parameters(base: 30) ?? []
    parameters += background?.reduced(to: depth)?.parameters(base: 40) ?? []
    return parameters
  }
}
