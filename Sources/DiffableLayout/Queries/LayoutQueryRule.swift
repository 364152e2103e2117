/// Which elements a rectangle meets.
public enum LayoutQueryRule: Hashable, Sendable {
  /// Those whose frames have an area in common with it. Easy to explain, and the frames of
  /// ``SolvedLayout/frame(for:)`` and of a query agree.
  case frames

  /// Those that `layoutAttributesForElements(in:)` of UIKit answers: the rectangle is cut off at the
  /// edges of the content; a cell or attached view counts only as far as it lies inside its group; a
  /// decoration counts when its section touches the rectangle.
  case uiKit
}

/// How far a host has scrolled, and what is in sight.
public struct LayoutScrollState: Hashable, Sendable {
  /// What is in sight, in content coordinates: the bounds of the view less its content insets.
  public var visibleBounds: LayoutRect

  /// The offsets of orthogonal sections, by index; those not named stand where they begin.
  public var orthogonalOffsets: [Int: Double]

  /// Creates a state.
  public init(visibleBounds: LayoutRect, orthogonalOffsets: [Int: Double] = [:]) {
    self.visibleBounds = visibleBounds
    self.orthogonalOffsets = orthogonalOffsets
  }
}
