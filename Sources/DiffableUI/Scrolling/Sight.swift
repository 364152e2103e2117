import Diffable
import DiffableViews

/// What is on the screen.
struct Sight {
  var rows: [VisibleRow]
  var covered = Viewport.Covered()
}

/// Where a layout has put a cell, a header or the like.
struct PlacedView {
  /// Its place along the axis on which the view scrolls.
  let span: Range<Double>
  /// Its place across that axis.
  let crossSpan: Range<Double>
  let zIndex: Int

  /// Whether the view may be above another one, and is as wide as it.
  ///
  /// If both have the same index, it is undetermined which one is above.
  fileprivate func covers(_ other: PlacedView) -> Bool {
    zIndex >= other.zIndex && span.intersects(other.span)
      && crossSpan.intersects(other.crossSpan)
      && crossSpan.lowerBound <= other.crossSpan.lowerBound
      && crossSpan.upperBound >= other.crossSpan.upperBound
  }
}

extension Sight {
  /// What is on the screen of a view with a layout.
  ///
  /// - Parameters:
  ///   - cells: The visible cells, with the paths of their items.
  ///   - others: The visible headers, footers and the like.
  ///   - state: Where the view is scrolled to.
  init(
    cells: [(path: ItemPath, place: PlacedView)], others: [PlacedView], in state: ScrollState
  ) {
    rows = cells.map { VisibleRow(path: $0.path, span: $0.place.span) }
    let (start, end) = (state.offset, state.offset + state.length)
    for view in others where cells.contains(where: { view.covers($0.place) }) {
      // What is pinned begins or ends with the visible part, or is about to leave it.
      if view.span.lowerBound < start + 0.5 {
        covered.formUnion(.init(start: view.span.upperBound - start))
      } else if view.span.upperBound > end - 0.5 {
        covered.formUnion(.init(end: end - view.span.lowerBound))
      }
    }
  }
}

extension Range<Double> {
  /// Whether two ranges have a length in common.
  fileprivate func intersects(_ other: Range<Double>) -> Bool {
    lowerBound < other.upperBound && other.lowerBound < upperBound
  }
}
