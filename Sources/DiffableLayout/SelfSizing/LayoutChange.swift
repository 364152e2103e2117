/// A change of a layout: what was resized and what moved.
public struct LayoutChange: Hashable, Sendable {
  /// The items whose frames may have another size or place in their group.
  ///
  /// These are the items of the group that was laid out again; none if all are where they were.
  package var resized: Range<Int>

  /// The section of these items.
  package var section: Int

  /// The distance by which everything after them in the scroll direction has moved.
  package var shift: Double

  /// Whether the measured view has another frame.
  package var movesView: Bool

  /// The size of the content afterwards.
  public var contentSize: LayoutExtent

  /// The host adds this to its offset, so that the anchor stays in place on the screen.
  public var scrollCorrection: LayoutPoint

  /// Whether no frame has changed.
  ///
  /// It is `false` for the first measured size in groups of uniform length, even if it equals the estimate.
  public var isEmpty: Bool { resized.isEmpty && shift == 0 && !movesView }
}
