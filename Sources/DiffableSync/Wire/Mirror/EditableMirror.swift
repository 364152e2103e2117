public import Diffable

/// The list of a ``MirrorSource`` with the changes of its user, which its owner has not made yet.
///
/// ```swift
/// let list = try await mirror.editable { proposal in try await post(proposal) }
/// let write = try await list.update(named: "Tick") { draft in      // renderers show it at once
///   draft.setModel(ticked)
/// }
/// if case .refused(let refusal) = await write.outcome { … }         // it is no longer shown
/// ```
///
/// It is a source like any other: renderers follow it and let the user edit and drag, and sources can be
/// derived from it. `UpdateBatch.unconfirmedItems` lists what the owner has not made yet.
///
/// It guarantees:
///
/// - A change is shown at once, and what others change is shown under it. It is proposed to the owner in the
///   order of the calls, one change at a time. The answer brings the mirror to a state that has the change, so
///   the next one does not wait for the stream.
/// - What others reload, reconfigure and rename reaches subscribers as it reaches those of the mirror, with
///   the presentation that others have chosen. Rows that the user's own change has reloaded are reloaded once
///   more when the mirror receives it, since the owner may have changed them further.
/// - It stays pending until the mirror has received it. So no row vanishes and comes back.
/// - The owner makes it once, however often it has to be sent.
/// - If it is refused, it goes away alone. Later changes stay, if they still make sense.
/// - While the owner cannot be reached, changes wait. ``pending`` can be stored.
///
/// It has revisions and tokens of its own, which are valid in this process only.
public final class EditableMirror<Batch: DeltaBatch>: UndoableListSource {
  /// The source that shows what the owner has sent.
  public let confirmed: MirrorSource<Batch>
  /// Access to what the source has published.
  public let _access: _SourceAccess<Batch.SectionID, Batch.ItemID>

  init(
    _ confirmed: MirrorSource<Batch>, _ reader: RevisionReader<SectionID, ItemID>,
    _ drops: DropRules<SectionID, ItemID>
  ) {
    (self.confirmed, _access) = (confirmed, SourceAccess(reader, drops))
  }

  /// Shows an edit at once, and proposes it to the owner of the list.
  ///
  /// The edit runs again whenever the list below it changes, until it is sent. So its result must
  /// depend only on the state that it gets, and it must have no side effects. After that, its
  /// result is merged. If others have renamed an item meanwhile, the draft has the item under its
  /// old identifier, and the edit applies to it under the new one. If it sets a model under the old
  /// identifier, that must be a `RenamableModel`; otherwise the change has no effect, and its
  /// outcome has `editedButRenamed`. If it deletes a section into which others have put items
  /// since, the section stays, with those items.
  ///
  /// - Parameters:
  ///   - name: The name of the change, for ``undo(presentation:)`` and for the owner.
  ///   - presentation: How to show the change.
  ///   - edit: Changes the draft.
  /// - Returns: The change, whose outcome can be awaited. It is sent even if the outcome is not
  ///   awaited, and if the task is cancelled.
  /// - Throws: What the edit throws, and `DataSourceError`. Nothing changes then.
  /// - Complexity: The cost of the edit, and O(c · log n) for c changes among n items, those that wait included.
  @discardableResult
  public func update(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: @escaping @Sendable (inout Batch.Draft) throws -> Void
  ) async throws -> ProposedWrite<Batch> {
    try await confirmed.add(named: name, presentation) { snapshot, given, names in
      try Batch._edit(&snapshot, &given, renamed: names.renames.inOrder, edit)
      return Contradictions()
    }.write
  }

  /// The list with all changes that are shown, and its number in this process.
  ///
  /// - Complexity: O(1).
  public var current: (snapshot: Snapshot<SectionID, ItemID>, revision: Revision) {
    get async { await confirmed.editedState }
  }

  /// The changes that the owner has not made yet, to be stored; `nil` if the mirror has no state.
  ///
  /// Changes that make no sense at present are among them. Store it after each change, or when the app goes to
  /// the background, and pass it to the mirror at the next launch. It also has what is needed to learn
  /// the outcomes of changes that the mirror shows already, see ``undecided``.
  ///
  /// - Complexity: O(n) for n items, since the state below the changes is stored, too.
  public var pending: PendingEdits<Batch>? {
    get async { await confirmed.pendingEdits }
  }

  /// The changes whose outcomes are not known yet, in the order in which they are sent.
  ///
  /// Also resumed ones, and those that the mirror has received while their answers are missing.
  /// So this waits until all is decided that was made before:
  ///
  /// ```swift
  /// for write in await list.undecided { _ = await write.outcome }
  /// ```
  ///
  /// - Complexity: O(c) for c such changes.
  public var undecided: [ProposedWrite<Batch>] {
    get async { await confirmed.undecidedWrites }
  }

  /// Takes back the newest change of the user that has a name.
  ///
  /// A change that was not handed to the function that sends is withdrawn. Of any other, also one that was
  /// resumed, the reverse is proposed. It takes back what the change wrote as far as it still shows, here and
  /// when the owner makes it, see `EditableListSource.undo(_:presentation:)`. What comes back is what the owner
  /// had just before the change, once the owner has said so; until then it is what was shown here.
  ///
  /// If nothing is left of the change, nothing is proposed. A change that the owner has refused, or that has
  /// changed nothing there, is passed over. The last 64 changes can be taken back.
  ///
  /// - Returns: The change that is shown; `nil` if there is nothing to take back.
  /// - Throws: `DataSourceError`. Nothing changes then.
  @discardableResult
  public func undo(
    presentation: Presentation = .animated
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try await confirmed.reverse(.undo, presentation)
  }

  /// Takes back the newest undo, unless there was a new change with a name since.
  ///
  /// - Returns: The change that is shown; `nil` if there is nothing to take back.
  /// - Throws: `DataSourceError`. Nothing changes then.
  @discardableResult
  public func redo(
    presentation: Presentation = .animated
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try await confirmed.reverse(.redo, presentation)
  }

  /// Makes one step of undo of all named changes of the user since a revision.
  ///
  /// As `EditableListSource.groupUndo(since:)`: from then on ``undo(presentation:)`` reverts all of them. It
  /// withdraws those that were not sent, and makes proposals for the others. ``pending`` does not have steps: a
  /// list that is resumed has the changes one by one.
  ///
  /// - Parameter revision: The revision before the first of the changes.
  public func groupUndo(since revision: Revision) async {
    await confirmed.groupUndo(since: revision)
  }

  /// The change that ``undo(presentation:)`` takes back, for a menu; `nil` if there is none.
  public func nextUndo() async -> UndoableChange? { await confirmed.nextStep(.undo) }

  /// The change that ``redo(presentation:)`` makes again, for a menu; `nil` if there is none.
  public func nextRedo() async -> UndoableChange? { await confirmed.nextStep(.redo) }

  /// Shows a change at once, and proposes it to the owner of the list.
  ///
  /// - Returns: The change as it is shown. ``undo(presentation:)`` takes it back if it has a name. To learn
  ///   what becomes of it, use ``update(named:presentation:_:)``.
  /// - Throws: `DataSourceError`; `failed` with other errors that the edit has thrown. Nothing changes then.
  @discardableResult
  public func write(
    _ change: OrderChange<SectionID, ItemID>
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try await confirmed.write(proposing: change)
  }
}

/// A change of an ``EditableMirror`` that the owner of the list has not made yet.
public struct ProposedWrite<Batch: DeltaBatch>: Sendable {
  /// What became of the change.
  public enum Outcome: Sendable {
    /// The owner has made it, and the mirror shows it.
    case accepted(ProposalAcceptance<Batch>)
    /// The owner has refused it, and it is no longer shown.
    case refused(Refusal)
    /// The user has taken it back before it was sent.
    case withdrawn
    /// It makes no sense on what others have made of the list, or the mirror has finished or was released.
    case failed(any Error)
  }

  /// The name of its proposal.
  public let id: WriteID
  /// The name of the change, for undo.
  public let name: String?
  /// The change that it takes back, if it is an undo; the undo, if it is a redo.
  ///
  /// It is `nil` if that change was withdrawn: then a redo is the change once more.
  public let reverses: WriteID?
  let promised: Promised<Outcome>

  init(_ edit: Overlay<Batch, Outcome>.Pending) {
    (id, name, reverses) = (edit.id, edit.name, edit.reverses)
    promised = edit.promise.promised
  }

  /// The outcome; waits until it is known.
  ///
  /// Cancellation does not end the wait, which lasts as long as the owner cannot be reached.
  public var outcome: Outcome {
    get async { await promised.value }
  }
}
