/// The section of a list that has no others.
///
/// ```swift
/// let source = ModelSource<SingleSection, Note>()
/// try await source.apply(notes)
/// ```
public struct SingleSection: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Creates the identifier; all are equal.
  public init() {}

  /// The word that lists of sections show for it.
  public var description: String { "all" }
}
