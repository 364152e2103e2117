/// A list in memory as one of its authors writes it, who can take back their own changes.
///
/// Use it where several users write the same list in one process:
///
/// ```swift
/// let anns = board.authored(by: "Ann")
/// try await anns.update(named: "Rename") { try $0.update(1) { $0.title = "Tea" } }
/// try await anns.undo()                      // whatever others have changed since stays
/// ```
///
/// It is the same list, with the same revisions, batches and tokens, and it ends with it. Only the changes
/// that are made through it have its author. Those that have a name can be undone through it, as in a list
/// that several servers share. A controller that follows it drags and folds for the author.
///
/// All sources for one author have the same undo, so a request of a user can make one when it comes.
public final class AuthoredSource<Source: EditableListSource>: UndoableListSource {
  /// The batches that subscribers receive.
  public typealias Batch = Source.Batch

  /// The list that all authors write.
  public let source: Source
  /// The name of the author.
  public let author: String

  /// That of the source.
  public var _access: _SourceAccess<Source.SectionID, Source.ItemID> { source._access }

  init(_ source: Source, _ author: String) {
    (self.source, self.author) = (source, author)
  }

  /// The live state and its revision, read together.
  ///
  /// - Complexity: O(1).
  public var current: (snapshot: Snapshot<SectionID, ItemID>, revision: Revision) {
    get async { await source.current }
  }

  /// Edits the live state in one step, as a change of the author.
  ///
  /// As ``EditableListSource/update(named:presentation:_:)`` of the list.
  ///
  /// - Parameters:
  ///   - name: The name of the change. Without a name, undo passes it over.
  ///   - presentation: How to show the change.
  ///   - edit: Changes the draft.
  /// - Returns: What the edit returned, the revision that holds the edited state, and the change if there
  ///   is one.
  /// - Throws: What the edit throws, or ``DataSourceError``. Nothing changes then.
  /// - Complexity: The cost of the edit and of finding the difference to the live state.
  @discardableResult
  public func update<Result: Sendable>(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: sending (inout Source.Draft) throws -> Result
  ) async throws -> WriteResult<Result> {
    try await source.update(named: name, by: author, presentation: presentation, edit)
  }

  /// Makes a change of the author, and returns when it is published.
  ///
  /// - Returns: The change that was made.
  /// - Throws: ``DataSourceError``, as the list does. Nothing changes then.
  @discardableResult
  public func write(
    _ change: OrderChange<SectionID, ItemID>
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try await source.write(change, by: author)
  }

  /// Expands an item for the author and waits until its children are loaded, or collapses it.
  public func setExpanded(
    _ isExpanded: Bool, of item: ItemID, named name: String?
  ) async throws(ChildrenError<ItemID>) {
    try await source.setExpanded(isExpanded, of: item, named: name, by: author)
  }

  /// Reverts the newest named change of the author that has not been reverted.
  ///
  /// The same as ``EditableListSource/undo(_:presentation:)`` in the scope ``UndoScope/author(_:)``.
  @discardableResult
  public func undo(
    presentation: Presentation = .animated
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try await source.undo(.author(author), presentation: presentation)
  }

  /// Reverts the newest undo of a change of the author.
  ///
  /// An undo of the whole list may have reverted changes of several authors as one step. Only a redo of the whole
  /// list makes them again, and only an undo of the whole list reverts that redo.
  ///
  /// The same as ``EditableListSource/redo(_:presentation:)`` in the scope ``UndoScope/author(_:)``.
  @discardableResult
  public func redo(
    presentation: Presentation = .animated
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try await source.redo(.author(author), presentation: presentation)
  }

  /// The change that ``undo(presentation:)`` reverts, for a menu; `nil` if there is none.
  ///
  /// - Complexity: O(k) for k changes that are reverted together.
  public func nextUndo() -> UndoableChange? { source.nextUndo(.author(author)) }

  /// The undo that ``redo(presentation:)`` reverts, for a menu; `nil` if there is none.
  ///
  /// - Complexity: O(1).
  public func nextRedo() -> UndoableChange? { source.nextRedo(.author(author)) }

  /// Makes one step of undo of all named changes of the author since a revision.
  ///
  /// The steps of other authors, and those of the whole list, stay as they are.
  ///
  /// - Parameter revision: The revision before the first of the changes.
  /// - Complexity: O(1).
  public func groupUndo(since revision: Revision) {
    source.reader.hub.groupUndo(since: revision, by: author)
  }
}

extension EditableListSource {
  /// The same list for one of its authors, with undo of their own.
  ///
  /// - Parameter author: The name of the author: of a user, a window or a part of the program.
  public nonisolated func authored(by author: String) -> AuthoredSource<Self> {
    AuthoredSource(self, author)
  }

  func update<Result: Sendable>(
    named name: String?, by author: String, presentation: Presentation,
    _ edit: sending (inout Draft) throws -> Result
  ) throws -> WriteResult<Result> {
    try core.update(named: name, by: author, presentation: presentation) { snapshot, given in
      try Batch._edit(&snapshot, &given, renamed: [], edit)
    }
  }

  func write(
    _ change: OrderChange<SectionID, ItemID>, by author: String
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try core.write(change, by: author)
  }
}
