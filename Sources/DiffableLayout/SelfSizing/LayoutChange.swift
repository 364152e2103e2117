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
