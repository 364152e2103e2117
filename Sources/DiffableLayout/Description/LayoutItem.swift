/// The description of one cell: its size and what surrounds it (Apple: `NSCollectionLayoutItem`).
public struct LayoutItem: Hashable, Sendable {
  /// The size of the slot of the cell.
  public var layoutSize: LayoutSize

  /// The distances by which the cell is smaller than its slot.
  ///
  /// They do not move neighbours, and are ignored on an axis whose dimension is estimated.
  public var contentInsets: LayoutInsets

  /// The gaps around the slot.
  public var edgeSpacing: LayoutEdgeSpacing

  /// Views attached to the cell.
  public var supplementaryItems: [LayoutSupplementaryItem]

  /// Creates an item.
  public init(
    layoutSize: LayoutSize, contentInsets: LayoutInsets = .zero,
    edgeSpacing: LayoutEdgeSpacing = .zero, supplementaryItems: [LayoutSupplementaryItem] = []
  ) {
    self.layoutSize = layoutSize
    self.contentInsets = contentInsets
    self.edgeSpacing = edgeSpacing
    self.supplementaryItems = supplementaryItems
  }
}
