/// A function that describes sections.
///
/// Descriptions with providers are compared by their identifiers.
package struct LayoutSectionProvider: Hashable, Sendable {
  /// The identity of this provider.
  package let id: LayoutProviderID

  /// Returns the description of a section, from its index and the environment.
  package let section: @Sendable (Int, LayoutEnvironment) -> LayoutSection?

  /// Creates a provider.
  package init(
    id: some Hashable & Sendable,
    section: @escaping @Sendable (Int, LayoutEnvironment) -> LayoutSection?
  ) {
    self.id = LayoutProviderID(id)
    self.section = section
  }

  /// Providers are equal if their identifiers are: functions cannot be compared.
  package static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  /// Hashes the identifier.
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Builds a list of sections.
///
/// ```swift
/// let store = CompositionalLayout {
///   banner
///   if showsGrid { grid }
///   for shelf in shelves { shelf }
/// }
/// ```
@resultBuilder
public enum LayoutSectionBuilder {
  /// Adds one section.
  public static func buildExpression(_ section: LayoutSection) -> [LayoutSection] { [section] }

  /// Adds an array of sections.
  public static func buildExpression(_ sections: [LayoutSection]) -> [LayoutSection] { sections }

  /// Joins statements.
  public static func buildBlock(_ parts: [LayoutSection]...) -> [LayoutSection] {
    parts.flatMap(\.self)
  }

  /// Adds the sections of an `if` without `else`.
  public static func buildOptional(_ part: [LayoutSection]?) -> [LayoutSection] { part ?? [] }

  /// Adds the sections of the first branch.
  public static func buildEither(first: [LayoutSection]) -> [LayoutSection] { first }

  /// Adds the sections of the second branch.
  public static func buildEither(second: [LayoutSection]) -> [LayoutSection] { second }

  /// Adds the sections of a loop.
  public static func buildArray(_ parts: [[LayoutSection]]) -> [LayoutSection] {
    parts.flatMap(\.self)
  }

  /// Adds the sections in an availability check.
  public static func buildLimitedAvailability(_ part: [LayoutSection]) -> [LayoutSection] { part }
}
