/// A colour of text or of its background.
public enum TextColor: Hashable, Sendable {
  /// A colour of xterm's palette.
  ///
  /// 0 to 15 are the colours that every terminal has and that its user may choose. 16 to 231 are a
  /// cube of six shades each of red, green and blue, 232 to 255 shades of grey.
  case palette(UInt8)
  /// A mixture of red, green and blue.
  case rgb(UInt8, UInt8, UInt8)

  /// Black.
  public static let black = TextColor.palette(0)
  /// Red.
  public static let red = TextColor.palette(1)
  /// Green.
  public static let green = TextColor.palette(2)
  /// Yellow, which some terminals show as brown.
  public static let yellow = TextColor.palette(3)
  /// Blue.
  public static let blue = TextColor.palette(4)
  /// Magenta.
  public static let magenta = TextColor.palette(5)
  /// Cyan.
  public static let cyan = TextColor.palette(6)
  /// White, or light grey.
  public static let white = TextColor.palette(7)
  /// Dark grey: the bright variant of black.
  public static let gray = TextColor.palette(8)

  /// The nearest colour at a colour depth; `nil` if there are no colours.
  public func reduced(to depth: ColorDepth) -> TextColor? {
    switch (depth, self) {
    case (.none, _): nil
    case (.trueColor, _), (.palette256, .palette), (.sixteen, .palette(0...15)): self
    case (.palette256, .rgb): .palette(TextColor.nearest(to: components, among: 16...255))
    case (.sixteen, _): .palette(TextColor.nearest(to: components, among: 0...15))
    }
  }

  /// The parameters that select the colour: base 30 for the text, 40 for the background.
  func parameters(base: Int) -> [Int] {
    switch self {
    case .palette(let number) where number < 8: [base + Int(number)]
    case .palette(let number) where number < 16: [base + 52 + Int(number)]
    case .palette(let number): [base + 8, 5, Int(number)]
    case .rgb(let red, let green, let blue): [base + 8, 2, Int(red), Int(green), Int(blue)]
    }
  }

  /// Red, green and blue, as xterm shows the palette by default.
  private var components: [Int] {
    switch self {
    case .rgb(let red, let green, let blue): return [Int(red), Int(green), Int(blue)]
    case .palette(let number):
      let number = Int(number)
      if number < 16 { return TextColor.basic[number] }
      if number >= 232 { return Array(repeating: 8 + 10 * (number - 232), count: 3) }
      return [(number - 16) / 36, (number - 16) / 6 % 6, (number - 16) % 6].map {
        $0 == 0 ? 0 : 55 + 40 * $0
      }
    }
  }

  private static func nearest(to components: [Int], among numbers: ClosedRange<UInt8>) -> UInt8 {
    func distance(_ number: UInt8) -> Int {
      zip(TextColor.palette(number).components, components).reduce(0) {
        $0 + ($1.0 - $1.1) * ($1.0 - $1.1)
      }
    }
    return numbers.min { distance($0) < distance($1) } ?? 0
  }

  private static let basic = [
    [0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0], [0, 0, 238], [205, 0, 205], [0, 205, 205],
    [229, 229, 229], [127, 127, 127], [255, 0, 0], [0, 255, 0], [255, 255, 0], [92, 92, 255],
    [255, 0, 255], [0, 255, 255], [255, 255, 255],
  ]
}

/// The number of colours of a terminal.
public enum ColorDepth: Int, Hashable, CaseIterable, Sendable {
  /// No colours, or colours are switched off.
  case none
  /// The colours that every terminal has, each in two shades.
  case sixteen
  /// The palette of xterm.
  case palette256
  /// Every mixture of red, green and blue.
  case trueColor

  /// The colour depth according to the environment of a program.
  ///
  /// A `NO_COLOR` that is not empty switches colours off (no-color.org). Otherwise `COLORTERM` is
  /// `truecolor` or `24bit`, or the name in `TERM` determines the depth. Without a terminal, with
  /// one called `dumb` and with a monochrome one there are no colours.
  public init(environment: [String: String]) {
    let name = environment["TERM"] ?? ""
    let isMonochrome =
      name.isEmpty || name.hasSuffix("-m") || name.hasSuffix("-mono")
      || ["dumb", "vt100", "vt102", "vt220"].contains(name)
    if !(environment["NO_COLOR"] ?? "").isEmpty || isMonochrome {
      self = .none
    } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
      || name.hasSuffix("-direct")
    {
      self = .trueColor
    } else {
      self = name.contains("256color") ? .palette256 : .sixteen
    }
  }
}
