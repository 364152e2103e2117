/// The style of text in a terminal.
public struct TextStyle: Hashable, Sendable {
  /// The colour of the text; the terminal's default if `nil`.
  public var color: TextColor?
  /// The background colour; the terminal's default if `nil`.
  public var background: TextColor?
  /// Whether the text is bold or bright.
  public var isBold: Bool
  /// Whether the text is faint.
  public var isDim: Bool
  /// Whether the text is underlined.
  public var isUnderlined: Bool
  /// Whether text colour and background are swapped.
  public var isReversed: Bool

  /// Creates a style; by default the plain one.
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

  /// The default style of the terminal.
  public static let plain = TextStyle()
  /// Bold text.
  public static let bold = TextStyle(isBold: true)
  /// Faint text.
  public static let dim = TextStyle(isDim: true)
  /// Text colour and background swapped.
  public static let reversed = TextStyle(isReversed: true)

  /// The parameters of the escape sequence from the plain style to this one (ECMA-48, SGR).
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
