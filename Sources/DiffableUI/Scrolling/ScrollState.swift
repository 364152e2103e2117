import Diffable
import DiffableViews

#if canImport(UIKit) && !os(watchOS)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// Where a view is scrolled to, along the axis on which its content is longer than the view.
///
/// All lengths count from where the content begins. That is its right end in a row that runs from right
/// to left. A view counts from the left: what it says is converted here, and nowhere else.
struct ScrollState {
  /// The offset of the view, from the start of the content.
  var origin: Double
  /// The size of the view.
  var width: Double
  var height: Double
  var isHorizontal = false
  /// Whether the view scrolls sideways, and its content begins at its right end.
  var isMirrored = false
  /// The lengths at both ends that the insets of the view cover.
  var insets = Viewport.Covered()
  var contentLength: Double

  /// The distance from the start of the content to the start of the visible part.
  var offset: Double { origin + insets.start }
  var length: Double {
    max(0, (isHorizontal ? width : height) - insets.start - insets.end)
  }

  /// The distance from the left or upper end of the content to that of the visible part.
  ///
  /// It stays if a view or its content gets another length, and nobody scrolls.
  var restingEdge: Double { isMirrored ? contentLength - offset - length : offset }

  /// Whether the view or its content was longer or shorter before.
  func hasOtherLength(than former: ScrollState) -> Bool {
    (contentLength, width, isMirrored) != (former.contentLength, former.width, former.isMirrored)
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
  ///   - isMirrored: Whether a view that scrolls sideways shows its content from right to left.
  ///   - sides: What insets cover on the left and on the right.
  ///   - ends: What insets cover at the top and at the bottom.
  init(
    visible: CGRect, contentSize: CGSize, isHorizontal: Bool, isMirrored: Bool = false,
    sides: Viewport.Covered, ends: Viewport.Covered
  ) {
    self.init(
      origin: 0, width: Double(visible.width), height: Double(visible.height),
      isHorizontal: isHorizontal, isMirrored: isHorizontal && isMirrored,
      insets: isHorizontal ? sides : ends,
      contentLength: Double(isHorizontal ? contentSize.width : contentSize.height))
    if self.isMirrored {
      insets = .init(start: sides.end, end: sides.start)
      // What is shorter than the view lies at its left edge, so it begins within the view.
      contentLength = max(contentLength, length)
    }
    let (left, right) = (Double(visible.minX), Double(visible.maxX))
    origin = isHorizontal ? mirrored(left, right).start : Double(visible.minY)
  }

  /// The ends of a stretch of a row from the other end of the content, if that is where it begins.
  private func mirrored(_ start: Double, _ end: Double) -> (start: Double, end: Double) {
    isMirrored ? (contentLength - end, contentLength - start) : (start, end)
  }

  /// The place of a frame along the axis; `nil` if it is not made of numbers.
  func span(of frame: CGRect) -> Range<Double>? {
    guard isHorizontal else {
      return rowSpan(from: Double(frame.minY), to: Double(frame.maxY))
    }
    let place = mirrored(Double(frame.minX), Double(frame.maxX))
    return rowSpan(from: place.start, to: place.end)
  }

  /// A point that is moved to an origin along the axis.
  func point(_ point: CGPoint, movedTo origin: Double) -> CGPoint {
    isHorizontal
      ? CGPoint(x: CGFloat(mirrored(origin, origin + width).start), y: point.y)
      : CGPoint(x: point.x, y: CGFloat(origin))
  }
}

/// Whether the items of a row run from right to left in a view that is read so.
///
/// Apple's documentation does not say so of each layout, so the frames of the first and the last item do.
/// Where there are none to compare, they will run as the view is read.
///
/// - Complexity: O(sections), and two questions for a frame.
@MainActor
func runsLeftwards(
  _ itemCounts: [Int], frame: (ItemPath) -> CGRect?
) -> Bool {
  guard let first = itemCounts.firstIndex(where: { $0 > 0 }),
    let last = itemCounts.lastIndex(where: { $0 > 0 }),
    let start = frame(ItemPath(section: first, item: 0)),
    let end = frame(ItemPath(section: last, item: itemCounts[last] - 1))
  else { return true }
  return start.maxX >= end.maxX
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
    across.isMirrored = false
    guard let span = state.span(of: frame), let crossSpan = across.span(of: frame) else {
      return nil
    }
    self.init(span: span, crossSpan: crossSpan, zIndex: zIndex)
  }
}
#endif
