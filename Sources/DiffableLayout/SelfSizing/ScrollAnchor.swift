/// What must not move on the screen when sizes change.
public enum ScrollAnchor: Hashable, Sendable {
  /// Nothing: the offset stays, and with it whatever is above.
  case none

  /// The start of an element.
  case element(LayoutElement)

  /// The first cell, header or badge that begins at or behind a position along the scroll axis: what
  /// is at the top of the view when the position is its offset.
  ///
  /// The position counts from where the content begins: from its right edge where it scrolls from
  /// right to left.
  case offset(Double)
}
