/// Which changes undo and redo work on.
public enum UndoScope: Hashable, Sendable, CaseIterable {
  /// All changes, whoever made them.
  case everything
  /// Changes that have a name; what others change without giving one stays.
  case named
}
