/// The changes that undo and redo work on.
public enum UndoScope: Hashable, Sendable, CaseIterable {
  /// All changes of all writers.
  case everything
  /// Changes that have a name; unnamed changes stay.
  case named
}
