/// Parts of a text, such as those that a search has matched.
///
/// They are kept as offsets in the text's UTF-8, so they are valid for every equal copy of it. They are in
/// ascending order, and do not overlap or touch each other. For one part, nothing is allocated.
public struct TextRanges: Hashable, Sendable {
  /// The first range; empty if there is none.
  private var first = 0..<0
  private var others: [Range<Int>] = []

  /// No part.
  public init() {}

  /// Parts of a text by their indices.
  ///
  /// - Parameters:
  ///   - ranges: The parts, in any order. They may overlap; empty ones are left out.
  ///   - text: The text to which the indices belong.
  /// - Complexity: O(r · log r) for r ranges.
  public init(_ ranges: some Sequence<Range<String.Index>>, in text: String) {
    let utf8 = text.utf8
    self.init(
      utf8: ranges.map { range in
        let start = utf8.distance(from: utf8.startIndex, to: range.lowerBound)
        return start..<start + utf8.distance(from: range.lowerBound, to: range.upperBound)
      })
  }

  /// Parts of a text by their offsets in its UTF-8, in any order.
  init(utf8 ranges: [Range<Int>]) {
    let ranges = ranges.count < 2 ? ranges : ranges.sorted { $0.lowerBound < $1.lowerBound }
    for range in ranges where !range.isEmpty {
      if first.isEmpty {
        first = range
      } else if others.isEmpty, range.lowerBound <= first.upperBound {
        first = first.lowerBound..<Swift.max(first.upperBound, range.upperBound)
      } else if let last = others.last, range.lowerBound <= last.upperBound {
        others[others.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        others.append(range)
      }
    }
  }

  /// Whether there is no part.
  public var isEmpty: Bool { first.isEmpty }

  /// The parts, as offsets in the text's UTF-8.
  public var utf8: [Range<Int>] { first.isEmpty ? [] : [first] + others }

  /// The parts as ranges of indices of their text.
  ///
  /// In another text, they are clamped to its length and widened to whole characters.
  ///
  /// - Complexity: O(r) for r parts of a native string, plus the length of the characters at their ends.
  public func ranges(in text: String) -> [Range<String.Index>] {
    let (utf8, count) = (text.utf8, text.utf8.count)
    var found: [Range<String.Index>] = []
    for range in self.utf8 where range.lowerBound < count {
      let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
      let end = utf8.index(start, offsetBy: Swift.min(range.upperBound, count) - range.lowerBound)
      let whole = text.startOfCharacter(at: start)..<text.endOfCharacter(at: end)
      if let last = found.last, whole.lowerBound < last.upperBound {
        found[found.count - 1] = last.lowerBound..<Swift.max(last.upperBound, whole.upperBound)
      } else {
        found.append(whole)
      }
    }
    return found
  }

  /// The whole text in pieces: the parts that match, and what is between them.
  ///
  /// ```swift
  /// let bold = row.match.ranges.pieces(of: row.title).map { $0.isMatched ? "**\($0.text)**" : "\($0.text)" }
  /// ```
  ///
  /// - Returns: The pieces in order; none of them is empty.
  /// - Complexity: As ``ranges(in:)``.
  public func pieces(of text: String) -> [TextPiece] {
    var pieces: [TextPiece] = []
    var end = text.startIndex
    func add(_ range: Range<String.Index>, _ isMatched: Bool) {
      if !range.isEmpty { pieces.append(TextPiece(text: text[range], isMatched: isMatched)) }
    }
    for range in ranges(in: text) {
      add(end..<range.lowerBound, false)
      add(range, true)
      end = range.upperBound
    }
    add(end..<text.endIndex, false)
    return pieces
  }
}

/// A piece of a text in which a search has matched some parts.
public struct TextPiece: Hashable, Sendable {
  /// The piece.
  public let text: Substring
  /// Whether the search has matched it.
  public let isMatched: Bool
}

extension String {
  /// The start of the character to which the code unit at an index belongs.
  fileprivate func startOfCharacter(at index: Index) -> Index {
    // A step from inside of a character begins at its start.
    index < endIndex ? self.index(before: self.index(after: index)) : index
  }

  /// The end of the character to which the code unit before an index belongs.
  fileprivate func endOfCharacter(at index: Index) -> Index {
    startOfCharacter(at: index) == index ? index : self.index(after: index)
  }
}
