extension Unicode.Scalar {
  /// The number of columns of the scalar in a terminal: 0, 1 or 2.
  ///
  /// The blocks of East Asian scripts and scalars that are shown as an emoji by default are wide.
  /// That is how terminals interpret Unicode Standard Annex #11.
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

  /// Whether a terminal may treat the scalar as a command or a change of direction.
  package var isControl: Bool {
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
  /// The number of columns of the character in a terminal.
  ///
  /// That is the width of all its scalars, at most two: a vowel of Thai or Hindi after its consonant takes
  /// a column of its own. It is two if a selector asks for the emoji of a scalar that has one.
  package var columnCount: Int {
    if unicodeScalars.contains("\u{FE0F}"), unicodeScalars.first?.properties.isEmoji == true {
      return 2
    }
    return min(2, separateColumnCount)
  }

  /// The number of columns in a terminal that shows each scalar for itself.
  var separateColumnCount: Int { unicodeScalars.reduce(0) { $0 + $1.columnCount } }

  /// Whether the next character, written directly after this one, would be joined with it.
  func joins(_ next: Character) -> Bool {
    // A letter and a tone of skin are joined, too.
    guard !isASCII || !next.isASCII else { return false }
    return (String(self) + String(next)).count == 1
  }

  /// Whether terminals differ in the width of the character.
  ///
  /// They do for most emoji, and for all characters of several scalars.
  var hasDisputedWidth: Bool {
    guard !isASCII else { return false }
    return unicodeScalars.count > 1 || unicodeScalars.first?.properties.isEmojiPresentation == true
  }
}

extension String {
  /// The number of columns of the text in a terminal.
  package var columnCount: Int {
    reduce(0) { $0 + $1.columnCount }
  }

  /// The distance between two tab stops, in columns.
  private static let tabStop = 8

  /// The text as a line of a terminal can show it; the text may not be trusted.
  ///
  /// A tab becomes spaces up to the next tab stop. Any other scalar that could affect a terminal
  /// becomes a `?`.
  ///
  /// - Parameter column: The column of the line in which the text begins.
  /// - Complexity: O(n) for n scalars.
  package func printable(fromColumn column: Int = 0) -> String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var (line, column) = ("", column)
    for (index, part) in unicodeScalars.split(separator: "\t", omittingEmptySubsequences: false)
      .enumerated()
    {
      // The last space of a tab counts with what follows: an accent there has no column of its own.
      let space = index == 0 ? "" : " "
      if index > 0 {
        let gap = String.tabStop - column % String.tabStop - 1
        line += String(repeating: " ", count: gap)
        column += gap
      }
      var clean = UnicodeScalarView(space.unicodeScalars)
      clean.append(contentsOf: part.lazy.map { $0.isControl ? "?" : $0 })
      line.unicodeScalars += clean
      column += String(clean).columnCount
    }
    return line
  }

  /// The text, or its beginning and an ellipsis if it has too many columns.
  package func truncated(toColumns limit: Int) -> String {
    guard limit > 0 else { return "" }
    var used = 0
    // The place to cut if the text turns out too long: the ellipsis takes a column.
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

  /// The text, padded with spaces or truncated to the width of a column.
  package func aligned(_ edge: ColumnEdge, columns: Int) -> String {
    let text = truncated(toColumns: columns)
    let space = String(repeating: " ", count: max(0, columns - text.columnCount))
    return edge == .left ? text + space : space + text
  }
}

/// The side of a column at which text is aligned.
package enum ColumnEdge {
  case left
  case right
}
