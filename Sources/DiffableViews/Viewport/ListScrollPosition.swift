/// Where in the visible part of a list a row is to be shown.
///
/// The names are those of a list that scrolls down. In a list that scrolls sideways, the top is the
/// start of the visible part, and the bottom is its end. Pinned headers do not cover the row.
public enum ListScrollPosition: String, Hashable, Sendable, CaseIterable {
  /// The row begins where the visible part begins.
  case top
  /// The middle of the row is in the middle of the visible part.
  case middle
  /// The row ends where the visible part ends; a longer row begins where it begins.
  case bottom
  /// The list scrolls the minimum distance that shows the row, or not at all.
  case nearest
}
