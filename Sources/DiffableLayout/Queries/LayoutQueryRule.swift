/// The rule by which elements intersect a rectangle.
public enum LayoutQueryRule: Hashable, Sendable {
  /// Elements whose frames have an area in common with the rectangle.
  ///
  /// Results agree with ``SolvedLayout/frame(for:)``.
  case frames

  /// Elements that `layoutAttributesForElements(in:)` of UIKit returns.
  ///
  /// The rectangle is clipped to the content. Only the part of a cell or attached view inside its
  /// group counts. A decoration counts if its section touches the rectangle.
  case uiKit
}

/// The scroll positions of a host, and the visible part.
public struct LayoutScrollState: Hashable, Sendable {
  /// The visible part, in content coordinates: the bounds of the view less its content insets.
  public var visibleBounds: LayoutRect

  /// The offsets of orthogonal sections, by index; a missing one means the initial offset.
  public var orthogonalOffsets: [Int: Double]

  /// Creates a state.
  public init(visibleBounds: LayoutRect, orthogonalOffsets: [Int: Double] = [:]) {
    self.visibleBounds = visibleBounds
    self.orthogonalOffsets = orthogonalOffsets
  }
}
