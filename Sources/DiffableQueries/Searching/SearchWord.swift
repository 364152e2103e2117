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
  /// The points for the best place.
  ///
  /// - Parameter limit: Points that are enough: no better place is looked for then.
  /// - Returns: `nil` if it does not occur in one piece.
  func points(in text: UnsafeBufferPointer<UInt8>, upTo limit: Int) -> Int? {
    var best: Int?
    forEachPlace(in: text) { start in
      best = Swift.max(best ?? 0, points(at: start, in: text))
      // Further places are not at the beginning of the text.
      return best ?? 0 < Swift.min(limit, 80)
    }
    return best
  }

  /// The first of the places with the most points.
  func bestPlace(in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    var best: (points: Int, start: Int)?
    forEachPlace(in: text) { start in
      let points = points(at: start, in: text)
      if points > best?.points ?? 0 { best = (points, start) }
      return best?.points ?? 0 < 80
    }
    return best.map { $0.start..<$0.start + bytes.count }
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
    var (length, index) = (0, 0)
    while index < text.count {
      // Most bytes are not the first one of the word.
      while length == 0, text[index] != first {
        index &+= 1
        if index == text.count { return }
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

/// In several pieces.
extension SearchWord {
  /// What a piece costs that begins somewhere.
  private static func cost(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    text.isBoundary(start) ? 1 : 3
  }

  /// The points for the best pieces; `nil` if the word does not occur in pieces.
  ///
  /// - Complexity: O(b · l) for b bytes of the word and l of the text, if all of them occur.
  func pointsOfPieces(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    let text = UnsafeBufferPointer(rebasing: text.prefix(Self.pieceLimits.text))
    guard (2...Self.pieceLimits.word).contains(bytes.count), occursInOrder(in: text) else {
      return nil
    }
    // After each byte of the text, for the first bytes of the word: the least cost of pieces that end there, and
    // of those that end anywhere before.
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * bytes.count) { costs in
      costs.initialize(repeating: Self.none)
      let (here, before) = (costs.baseAddress, costs.count / 2)
      guard let here else { return nil }
      for index in text.indices {
        for place in bytes.indices.reversed() {
          let cost = costOfPiece(place, at: index, text) {
            here[$0]
          } before: {
            here[before + $0]
          }
          here[place] = cost
        }
        for place in bytes.indices where here[place] < here[before + place] {
          here[before + place] = here[place]
        }
      }
      let cost = here[before + bytes.count - 1]
      return cost < Self.none ? Swift.max(1, 32 - cost) : nil
    }
  }

  private static var none: Int { 1 << 20 }

  /// The least cost of pieces with the first bytes of the word, of which the last one is at a place of the text.
  ///
  /// - Parameters:
  ///   - here: The costs that end at the byte before.
  ///   - before: The costs that end at that or before.
  @inline(__always) private func costOfPiece(
    _ place: Int, at index: Int, _ text: UnsafeBufferPointer<UInt8>,
    here: (Int) -> Int, before: (Int) -> Int
  ) -> Int {
    guard bytes[place] == text[index] else { return Self.none }
    let together = place == 0 ? Self.none : here(place - 1)
    // A piece does not begin inside of a scalar.
    if bytes[place].continuesScalar { return together }
    let apart = (place == 0 ? 0 : before(place - 1)) + Self.cost(at: index, in: text)
    return Swift.min(together, apart, Self.none)
  }

  private func occursInOrder(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = 0
    for byte in text where byte == bytes[place] {
      place += 1
      if place == bytes.count { return true }
    }
    return false
  }

  /// The best pieces: of several with the same cost, those that end first, from the last piece on.
  ///
  /// - Complexity: O(b · l) for b bytes of the word and l of the text, and as much memory.
  func pieces(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    let text = UnsafeBufferPointer(rebasing: text.prefix(Self.pieceLimits.text))
    let count = bytes.count
    // By byte of the text and of the word; one row before the first byte.
    var here = [Int](repeating: Self.none, count: (text.count + 1) * count)
    var before = here
    for index in text.indices {
      let (last, row) = (index * count, (index + 1) * count)
      for place in bytes.indices {
        here[row + place] = costOfPiece(place, at: index, text) {
          here[last + $0]
        } before: {
          before[last + $0]
        }
        before[row + place] = Swift.min(before[last + place], here[row + place])
      }
    }
    var pieces: [Range<Int>] = []
    var (end, place) = (text.count, count - 1)
    while place >= 0 {
      // Where the cost is reached first.
      while end > 1, before[(end - 1) * count + place] == before[end * count + place] { end -= 1 }
      var (start, cost) = (end, here[end * count + place])
      while true {
        let (last, isFirst) = ((start - 1) * count, place == 0)
        start -= 1
        place -= 1
        let together = isFirst ? Self.none : here[last + place]
        let apart = isFirst ? 0 : before[last + place]
        if !text[start].continuesScalar, apart + Self.cost(at: start, in: text) == cost { break }
        guard together == cost else { return [] }
        cost = together
      }
      pieces.append(start..<end)
      end = start
    }
    return pieces.reversed()
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a word may begin or end at a place: it is not between two letters.
  func isBoundary(_ place: Int) -> Bool {
    place == 0 || place == count || !(self[place - 1].isLetter && self[place].isLetter)
  }
}
