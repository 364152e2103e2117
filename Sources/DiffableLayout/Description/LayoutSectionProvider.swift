/// A function that describes sections, with the identifier that stands for it when descriptions are
/// compared.
public struct LayoutSectionProvider: Hashable, Sendable {
  /// What tells this provider from others.
  public let id: LayoutProviderID

  /// Gives the description of a section, from its index and the environment.
  public let section: @Sendable (Int, LayoutEnvironment) -> LayoutSection?

  /// Creates a provider.
  public init(
    id: some Hashable & Sendable,
    section: @escaping @Sendable (Int, LayoutEnvironment) -> LayoutSection?
  ) {
    self.id = LayoutProviderID(id)
    self.section = section
  }

  /// Providers are equal when their identifiers are: functions cannot be compared.
  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Collects sections that are written one below the other.
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
  /// Takes one section.
  public static func buildExpression(_ section: LayoutSection) -> [LayoutSection] { [section] }

  /// Takes sections that are an array already.
  public static func buildExpression(_ sections: [LayoutSection]) -> [LayoutSection] { sections }

  /// Puts statements one after the other.
  public static func buildBlock(_ parts: [LayoutSection]...) -> [LayoutSection] {
    parts.flatMap(\.self)
  }

  /// Takes an `if` without `else`.
  public static func buildOptional(_ part: [LayoutSection]?) -> [LayoutSection] { part ?? [] }

  /// Takes the first branch.
  public static func buildEither(first: [LayoutSection]) -> [LayoutSection] { first }

  /// Takes the second branch.
  public static func buildEither(second: [LayoutSection]) -> [LayoutSection] { second }

  /// Takes a loop.
  public static func buildArray(_ parts: [[LayoutSection]]) -> [LayoutSection] {
    parts.flatMap(\.self)
  }

  /// Takes sections behind an availability check.
  public static func buildLimitedAvailability(_ part: [LayoutSection]) -> [LayoutSection] { part }
}
