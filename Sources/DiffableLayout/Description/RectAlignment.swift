/// A side or a corner of a rectangle, or none (Apple: `NSRectAlignment`).
public enum RectAlignment: String, Hashable, Sendable, CaseIterable {
  /// No side: centred on both axes.
  case none

  /// The upper side.
  case top

  /// The upper corner where lines of text begin.
  case topLeading

  /// The side where lines of text begin.
  case leading

  /// The lower corner where lines of text begin.
  case bottomLeading

  /// The lower side.
  case bottom

  /// The lower corner where lines of text end.
  case bottomTrailing

  /// The side where lines of text end.
  case trailing

  /// The upper corner where lines of text end.
  case topTrailing

  /// The position of the side along an axis: 0 at its start, 1 at its end.
  ///
  /// It is one half if the alignment names no side of that axis.
  func fraction(_ axis: LayoutAxis) -> Double {
    switch (self, axis) {
    case (.top, .vertical), (.topLeading, .vertical), (.topTrailing, .vertical): 0
    case (.bottom, .vertical), (.bottomLeading, .vertical), (.bottomTrailing, .vertical): 1
    case (.leading, .horizontal), (.topLeading, .horizontal), (.bottomLeading, .horizontal): 0
    case (.trailing, .horizontal), (.topTrailing, .horizontal), (.bottomTrailing, .horizontal): 1
    default: 0.5
    }
  }
}
