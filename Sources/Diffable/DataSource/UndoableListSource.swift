/// A source whose user can take changes back.
///
/// Lists in memory have it, lists that several servers share, and those of a user whose changes others
/// decide on. Which changes count differs: in memory all of them, or those of a ``UndoScope``; in an
/// ``AuthoredSource`` those that have a name and its author; elsewhere those that have a name and were made
/// here. What others have changed stays.
///
/// ```swift
/// func undoTitle(of source: any UndoableListSource<String, Int>) async -> String {
///   await source.nextUndo().map { "Undo \($0.name ?? "")" } ?? "Nothing to undo"
/// }
/// ```
public protocol UndoableListSource<SectionID, ItemID>: WritableListSource {
  /// Reverts the newest change that counts and has not been reverted.
  ///
  /// - Parameter presentation: How to show the change.
  /// - Returns: The change that was made; `nil` if there is nothing to undo.
  /// - Throws: What a write of the source throws. Nothing changes then.
  @discardableResult
  func undo(presentation: Presentation) async throws -> Transaction<SectionID, ItemID>?

  /// Reverts the newest undo, unless there was a new change since.
  ///
  /// - Parameter presentation: How to show the change.
  /// - Returns: The change that was made; `nil` if there is nothing to redo.
  /// - Throws: What a write of the source throws. Nothing changes then.
  @discardableResult
  func redo(presentation: Presentation) async throws -> Transaction<SectionID, ItemID>?

  /// The change that ``undo(presentation:)`` reverts, for a menu; `nil` if there is none.
  func nextUndo() async -> UndoableChange?

  /// The change that ``redo(presentation:)`` makes again, for a menu; `nil` if there is none.
  func nextRedo() async -> UndoableChange?

  /// Makes one step of undo of all changes that count since a revision.
  ///
  /// - Parameter revision: The revision before the first of the changes.
  func groupUndo(since revision: Revision) async
}

extension UndoableListSource {
  /// Reverts the newest change that counts and has not been reverted.
  ///
  /// The same as ``undo(presentation:)`` with animation.
  @_disfavoredOverload @discardableResult
  public func undo() async throws -> Transaction<SectionID, ItemID>? {
    try await undo(presentation: .animated)
  }

  /// Reverts the newest undo, unless there was a new change since.
  ///
  /// The same as ``redo(presentation:)`` with animation.
  @_disfavoredOverload @discardableResult
  public func redo() async throws -> Transaction<SectionID, ItemID>? {
    try await redo(presentation: .animated)
  }
}
