/// What must not move on the screen when sizes change.
public enum ScrollAnchor: Hashable, Sendable {
  /// Nothing: the offset stays, and with it whatever is above.
  case none

  /// The start of an element.
  case element(LayoutElement)

  /// The first cell, header or badge that begins at or behind a position along the scroll axis: what
  /// is at the top of the view when the position is its offset.
  case offset(Double)
}

/// What a change of a layout leaves and moves.
public struct LayoutChange: Hashable, Sendable {
  /// The elements whose own frames may have another size or place among their siblings: those of
  /// the group that was laid out again.
  public var resized: Range<Int>

  /// The section they are in.
  public var section: Int

  /// The distance by which everything behind them in the scroll direction has moved.
  public var shift: Double

  /// The size of the content afterwards.
  public var contentSize: LayoutExtent

  /// What the host adds to its offset so that the anchor stays where it is on the screen.
  public var scrollCorrection: LayoutPoint

  /// Whether no frame has changed.
  public var isEmpty: Bool { resized.isEmpty && shift == 0 }
}
