/// Rounds lengths and positions to whole pixels, as UIKit does.
///
/// A fraction of a length is rounded down first, so the remainder stays at the end of the row.
/// Rounding the edges at the end instead, as browsers do, would give other frames.
package struct PixelGrid: Hashable, Sendable {
  /// The number of pixels per point.
  ///
  /// A scale that is not a positive number counts as 1.
  package let scale: Double

  /// The tolerance, in pixels, within which a length just below a pixel counts as on it.
  ///
  /// It covers the rounding error of a product of fractions.
  static let tolerance = 0.001

  /// Creates a grid for a number of pixels per point.
  package init(scale: Double) {
    self.scale = scale.isFinite && scale > 0 ? scale : 1
  }

  /// The largest whole number of pixels in a length.
  package func floored(_ length: Double) -> Double {
    let pixels = length * scale
    guard pixels.isFinite else { return length }
    return (pixels + Self.tolerance).rounded(.down) / scale
  }

  /// The pixel nearest to a position.
  ///
  /// Half a pixel rounds up, and so does a sum of thirds that is just below it.
  package func nearest(_ position: Double) -> Double {
    let pixels = position * scale
    guard pixels.isFinite else { return position }
    return (pixels + 0.5 + Self.tolerance).rounded(.down) / scale
  }

  /// The rectangle of whole pixels that a screen draws for a frame.
  ///
  /// The origin moves to the nearest pixel, halves away from zero; the size stays. The layout does
  /// not round the frames of anchored supplementaries; UIKit's views are rounded when they are
  /// drawn.
  package func snapped(_ frame: LayoutRect) -> LayoutRect {
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
