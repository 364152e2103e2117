/// The frame of one cell in a custom group (Apple: `NSCollectionLayoutGroupCustomItem`).
public struct LayoutGroupCustomItem: Hashable, Sendable {
  /// The frame, from the top left corner of the group, in points.
  public var frame: LayoutRect

  /// The order of drawing.
  public var zIndex: Int

  /// Creates the frame of a cell.
  public init(frame: LayoutRect, zIndex: Int = 0) {
    self.frame = frame
    self.zIndex = zIndex
  }
}

/// A function that gives the frames of a custom group, with the identifier that stands for it when
/// descriptions are compared.
public struct LayoutGroupItemProvider: Hashable, Sendable {
  /// What tells this provider from others.
  public let id: LayoutProviderID

  /// Gives the frames of one group.
  public let items: @Sendable (LayoutEnvironment) -> [LayoutGroupCustomItem]

  /// What the provider has answered, while a section is being solved.
  var answer: [LayoutGroupCustomItem]?

  /// Creates a provider.
  public init(
    id: some Hashable & Sendable,
    items: @escaping @Sendable (LayoutEnvironment) -> [LayoutGroupCustomItem]
  ) {
    self.id = LayoutProviderID(id)
    self.items = items
  }

  /// Providers are equal when their identifiers are: functions cannot be compared.
  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The identifier of a function that is part of a description.
public struct LayoutProviderID: Hashable, Sendable {
  private let base: any Hashable & Sendable

  /// Wraps an identifier of any type.
  public init(_ id: some Hashable & Sendable) {
    base = id
  }

  /// Whether both identifiers have the same type and value.
  public static func == (left: Self, right: Self) -> Bool {
    AnyHashable(left.base) == AnyHashable(right.base)
  }

  /// Hashes the wrapped identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
}
