extension Unicode.Scalar {
  /// The columns a terminal gives the scalar: 0, 1 or 2.
  ///
  /// Wide are the blocks of East Asian scripts and what is shown as an emoji by default, which is
  /// how terminals read Unicode Standard Annex #11.
  package var columnCount: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if properties.isEmojiPresentation { return 2 }
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
      0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265,
      0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// Whether a terminal may take the scalar for a command, or for a change of direction.
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    default: break
    }
    switch value {
    case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: return true
    default: return false
    }
  }
}

extension Character {
  /// The columns a terminal gives the character: that of its widest scalar, and two where a
  /// selector asks for an emoji.
  package var columnCount: Int {
    if unicodeScalars.contains("\u{FE0F}") { return 2 }
    return unicodeScalars.reduce(0) { max($0, $1.columnCount) }
  }

  /// Whether the next character, written directly behind this one, would become one with it.
  func joins(_ next: Character) -> Bool {
    guard !isASCII, !next.isASCII else { return false }
    return (String(self) + String(next)).count == 1
  }

  /// Whether terminals differ in the columns they give the character: most emoji, and everything
  /// that is made of several scalars.
  var hasDisputedWidth: Bool {
    guard !isASCII else { return false }
    return unicodeScalars.count > 1 || unicodeScalars.first?.properties.isEmojiPresentation == true
  }
}

extension String {
  /// The columns a terminal gives the text.
  package var columnCount: Int {
    reduce(0) { $0 + $1.columnCount }
  }

  /// The text with `?` for each scalar that could do something to a terminal: names come from
  /// anybody's programs.
  package var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var clean = UnicodeScalarView()
    clean.append(contentsOf: unicodeScalars.map { $0.isControl ? "?" : $0 })
    return String(clean)
  }

  /// The text, or its beginning and an ellipsis where it takes more columns than there are.
  package func truncated(toColumns limit: Int) -> String {
    guard limit > 0 else { return "" }
    var used = 0
    // Where to cut if the text turns out too long: the ellipsis takes a column.
    var cut = startIndex
    var index = startIndex
    while index < endIndex {
      let next = self.index(after: index)
      used += self[index].columnCount
      if used > limit { return self[..<cut] + "…" }
      if used < limit { cut = next }
      index = next
    }
    return self
  }

  /// The text between spaces, as wide as the column it stands in, or cut to it.
  package func aligned(_ edge: ColumnEdge, columns: Int) -> String {
    let text = truncated(toColumns: columns)
    let space = String(repeating: " ", count: max(0, columns - text.columnCount))
    return edge == .left ? text + space : space + text
  }
}

/// The side of a column that text stands at.
package enum ColumnEdge {
  case left
  case right
}
