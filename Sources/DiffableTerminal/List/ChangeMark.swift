/// The kind of a recent change of an item or a section.
public enum ChangeMark: Hashable, Sendable, CaseIterable {
  /// It was inserted.
  case inserted
  /// It moved towards the beginning of the list.
  case movedUp
  /// It moved towards the end of the list.
  case movedDown
  /// It was deleted, and is still shown for a moment.
  case deleted

  /// The sign for the change in a terminal without colours.
  public var sign: String {
    switch self {
    case .inserted: "+"
    case .movedUp: "↑"
    case .movedDown: "↓"
    case .deleted: "-"
    }
  }

  /// The style of changed text.
  public var style: TextStyle {
    switch self {
    case .inserted: TextStyle(color: .green)
    case .movedUp: TextStyle(color: .yellow)
    case .movedDown: TextStyle(color: .yellow, isDim: true)
    case .deleted: TextStyle(color: .red, isDim: true)
    }
  }
}
