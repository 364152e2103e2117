/// What stays in place on the screen when sizes change.
public enum ScrollAnchor: Hashable, Sendable {
  /// Nothing: the offset stays, and with it everything above.
  ///
  /// The offset counts from the start of the content, as in ``offset(_:)``.
  case none

  /// The start of an element.
  case element(LayoutElement)

  /// The first cell, header or badge that begins on the screen from a position along the scroll axis.
  ///
  /// If the position is the offset of the view, it is the first one at the top of the view. If none
  /// begins there, as a cell is longer than the screen, it is the last one that begins before. The
  /// position counts from the start of the content: from its right edge if it scrolls from right to
  /// left.
  case offset(Double)
}
