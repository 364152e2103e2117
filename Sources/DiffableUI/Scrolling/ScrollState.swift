import Diffable
import DiffableViews

#if canImport(UIKit) && !os(watchOS)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// Where a view is scrolled to, along the axis on which its content is longer than the view.
struct ScrollState {
  /// The offset of the view, from the start of the content.
  var origin: Double
  /// The size of the view.
  var width: Double
  var height: Double
  var isHorizontal = false
  /// The lengths at both ends that the insets of the view cover.
  var insets = Viewport.Covered()
  var contentLength: Double

  /// The distance from the start of the content to the start of the visible part.
  var offset: Double { origin + insets.start }
  var length: Double {
    max(0, (isHorizontal ? width : height) - insets.start - insets.end)
  }
}

/// The place of a row between two edges; `nil` if they are no numbers.
func rowSpan(from start: Double, to end: Double) -> Range<Double>? {
  start.isFinite && end.isFinite ? start..<max(start, end) : nil
}

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
extension ScrollState {
  /// The state of a view that shows a part of its content.
  ///
  /// - Parameters:
  ///   - visible: The bounds of the view, in which the content begins at the origin.
  ///   - contentSize: The size of the content.
  ///   - isHorizontal: Whether the view scrolls sideways.
  ///   - sides: What insets cover on the left and on the right.
  ///   - ends: What insets cover at the top and at the bottom.
  init(
    visible: CGRect, contentSize: CGSize, isHorizontal: Bool, sides: Viewport.Covered,
    ends: Viewport.Covered
  ) {
    self.init(
      origin: Double(isHorizontal ? visible.minX : visible.minY), width: Double(visible.width),
      height: Double(visible.height), isHorizontal: isHorizontal,
      insets: isHorizontal ? sides : ends,
      contentLength: Double(isHorizontal ? contentSize.width : contentSize.height))
  }

  /// The place of a frame along the axis; `nil` if it is not made of numbers.
  func span(of frame: CGRect) -> Range<Double>? {
    isHorizontal
      ? rowSpan(from: Double(frame.minX), to: Double(frame.maxX))
      : rowSpan(from: Double(frame.minY), to: Double(frame.maxY))
  }

  /// A point that is moved to an origin along the axis.
  func point(_ point: CGPoint, movedTo origin: Double) -> CGPoint {
    isHorizontal ? CGPoint(x: CGFloat(origin), y: point.y) : CGPoint(x: point.x, y: CGFloat(origin))
  }
}

extension ScrolledPlace {
  /// Whether a view of a size scrolls sideways: its content is wider than it, and not higher.
  ///
  /// If the content is neither or both, the view scrolls as it did before. So a view remembers its
  /// place while it is long enough to show everything.
  func isHorizontal(_ contentSize: CGSize, in size: CGSize) -> Bool {
    let isWider = contentSize.width > size.width
    let isHigher = contentSize.height > size.height
    return isWider == isHigher ? state?.isHorizontal ?? false : isWider
  }
}

extension PlacedView {
  /// The place of a view with a frame; `nil` if that is not made of numbers.
  init?(_ frame: CGRect, zIndex: Int, in state: ScrollState) {
    var across = state
    across.isHorizontal.toggle()
    guard let span = state.span(of: frame), let crossSpan = across.span(of: frame) else {
      return nil
    }
    self.init(span: span, crossSpan: crossSpan, zIndex: zIndex)
  }
}
#endif
