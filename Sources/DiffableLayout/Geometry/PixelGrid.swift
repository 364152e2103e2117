/// Rounds lengths and positions to whole pixels, as UIKit does.
///
/// A fraction of a length is floored first, so what flooring leaves over stays at the end of the
/// row. Rounding the edges at the end instead, as browsers do, would give other frames.
public struct PixelGrid: Hashable, Sendable {
  /// The number of pixels in a point.
  ///
  /// A scale that is not a positive number counts as 1.
  public let scale: Double

  /// How far below a pixel a length may be, in pixels, and still count as on it: the rounding error
  /// of a product of fractions.
  static let tolerance = 0.001

  /// Creates a grid for a number of pixels in a point.
  public init(scale: Double) {
    self.scale = scale.isFinite && scale > 0 ? scale : 1
  }

  /// The largest whole number of pixels in a length.
  public func floored(_ length: Double) -> Double {
    let pixels = length * scale
    guard pixels.isFinite else { return length }
    return (pixels + Self.tolerance).rounded(.down) / scale
  }

  /// The nearest pixel to a position.
  ///
  /// Half a pixel rounds up, and so does what a sum of thirds is short of it.
  public func nearest(_ position: Double) -> Double {
    let pixels = position * scale
    guard pixels.isFinite else { return position }
    return (pixels + 0.5 + Self.tolerance).rounded(.down) / scale
  }

  /// The rectangle of whole pixels that a screen draws for a frame: the origin moves to the nearest
  /// pixel, halves away from zero, and the size stays.
  ///
  /// The frames of anchored supplementaries are not rounded by the layout; UIKit's views are when
  /// they are drawn.
  public func snapped(_ frame: LayoutRect) -> LayoutRect {
    func snap(_ position: Double) -> Double {
      let pixels = position * scale
      guard pixels.isFinite else { return position }
      // A product such as 69.1666… · 3 misses its half by the last bit, hence the tolerance.
      let nudge = position < 0 ? -Self.tolerance : Self.tolerance
      return (pixels + nudge).rounded(.toNearestOrAwayFromZero) / scale
    }
    return LayoutRect(
      x: snap(frame.x), y: snap(frame.y), width: frame.width, height: frame.height)
  }
}
