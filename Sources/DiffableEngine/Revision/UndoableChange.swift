/// A change of a list, which can be reverted.
///
/// A write that has changed something returns it, and `nextUndo` names the one that undo reverts next.
public struct UndoableChange: Hashable, Sendable {
  /// The revision that made it.
  public let revision: Revision
  /// Its name, for a menu.
  public let name: String?
  /// The epoch of its source: the same number names another change in another source.
  package let epoch: Epoch

  package init(revision: Revision, name: String?, of epoch: Epoch) {
    (self.revision, self.name, self.epoch) = (revision, name, epoch)
  }
}

extension UndoableChange: CustomStringConvertible {
  /// The revision, and the name if there is one, such as `r12 “Rename”`.
  public var description: String { "\(revision)" + (name.map { " “\($0)”" } ?? "") }
}

/// The changes that undo and redo work on.
public enum UndoScope: Hashable, Sendable {
  /// All changes of all writers.
  case everything
  /// Changes that have a name; unnamed changes stay.
  case named
  /// Changes that have a name and were made by an author; what others have changed stays.
  ///
  /// A source that was made with `authored(by:)` makes them.
  case author(String)

  /// The scopes that do not depend on who has made a change.
  package static let ofAll: [UndoScope] = [.everything, .named]
}
