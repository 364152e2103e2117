/// What has just happened to an item or a section.
public enum ChangeMark: Hashable, Sendable, CaseIterable {
  /// It is new.
  case inserted
  /// It has moved towards the beginning of the list.
  case movedUp
  /// It has moved towards the end of the list.
  case movedDown
  /// It is gone, and is to be seen for a moment longer.
  case deleted

  /// The sign that stands for the change where there are no colours.
  public var sign: String {
    switch self {
    case .inserted: "+"
    case .movedUp: "↑"
    case .movedDown: "↓"
    case .deleted: "-"
    }
  }

  /// How text looks to which the change has happened.
  public var style: TextStyle {
    switch self {
    case .inserted: TextStyle(color: .green)
    case .movedUp: TextStyle(color: .yellow)
    case .movedDown: TextStyle(color: .yellow, isDim: true)
    case .deleted: TextStyle(color: .red, isDim: true)
    }
  }
}
