/// What a handler may change about an element in sight (Apple: `NSCollectionLayoutVisibleItem`).
public struct LayoutVisibleItem: Hashable, Sendable {
  /// Which element it is.
  public let element: LayoutElement

  /// The frame in content coordinates, scrolled.
  ///
  /// It cannot be changed; the centre can.
  public let frame: LayoutRect

  /// The middle of the element, in content coordinates.
  public var center: LayoutPoint

  /// The order of drawing.
  public var zIndex: Int

  /// The opacity, from 0 to 1.
  public var alpha: Double

  /// How the element is drawn about its centre.
  public var transform: LayoutTransform

  /// Whether the element is not drawn at all.
  public var isHidden: Bool
}

/// A pure function that changes elements while they are in sight: fades, parallax, carousels
/// (Apple: `visibleItemsInvalidationHandler`).
///
/// It is called whenever elements are asked for with a scroll position, with the cells, then the
/// supplementaries, then the decorations of the section that are in the rectangle. It keeps no
/// state, so what it changes holds for that answer only.
public struct LayoutVisibleItemsHandler: Hashable, Sendable {
  /// What tells this handler from others.
  public let id: LayoutProviderID

  /// Changes the elements in sight.
  ///
  /// The offset is the section's own along its orthogonal axis and that of the visible bounds along
  /// the other.
  public let update:
    @Sendable (inout [LayoutVisibleItem], _ offset: LayoutPoint, LayoutEnvironment) -> Void

  /// Creates a handler.
  ///
  /// Name in `id` everything that the function captures.
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

  /// Handlers are equal when their identifiers are: functions cannot be compared.
  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
