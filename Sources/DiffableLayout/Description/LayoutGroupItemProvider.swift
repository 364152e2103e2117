/// The frame of one cell in a custom group (Apple: `NSCollectionLayoutGroupCustomItem`).
public struct LayoutGroupCustomItem: Hashable, Sendable {
  /// The frame, relative to the top left corner of the group, in points.
  public var frame: LayoutRect

  /// The drawing order.
  public var zIndex: Int

  /// Creates the frame of a cell.
  public init(frame: LayoutRect, zIndex: Int = 0) {
    self.frame = frame
    self.zIndex = zIndex
  }
}

/// A function that returns the frames of a custom group.
///
/// Descriptions with providers are compared by their identifiers.
package struct LayoutGroupItemProvider: Hashable, Sendable {
  /// The identity of this provider.
  package let id: LayoutProviderID

  /// Returns the frames of one group.
  package let items: @Sendable (LayoutEnvironment) -> [LayoutGroupCustomItem]

  /// The result of the provider, while a section is being solved.
  var answer: [LayoutGroupCustomItem]?

  /// Creates a provider.
  package init(
    id: some Hashable & Sendable,
    items: @escaping @Sendable (LayoutEnvironment) -> [LayoutGroupCustomItem]
  ) {
    self.id = LayoutProviderID(id)
    self.items = items
  }

  /// Providers are equal if their identifiers are: functions cannot be compared.
  package static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  /// Hashes the identifier.
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The identifier of a function that is part of a description.
package struct LayoutProviderID: Hashable, Sendable {
  private let base: any Hashable & Sendable

  /// Wraps an identifier of any type.
  package init(_ id: some Hashable & Sendable) {
    base = id
  }

  /// Whether both identifiers have the same type and value.
  package static func == (left: Self, right: Self) -> Bool {
    AnyHashable(left.base) == AnyHashable(right.base)
  }

  /// Hashes the wrapped identifier.
  package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
}
