public import Diffable

/// What stays in place on the screen while a list changes, or is to be shown there.
public enum ListAnchor: Hashable, Sendable {
  /// The beginning of the content: what is inserted there comes into view.
  case start
  /// The end of the content: what is appended there comes into view.
  case end
  /// The offset: nothing is known of what is on the screen.
  case offset
  /// The start of a row, at a distance from the start of the visible part.
  ///
  /// The distance is negative if the row begins before the visible part. If the row becomes shorter
  /// than that, the rest of it stays visible.
  case row(ItemPath, distance: Double)
  /// A row that is to be shown at a place, whatever its size turns out to be.
  case target(ItemPath, ListScrollPosition)

  /// The row, by its path in the state that the anchor is for; `nil` without one.
  public var path: ItemPath? {
    switch self {
    case .start, .end, .offset: nil
    case .row(let path, _), .target(let path, _): path
    }
  }

  /// The same place for a row at another path.
  package func moved(to path: ItemPath) -> ListAnchor {
    switch self {
    case .start, .end, .offset: self
    case .row(_, let distance): .row(path, distance: distance)
    case .target(_, let position): .target(path, position)
    }
  }
}

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
