/// The properties of a visible element that a handler may change.
///
/// Apple: `NSCollectionLayoutVisibleItem`.
public struct LayoutVisibleItem: Hashable, Sendable {
  /// The element.
  public let element: LayoutElement

  /// The scrolled frame in content coordinates.
  ///
  /// It cannot be changed; the centre can.
  public let frame: LayoutRect

  /// The middle of the element, in content coordinates.
  public var center: LayoutPoint

  /// The drawing order.
  public var zIndex: Int

  /// The opacity, from 0 to 1.
  public var alpha: Double

  /// The transform of the element about its centre.
  public var transform: LayoutTransform

  /// Whether the element is not drawn at all.
  public var isHidden: Bool
}

/// A pure function that changes elements while they are visible: fades, parallax, carousels.
///
/// Apple: `visibleItemsInvalidationHandler`. It is called whenever elements are requested with a
/// scroll position. It receives the cells, then the supplementaries, then the decorations of the
/// section that are in the rectangle. It has no state, so its changes apply to that result only.
public struct LayoutVisibleItemsHandler: Hashable, Sendable {
  /// The identity of this handler.
  package let id: LayoutProviderID

  /// Changes the visible elements.
  ///
  /// The offset is the section's own along its orthogonal axis, and the offset of the visible
  /// bounds along the other axis.
  package let update:
    @Sendable (inout [LayoutVisibleItem], _ offset: LayoutPoint, LayoutEnvironment) -> Void

  /// Creates a handler.
  ///
  /// Include in `id` everything that the function captures.
  public init(
    id: some Hashable & Sendable,
    update:
      @escaping @Sendable (
        inout [LayoutVisibleItem], _ offset: LayoutPoint, LayoutEnvironment
      ) -> Void
  ) {
    self.id = LayoutProviderID(id)
    self.update = update
  }

  /// Handlers are equal if their identifiers are: functions cannot be compared.
  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
