import Foundation

/// A search query: words that must all occur, in any order.
///
/// Case and accents are ignored.
public struct SearchQuery: Hashable, Sendable {
  private let words: [String]

  /// Creates a query of the words in a text.
  public init(_ text: String) {
    words = SearchQuery.folded(text).split(separator: " ").map(String.init)
  }

  /// Whether there are no words, so that every text matches.
  public var isEmpty: Bool { words.isEmpty }

  /// Returns whether all words occur in a text.
  ///
  /// - Complexity: O(n · w) for n characters and w words.
  public func matches(_ text: String) -> Bool {
    guard !isEmpty else { return true }
    let text = SearchQuery.folded(text)
    return words.allSatisfy { text.contains($0) }
  }

  private static func folded(_ text: String) -> String {
    text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
