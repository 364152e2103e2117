/// A key that a list or a line of text can handle.
public indirect enum Key: Hashable, Sendable {
  /// A printable character, or one scalar of a character that has several.
  case character(Unicode.Scalar)
  /// The up arrow.
  case up
  /// The down arrow.
  case down
  /// The left arrow.
  case left
  /// The right arrow.
  case right
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
  /// Home.
  case home
  /// End.
  case end
  /// Enter, or Return.
  case enter
  /// Tab.
  case tab
  /// Escape.
  case escape
  /// Deletes the character before the cursor.
  case backspace
  /// Deletes the character after the cursor.
  case delete
  /// A key pressed together with Shift, such as an arrow; characters are other characters instead.
  case shift(Key)
}
