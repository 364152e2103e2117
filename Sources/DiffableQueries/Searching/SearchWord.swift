/// A word of a pattern, folded, and how it is looked for in a folded text.
///
/// Its memory is that of the pattern, which must be held.
struct SearchWord {
  let bytes: UnsafeBufferPointer<UInt8>
  /// For each byte, how many bytes at its end are also those at the start of the word.
  ///
  /// The failure function of Knuth, Morris and Pratt.
  let borders: UnsafeBufferPointer<Int>

  /// The longest word that is looked for in pieces, and the part of a text in which it is.
  static var pieceLimits: (word: Int, text: Int) { (32, 4096) }

  /// The borders of a word, see ``borders``.
  static func borders(of word: ArraySlice<UInt8>) -> [Int] {
    let bytes = Array(word)
    var borders = [0]
    var length = 0
    for byte in bytes.dropFirst() {
      while length > 0, bytes[length] != byte { length = borders[length - 1] }
      if bytes[length] == byte { length += 1 }
      borders.append(length)
    }
    return borders
  }

  /// The bytes of a text as bits: one for each small letter and each digit, and 27 that the others share.
  ///
  /// The highest bit is never set.
  static func letters(of text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var letters: UInt64 = 0
    for byte in text {
      let bit =
        switch byte {
        case 0x61...0x7A: byte - 0x61
        case 0x30...0x39: byte - 0x30 + 26
        default: byte % 27 + 36
        }
      letters |= 1 &<< UInt64(bit)
    }
    return letters
  }
}

/// In one piece.
extension SearchWord {
  /// The points for the best place, and the first of the places with so many.
  ///
  /// - Parameter limit: Points that are enough: no better place is looked for then.
  /// - Returns: `nil` if it does not occur in one piece.
  func best(
    in text: UnsafeBufferPointer<UInt8>, upTo limit: Int = 80
  ) -> (points: Int, place: Range<Int>)? {
    var best: (points: Int, start: Int)?
    forEachPlace(in: text) { start in
      let points = points(at: start, in: text)
      if points > best?.points ?? 0 { best = (points, start) }
      // Further places are not at the beginning of the text.
      return best?.points ?? 0 < Swift.min(limit, 80)
    }
    return best.map { ($0.points, $0.start..<$0.start + bytes.count) }
  }

  private func points(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    guard text.isBoundary(start) else { return 40 }
    return (text.isBoundary(start + bytes.count) ? 80 : 60) + (start == 0 ? 10 : 0)
  }

  /// Calls a function with each place of the word, until it returns `false`.
  ///
  /// - Complexity: O(l) for a text of l bytes.
  @inline(__always) private func forEachPlace(
    in text: UnsafeBufferPointer<UInt8>, _ body: (Int) -> Bool
  ) {
    let first = bytes[0]
    // Where the word may begin last.
    let lastStart = text.count - bytes.count
    var (length, index) = (0, 0)
    while index < text.count {
      if length == 0 {
        // Most bytes are not the first one of the word.
        index = text.index(of: first, from: index, through: lastStart)
        if index > lastStart { return }
      }
      while length > 0, bytes[length] != text[index] { length = borders[length - 1] }
      if bytes[length] == text[index] { length &+= 1 }
      index &+= 1
      guard length == bytes.count else { continue }
      if !body(index - length) { return }
      length = borders[length - 1]
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a word may begin or end at a place: it is not between two letters.
  func isBoundary(_ place: Int) -> Bool {
    place == 0 || place == count || !(self[place - 1].isLetter && self[place].isLetter)
  }

  /// The first place of a byte in a range of places, or any place after them.
  ///
  /// Eight bytes are compared at a time.
  @inline(__always) func index(of byte: UInt8, from start: Int, through last: Int) -> Int {
    guard let first = UnsafeRawPointer(baseAddress) else { return last + 1 }
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let wanted = UInt64(byte) &* ones
    var index = start
    while index <= last, index &+ 8 <= count {
      let eight = (first + index).loadUnaligned(as: UInt64.self).littleEndian ^ wanted
      // The lowest bit that is set is that of the first byte that is zero now.
      let found = (eight &- ones) & ~eight & highs
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index <= last, self[index] != byte { index &+= 1 }
    return index
  }
}
