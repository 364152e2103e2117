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
