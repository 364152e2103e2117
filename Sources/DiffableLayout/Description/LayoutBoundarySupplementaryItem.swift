/// A header, a footer or a bar at a side of a section or of the whole layout.
///
/// Apple: `NSCollectionLayoutBoundarySupplementaryItem`.
public struct LayoutBoundarySupplementaryItem: Hashable, Sendable {
  /// The name of the kind of view.
  ///
  /// Unique among the boundary items of one section or layout.
  public var elementKind: String

  /// The size.
  ///
  /// Across the scroll direction, fractions are of the section's width (less the insets it
  /// follows), along it of the whole container.
  public var layoutSize: LayoutSize

  /// The side or corner where the view is placed.
  ///
  /// Items on the same side do not stack.
  public var alignment: RectAlignment

  /// An offset from the place given by the alignment, in points.
  public var offset: LayoutPoint

  /// Whether the view extends the section (the default) or is inside, over the content.
  public var extendsBoundary: Bool

  /// Whether the view stays visible while its section is visible.
  public var pinToVisibleBounds: Bool

  /// The distances by which the drawn frame is smaller than the size.
  public var contentInsets: LayoutInsets

  /// The drawing order, 1 by default.
  public var zIndex: Int

  /// Creates a boundary item.
  public init(
    layoutSize: LayoutSize, elementKind: String, alignment: RectAlignment,
    absoluteOffset: LayoutPoint = .zero
  ) {
    self.layoutSize = layoutSize
    self.elementKind = elementKind
    self.alignment = alignment
    self.offset = absoluteOffset
    self.extendsBoundary = true
    self.pinToVisibleBounds = false
    self.contentInsets = .zero
    self.zIndex = 1
  }
}
