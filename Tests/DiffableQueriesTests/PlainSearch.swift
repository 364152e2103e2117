@testable import DiffableQueries

/// The score of texts of ASCII, by its definition: all places, and all ways to take a word apart.
enum PlainSearch {
  static func score(of text: String, for pattern: String) -> Double? {
    let text = Array(text.lowercased().utf8)
    var words: [[UInt8]] = []
    for word in pattern.lowercased().utf8.split(separator: 0x20) where !words.contains(Array(word))
    {
      words.append(Array(word))
    }
    if words.isEmpty { return 0 }
    var sum = 0
    for word in words {
      guard let points = points(of: word, in: text) else { return nil }
      sum += points
    }
    return Double(sum) + 1 / Double(text.count + 1)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x2D }

  private static func meet(_ place: Int, _ text: [UInt8]) -> Bool {
    place == 0 || place == text.count || !isLetter(text[place - 1]) || !isLetter(text[place])
  }

  /// The places of a word in one piece, with their points.
  private static func wholes(
    of word: [UInt8], in text: [UInt8]
  ) -> [(place: Range<Int>, points: Int)] {
    (0..<max(0, text.count - word.count + 1)).map { $0..<$0 + word.count }
      .filter { Array(text[$0]) == word }
      .map { place in
        guard meet(place.lowerBound, text) else { return (place, 40) }
        let points = meet(place.upperBound, text) ? 80 : 60
        return (place, place.lowerBound == 0 ? points + 10 : points)
      }
  }

  /// What is highlighted for a word that is found: the first of its best places, or its pieces.
  static func highlights(of word: [UInt8], in text: [UInt8]) -> [Range<Int>] {
    let best = wholes(of: word, in: text)
      .min { (-$0.points, $0.place.lowerBound) < (-$1.points, $1.place.lowerBound) }
    return best.map { [$0.place] } ?? pieces(of: word, in: text) ?? []
  }

  private static func points(of word: [UInt8], in text: [UInt8]) -> Int? {
    if let best = wholes(of: word, in: text).map(\.points).max() { return best }
    guard (2...32).contains(word.count) else { return nil }
    return cost(of: word[...], in: Array(text.prefix(4096)), from: 0, isAdjacent: false)
      .map { max(1, 32 - $0) }
  }

  /// The least that the pieces of the rest of a word cost, of all ways to place them.
  ///
  /// - Parameter isAdjacent: Whether the byte before the start is the one before the rest of the word.
  private static func cost(
    of rest: ArraySlice<UInt8>, in text: [UInt8], from start: Int, isAdjacent: Bool
  ) -> Int? {
    guard let first = rest.first else { return 0 }
    var best: Int?
    for place in start..<max(start, text.count) where text[place] == first {
      guard let after = cost(of: rest.dropFirst(), in: text, from: place + 1, isAdjacent: true)
      else { continue }
      let begin = isAdjacent && place == start ? 0 : meet(place, text) ? 1 : 3
      best = min(best ?? .max, after + begin)
    }
    return best
  }

  /// The pieces of a word with the least cost, of all ways to place them.
  ///
  /// Of several, those whose last piece ends first, then those whose last piece begins last, and so on with the
  /// piece before.
  static func pieces(of word: [UInt8], in text: [UInt8]) -> [Range<Int>]? {
    var best: (key: [Int], pieces: [Range<Int>])?
    for places in places(of: word[...], in: text, from: 0) {
      var pieces: [Range<Int>] = []
      for place in places {
        if let last = pieces.last, last.upperBound == place {
          pieces[pieces.count - 1] = last.lowerBound..<place + 1
        } else {
          pieces.append(place..<place + 1)
        }
      }
      let cost = pieces.reduce(0) { $0 + (meet($1.lowerBound, text) ? 1 : 3) }
      let key = [cost] + pieces.reversed().flatMap { [$0.upperBound, -$0.lowerBound] }
      if best.map({ key.lexicographicallyPrecedes($0.key) }) ?? true { best = (key, pieces) }
    }
    return best?.pieces
  }

  private static func places(
    of rest: ArraySlice<UInt8>, in text: [UInt8], from start: Int
  ) -> [[Int]] {
    guard let first = rest.first else { return [[]] }
    return (start..<max(start, text.count)).filter { text[$0] == first }.flatMap { place in
      places(of: rest.dropFirst(), in: text, from: place + 1).map { [place] + $0 }
    }
  }
}
