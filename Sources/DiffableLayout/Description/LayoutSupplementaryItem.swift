/// A view attached to an item or a group by an anchor: a badge, a frame.
///
/// Apple: `NSCollectionLayoutSupplementaryItem`.
public struct LayoutSupplementaryItem: Hashable, Sendable {
  /// The name of the kind of view.
  ///
  /// Unique among the supplementary items of one item or group.
  public var elementKind: String

  /// The size.
  ///
  /// Fractions are of the item's frame or, on a group, of the box that contains the group.
  public var layoutSize: LayoutSize

  /// The point of the item or group to which the view is attached.
  public var containerAnchor: LayoutAnchor

  /// The point of the view that is placed on the container's anchor; the same edges if `nil`.
  public var itemAnchor: LayoutAnchor?

  /// The distances by which the drawn frame is smaller than the size.
  public var contentInsets: LayoutInsets

  /// The drawing order, 1 by default: above the cells.
  public var zIndex: Int

  /// Creates a supplementary item.
  public init(
    layoutSize: LayoutSize, elementKind: String, containerAnchor: LayoutAnchor,
    itemAnchor: LayoutAnchor? = nil
  ) {
    self.layoutSize = layoutSize
    self.elementKind = elementKind
    self.containerAnchor = containerAnchor
    self.itemAnchor = itemAnchor
    self.contentInsets = .zero
    self.zIndex = 1
  }

  /// The frame of the view, given its size and the frame of its container.
  func frame(of size: LayoutExtent, in container: LayoutRect) -> LayoutRect {
    let own = itemAnchor ?? LayoutAnchor(edges: containerAnchor.edges)
    func start(_ axis: LayoutAxis) -> Double {
      container.start(axis) + containerAnchor.edges.fraction(axis) * container.length(axis)
        - own.edges.fraction(axis) * size[axis]
        + containerAnchor.distance(axis, for: size) + own.distance(axis, for: size)
    }
    return LayoutRect(origin: LayoutPoint(x: start(.horizontal), y: start(.vertical)), size: size)
      .inset(by: contentInsets.ignoring(estimatedAxesOf: layoutSize))
  }
}

extension LayoutInsets {
  /// The insets without those on axes whose dimension is estimated.
  ///
  /// On these axes, the measured size of a view is its frame.
  func ignoring(estimatedAxesOf size: LayoutSize) -> LayoutInsets {
    LayoutInsets(
      top: size.height.isEstimated ? 0 : top, leading: size.width.isEstimated ? 0 : leading,
      bottom: size.height.isEstimated ? 0 : bottom, trailing: size.width.isEstimated ? 0 : trailing)
  }
}
