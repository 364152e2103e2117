/// A text as searches compare it: in lower case and without diacritics, as UTF-8.
///
/// Each character is folded by itself, and equal characters are folded alike, also if one of them is written
/// with a combining mark. Symbols such as ≠, and ideographs that are there for compatibility, are folded as they
/// are written. See ``SearchPattern`` for what is folded.
struct FoldedText {
  /// The folded text.
  private(set) var bytes: [UInt8] = []
  /// For each byte, the start of its character in the UTF-8 of the text, and at the end the length of that;
  /// `nil` if both texts have the same characters at the same places.
  private(set) var origins: [Int]?

  init(_ text: String) {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
      Self.append(text, to: &bytes)
      return
    }
    var origins: [Int] = []
    Self.append(text, to: &bytes) { start, count in
      while origins.count < count { origins.append(start) }
    }
    origins.append(text.utf8.count)
    self.origins = origins
  }

  /// Appends a folded text.
  ///
  /// - Parameter note: Receives the start of each character, and how many bytes there are after it.
  /// - Returns: Whether each character has become one scalar or none, so that two parts of the folded text which
  ///   differ are different characters.
  /// - Complexity: O(l) for a text of l characters.
  @discardableResult static func append(
    _ text: String, to bytes: inout [UInt8],
    note: (_ start: Int, _ count: Int) -> Void = { _, _ in }
  ) -> Bool {
    let first = bytes.count
    var text = text
    var isAligned = true
    // Below the first combining mark, each scalar is a character.
    let isSimple = text.withUTF8 { utf8 in
      var index = 0
      while index < utf8.count {
        let (start, byte) = (index, utf8[index])
        switch byte {
        case ..<0x80:
          bytes.append(byte.lowercased)
          index += 1
        case 0xC2...0xCB:
          let letter = latinLetters[Int(byte - 0xC2) << 6 + Int(utf8[index + 1] & 0x3F)]
          bytes += letter
          isAligned = isAligned && letter.hasOneScalar
          index += 2
        default: return false
        }
        note(start, bytes.count - first)
      }
      return true
    }
    if isSimple { return isAligned }
    bytes.removeSubrange(first...)
    isAligned = true
    var start = 0
    for character in text {
      let end = bytes.count
      append(character, to: &bytes)
      isAligned = isAligned && bytes[end...].hasOneScalar
      note(start, bytes.count - first)
      start += character.utf8.count
    }
    return isAligned
  }

  /// The folded scalars from U+0080 up to U+02FF.
  private static let latinLetters: [[UInt8]] = (0x80..<0x300 as Range<UInt32>).map { value in
    var bytes: [UInt8] = []
    if let scalar = Unicode.Scalar(value) { append(scalar, to: &bytes) }
    return bytes
  }

  /// Appends a folded character.
  private static func append(_ character: Character, to bytes: inout [UInt8]) {
    let scalars = character.unicodeScalars
    for scalar in scalars.count == 2 ? voiced(character).unicodeScalars : scalars {
      if scalar.isASCII {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value).lowercased)
      } else {
        append(scalar, to: &bytes)
      }
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    let properties = scalar.properties
    switch properties.generalCategory {
    // Marks of lower classes are parts of letters, such as vowels of Devanagari and the dots of kana.
    case .nonspacingMark where properties.canonicalCombiningClass.rawValue >= 10: return
    case _ where properties.isDefaultIgnorableCodePoint: return
    case .initialPunctuation, .finalPunctuation:
      // An apostrophe is part of a word.
      return bytes.append(scalar == "\u{2019}" || scalar == "\u{2018}" ? 0x27 : 0x20)
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .dashPunctuation, .openPunctuation,
      .closePunctuation, .otherPunctuation:
      return bytes.append(0x20)
    default: break
    }
    if (0xAC00...0xD7A3).contains(scalar.value) { return appendParts(ofHangul: scalar, to: &bytes) }
    guard properties.isCased else {
      return bytes.append(contentsOf: plainLetters[scalar]?.utf8 ?? String(scalar).utf8)
    }
    for lower in properties.lowercaseMapping.unicodeScalars {
      if let letter = plainLetters[lower] {
        bytes.append(contentsOf: letter.utf8)
        continue
      }
      // By way of its capital: ß is ss, and the sigma at the end of a word is one.
      for upper in lower.properties.uppercaseMapping.unicodeScalars
      where upper.properties.generalCategory != .nonspacingMark {
        bytes.append(contentsOf: upper.properties.lowercaseMapping.utf8)
      }
    }
  }
}

extension FoldedText {
  /// A kana with the mark that makes its sound voiced, as one scalar, if it is written as two.
  private static func voiced(_ character: Character) -> Character {
    let scalars = Array(character.unicodeScalars)
    guard (0x3040...0x30FF).contains(scalars[0].value) else { return character }
    // The letter with the mark mostly follows the one without it.
    let candidates = [1, 2, 8, 78].lazy.compactMap { Unicode.Scalar(scalars[0].value + $0) }
    return candidates.map(Character.init).first { $0 == character } ?? character
  }

  /// Appends the two or three letters of a syllable, so that a part of it is found while it is written.
  private static func appendParts(ofHangul scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    let number = scalar.value - 0xAC00
    let parts = [0x1100 + number / 588, 0x1161 + number % 588 / 28, 0x11A7 + number % 28]
    for part in number % 28 == 0 ? parts.dropLast() : parts[...] {
      if let letter = Unicode.Scalar(part) { bytes.append(contentsOf: letter.utf8) }
    }
  }
}

extension Collection<UInt8> {
  /// Whether it has one scalar in UTF-8, or none.
  fileprivate var hasOneScalar: Bool { dropFirst().allSatisfy(\.continuesScalar) }
}

extension UInt8 {
  /// The small letter of a capital of ASCII, or the same.
  fileprivate var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
