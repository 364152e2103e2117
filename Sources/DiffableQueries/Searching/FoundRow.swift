public import Diffable

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
  @usableFromInline let matchScore: Double
  @usableFromInline let parts: FoundParts
  /// Different for different parts of the same text; 0 if it is not known, see ``SearchWords/digest(of:)``.
  @usableFromInline let digest: UInt64

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - id: The identifier of the row.
  ///   - element: What the searched list shows for it.
  ///   - match: How well it matches.
  public init(id: ID, _ element: Element, _ match: SearchMatch) {
    self.init(id: id, element, score: match.score, FoundParts(match.ranges))
  }

  @inlinable init(
    id: ID, _ element: Element, score: Double, _ parts: FoundParts, digest: UInt64 = 0
  ) {
    (self.id, self.element, matchScore) = (id, element, score)
    (self.parts, self.digest) = (parts, digest)
  }

  /// How well it matches, and which parts of its text.
  ///
  /// - Complexity: O(1), and one call of the function that reads the searched text.
  public var match: SearchMatch {
    switch parts {
    case .none: SearchMatch(score: matchScore)
    case .known(let ranges): SearchMatch(score: matchScore, ranges: ranges)
    case .found(let search):
      SearchMatch(
        score: matchScore, in: withUnsafePointer(to: element) { search.text.read($0) }, search)
    }
  }

  /// A property of the element.
  public subscript<Property>(dynamicMember path: KeyPath<Element, Property>) -> Property {
    element[keyPath: path]
  }

  /// Whether two rows show the same element, with the same score and the same parts.
  ///
  /// - Complexity: That of comparing the elements. If the rows were found by different texts, and nothing else differs,
  ///   their parts may have to be found.
  @inlinable public static func == (left: FoundRow, right: FoundRow) -> Bool {
    left.matchScore == right.matchScore && left.id == right.id && left.element == right.element
      && (left.parts.areEqual(to: right.parts, left.digest, right.digest)
        ?? left.hasParts(of: right))
  }

  /// Whether the same parts of the text match, of a row with the same element.
  @usableFromInline func hasParts(of other: FoundRow) -> Bool {
    match.ranges == other.match.ranges
  }
}

extension FoundRow {
  /// Compares rows without a copy of what need not be looked at: the score tells most rows apart, and a row that
  /// another text has found mostly has other parts.
  @inlinable static var kernel: ElementKernel {
    ElementKernel(FoundRow.self) { _, count, hashes in
      for index in 0..<count { hashes[index] = 1 }
    } countEqual: { left, right, count in
      let left = left.assumingMemoryBound(to: FoundRow.self)
      let right = right.assumingMemoryBound(to: FoundRow.self)
      for index in 0..<count {
        guard left[index].matchScore == right[index].matchScore else { return index }
        let isSame = left[index].parts.areEqual(
          to: right[index].parts, left[index].digest, right[index].digest)
        if isSame == false { return index }
        guard left[index].id == right[index].id, left[index].element == right[index].element,
          isSame ?? left[index].hasParts(of: right[index])
        else { return index }
      }
      return count
    }
  }
}

/// The parts of an element's text that a search has matched, or what they are found by.
///
/// It takes one word, and copying it allocates nothing.
@usableFromInline enum FoundParts: Sendable {
  case none
  case found(TextSearch)
  indirect case known(TextRanges)

  init(_ ranges: TextRanges) { self = ranges.isEmpty ? .none : .known(ranges) }

  /// Whether the parts of one element are the same by both; `nil` if they have to be found to know it.
  @usableFromInline func areEqual(
    to other: FoundParts, _ digest: UInt64, _ otherDigest: UInt64
  ) -> Bool? {
    switch (self, other) {
    case (.none, .none): return true
    case (.known(let left), .known(let right)): return left == right
    case (.found(let left), .found(let right)):
      if let isSame = left.findsSame(as: right) { return isSame }
      let differ = digest != 0 && otherDigest != 0 && digest != otherDigest
      return differ && left.text === right.text ? false : nil
    default: return nil
    }
  }
}

/// What a search looks for in a text of each element.
///
/// A search has two: one for texts in which different folded parts are different characters, and one for others.
@usableFromInline final class TextSearch: Sendable {
  let pattern: SearchPattern
  let text: ElementText
  /// Whether each character of the text is one scalar of the folded text, or none.
  private let isAligned: Bool

  init(_ pattern: SearchPattern, in text: ElementText, isAligned: Bool) {
    (self.pattern, self.text, self.isAligned) = (pattern, text, isAligned)
  }

  /// The parts of a text that match; none if it does not match.
  func ranges(in text: String) -> TextRanges { pattern.match(in: text)?.ranges ?? TextRanges() }

  /// Whether another search finds the same parts in the text of an element; `nil` if they have to be found to know
  /// it.
  ///
  /// The characters that one word matches spell it, in one piece or several. So those of another word are others.
  /// For several words there are digests of what they match.
  func findsSame(as other: TextSearch) -> Bool? {
    if self === other { return true }
    guard text === other.text else { return nil }
    if pattern == other.pattern { return true }
    let spellTheWord =
      isAligned && other.isAligned && pattern.wordCount == 1 && other.pattern.wordCount == 1
    return spellTheWord ? false : nil
  }
}

/// A text of each element, which searches that read the same one share.
final class ElementText: Sendable {
  let read: @Sendable (_ element: UnsafeRawPointer) -> String

  init(_ read: @escaping @Sendable (_ element: UnsafeRawPointer) -> String) { self.read = read }
}
