/// A line of text that the user edits to search a list.
///
/// Pass every key to it first. While it is not being edited, it handles only `/`, which begins a
/// search, and Escape, which ends one. While it is being edited, it handles the keys that edit a
/// line and leaves the others to the list. So the user can scroll through the results and continue
/// typing:
///
/// ```swift
/// switch field.press(key) {
/// case .edited: show(matching: field.query)
/// case .handled: draw()
/// case .ignored: _ = list.press(key)
/// }
/// ```
public struct SearchField: Hashable, Sendable {
  /// The effect of a key.
  public enum Outcome: Hashable, Sendable {
    /// The text has changed.
    case edited
    /// The field looks different: its cursor has moved, or editing has begun or ended.
    case handled
    /// No effect: the key is not for the field.
    case ignored
  }

  /// Whether the user is editing the text.
  public private(set) var isEditing = false
  /// The text before the cursor.
  private var before = ""
  /// The text after the cursor.
  private var after = ""

  /// Creates an empty field.
  public init() {}

  /// The text to search for.
  public var text: String { before + after }

  /// The text as a query.
  public var query: SearchQuery { SearchQuery(text) }

  /// Handles a key.
  ///
  /// `/` begins a search. Enter ends editing and keeps the text. Escape, and Backspace in an empty
  /// field, end it and remove the text.
  public mutating func press(_ key: Key) -> Outcome {
    guard isEditing else { return pressAside(key) }
    let old = text
    switch key {
    case .character(let scalar): before.unicodeScalars.append(scalar)
    case .backspace:
      if text.isEmpty { isEditing = false }
      if !before.isEmpty { before.removeLast() }
    case .delete: if !after.isEmpty { after.removeFirst() }
    case .left: if let last = before.popLast() { after = String(last) + after }
    case .right:
      if !after.isEmpty { before.append(after.removeFirst()) }
    case .home: (before, after) = ("", text)
    case .end: (before, after) = (text, "")
    case .enter: isEditing = false
    case .escape: self = SearchField()
    case .up, .down, .pageUp, .pageDown, .tab: return .ignored
    case .shift(let key): return press(key)
    }
    return text == old ? .handled : .edited
  }

  private mutating func pressAside(_ key: Key) -> Outcome {
    switch key {
    case .character("/"):
      isEditing = true
      (before, after) = (text, "")
      return .handled
    case .escape where !text.isEmpty:
      self = SearchField()
      return .edited
    default: return .ignored
    }
  }

  /// The field as a line with a given number of columns; the cursor is visible.
  ///
  /// - Parameters:
  ///   - columns: The number of columns.
  ///   - placeholder: The text of an empty field that is not being edited.
  public func line(columns: Int, placeholder: String = "/ to search") -> StyledText {
    let columns = max(0, columns)
    let prompt = StyledText(" / ", isEditing ? TextStyle(color: .cyan, isBold: true) : .dim)
    guard isEditing || !text.isEmpty else {
      return StyledText(" " + placeholder, .dim).columns(0..<columns)
    }
    let room = max(0, columns - prompt.columnCount)
    var content = StyledText(before)
    let cursor = content.columnCount
    if isEditing {
      content.append(after.first.map(String.init) ?? " ", .reversed)
      content.append(String(after.dropFirst()))
    } else {
      content.append(after)
    }
    let end = cursor + max(1, after.first?.columnCount ?? 1)
    let first = isEditing ? max(0, end - room) : 0
    return (prompt + content.columns(first..<first + room)).columns(0..<columns)
  }
}
