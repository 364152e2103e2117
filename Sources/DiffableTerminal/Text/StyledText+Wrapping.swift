extension StyledText {
  /// The text in lines that are no wider than a limit.
  ///
  /// A line ends at a space, which is left out, or between two wide characters. A word that is longer
  /// than a line is cut. If a line is a single column, a wide character is wider than its line.
  ///
  /// - Parameter limit: The number of columns of a line; at least 1.
  /// - Returns: The lines; an empty one for an empty text.
  /// - Complexity: O(n) for n characters, given a constant limit.
  public func wrapped(toColumns limit: Int) -> [StyledText] {
    let characters = spans.indices.flatMap { index in
      spans[index].text.map { WrappedCharacter(character: $0, span: index) }
    }
    var lines: [StyledText] = []
    var rest = characters[...]
    repeat {
      let line = rest.prefix(Self.length(of: rest, limit: max(1, limit)))
      lines.append(self.line(of: line))
      rest = rest[line.endIndex...]
      if !line.isEmpty { rest = rest.drop { $0.isSpace } }
    } while !rest.isEmpty
    return lines
  }

  /// The number of characters in the first line of a text.
  private static func length(of text: ArraySlice<WrappedCharacter>, limit: Int) -> Int {
    var columns = 0
    let end =
      text.firstIndex { character in
        columns += character.columnCount
        return columns > limit
      } ?? text.endIndex
    guard end < text.endIndex else { return text.count }
    let first = text.startIndex
    let cut = (first..<end).last { index in
      text[index].allowsBreak(before: text[index + 1])
    }
    return max(1, (cut.map { $0 + 1 } ?? end) - first)
  }

  /// The characters as a line, without spaces at its end.
  private func line(of characters: ArraySlice<WrappedCharacter>) -> StyledText {
    var line = StyledText()
    let end = characters.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? characters.startIndex
    var text = ""
    for index in characters.startIndex..<end {
      text.append(characters[index].character)
      let isLast = index + 1 == end || characters[index + 1].span != characters[index].span
      if isLast {
        line.append(text, spans[characters[index].span].style)
        text = ""
      }
    }
    return line
  }
}

/// A character of a text that is cut into lines.
private struct WrappedCharacter {
  let character: Character
  /// The index of its span.
  let span: Int

  var columnCount: Int { character.columnCount }
  var isSpace: Bool { character == " " }
  /// Whether the character is wide by itself, and not a syllable of several narrow letters.
  private var isWide: Bool {
    columnCount == 2
      && character.unicodeScalars.contains { $0.columnCount == 2 || $0 == "\u{FE0F}" }
  }

  /// Whether a line can end between the character and the next one.
  func allowsBreak(before next: WrappedCharacter) -> Bool {
    isSpace || next.isSpace || isWide && next.isWide
  }
}
