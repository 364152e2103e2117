/// How well a row matches a search, and what of its text does.
public struct SearchMatch: Hashable, Sendable {
  /// How well the row matches: rows with higher scores are first.
  ///
  /// A row whose score is not a number is left out. Infinite scores are the highest and the lowest.
  public var score: Double
  /// The parts of the text that match, to highlight them.
  public var ranges: TextRanges

  /// Creates a match.
  ///
  /// - Parameters:
  ///   - score: How well the row matches.
  ///   - ranges: The parts of the text that match.
  public init(score: Double, ranges: TextRanges = TextRanges()) {
    (self.score, self.ranges) = (score, ranges)
  }
}

/// A row that a search has found, with what it has matched.
///
/// `searched(for:in:first:)` and `ranked(id:first:by:)` of a query show such rows. They have the properties of
/// their elements: `row.title` is `row.element.title`. If another text matches another part of a row, the row
/// is updated; if it matches the same part with the same score, it is not.
@dynamicMemberLookup
public struct FoundRow<ID: Hashable & Sendable, Element: Equatable & Sendable>:
  Identifiable, Equatable, Sendable
{
  /// The identifier of the row in the list that is searched.
  public let id: ID
  /// What that list shows for the row: a model or, in a list of identifiers, the identifier.
  public let element: Element
  /// How well it matches, and which parts of its text.
  public let match: SearchMatch

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - id: The identifier of the row.
  ///   - element: What the searched list shows for it.
  ///   - match: How well it matches.
  public init(id: ID, _ element: Element, _ match: SearchMatch) {
    (self.id, self.element, self.match) = (id, element, match)
  }

  /// A property of the element.
  public subscript<Property>(dynamicMember path: KeyPath<Element, Property>) -> Property {
    element[keyPath: path]
  }
}
