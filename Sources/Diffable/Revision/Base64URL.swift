/// Text for URLs, headers and file names, without escaping: Base64 as in RFC 4648, section 5.
///
/// Each character holds six bits, and there is no padding. Each sequence of words has exactly one
/// text.
package enum Base64URL {
  /// The text of some words, the highest bits first.
  package static func text(of words: [UInt64]) -> String {
    let count = (words.count * 64 + 5) / 6
    return String(unsafeUninitializedCapacity: count) { text in
      for index in 0..<count {
        let (word, offset) = (index * 6 / 64, index * 6 % 64)
        let next = word + 1 < words.count ? words[word + 1] : 0
        // The six bits may continue in the next word. A shift by 64 gives 0.
        text[index] = character(for: (words[word] << offset | next >> (64 - offset)) >> 58)
      }
      return count
    }
  }

  /// The words of a text; `nil` if it is not a text of that number of words.
  ///
  /// - Complexity: O(1) for a text of another length.
  package static func words(of text: String, count: Int) -> [UInt64]? {
    guard text.utf8.count == (count * 64 + 5) / 6 else { return nil }
    var words = [UInt64](repeating: 0, count: count)
    for (index, character) in text.utf8.enumerated() {
      guard let bits = bits(of: character) else { return nil }
      let (word, offset) = (index * 6 / 64, index * 6 % 64)
      words[word] |= (bits << 58) >> offset
      let rest = offset > 58 ? bits << (122 - offset) : 0
      if word + 1 < count {
        words[word + 1] |= rest
      } else if rest != 0 {
        return nil
      }
    }
    return words
  }

  private static func character(for bits: UInt64) -> UInt8 {
    let all: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return all.utf8Start[Int(truncatingIfNeeded: bits & 63)]
  }

  private static func bits(of character: UInt8) -> UInt64? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
