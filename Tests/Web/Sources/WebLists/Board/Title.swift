/// What a title from outside is made of.
enum Title {
  /// A title with single spaces between words, and without what would change the text around it.
  static func tidied(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.lazy.filter { !turnsText($0) })
    return String(scalars).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether somebody can see anything of a text.
  static func isVisible(_ text: String) -> Bool { text.unicodeScalars.contains(where: isVisible) }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    // Fillers of Hangul are letters, and the empty pattern of Braille is a symbol.
    guard !scalar.properties.isDefaultIgnorableCodePoint, scalar != "\u{2800}" else { return false }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .spaceSeparator, .nonspacingMark, .enclosingMark:
      false
    default: true
    }
  }

  /// Whether it sets the direction of all that follows, also after the end of the title, or is no text.
  private static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x2069: true
    default:
      scalar.properties.generalCategory == .control && !scalar.properties.isWhitespace
    }
  }
}
