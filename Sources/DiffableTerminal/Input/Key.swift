/// A key that means something to a list or to a line of text.
public enum Key: Hashable, Sendable {
  /// A key with a printable character, or a part of one that is made of several scalars.
  case character(Unicode.Scalar)
  /// The arrow upwards.
  case up
  /// The arrow downwards.
  case down
  /// The arrow to the left.
  case left
  /// The arrow to the right.
  case right
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
  /// To the beginning.
  case home
  /// To the end.
  case end
  /// Enter, or Return.
  case enter
  /// Tab.
  case tab
  /// Escape.
  case escape
  /// Deletes what is before the cursor.
  case backspace
  /// Deletes what is behind the cursor.
  case delete
}
