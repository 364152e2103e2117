public import Diffable

extension MirrorSource {
  /// The same list for a user who edits it: changes are shown at once, and proposed to its owner.
  ///
  /// ```swift
  /// let list = try await mirror.editable { proposal in
  ///   let answer = try await session.post(JSONEncoder().encode(proposal), to: url)   // any HTTP client
  ///   return try JSONDecoder().decode(ProposalAnswer.self, from: answer)
  /// }
  /// try await list.update { draft in try draft.appendItems([note], toSection: "Today") }
  /// ```
  ///
  /// Follow the owner as before, see ``follow(clock:longestWait:silence:connect:decode:failure:)``: a change
  /// stays pending until the mirror has received it.
  ///
  /// All calls return the same list. A later call replaces `send`, `decided`, `failure` and the pauses.
  ///
  /// - Parameters:
  ///   - pending: What was stored before the last restart, see ``EditableMirror/pending``. A mirror without
  ///     a state shows the stored one. So call this before the mirror follows: the owner then says what has
  ///     changed since. A mirror that has followed knows only the present list, in which a row with another
  ///     identifier looks like a deleted one. Changes that are pending already are not added again.
  ///   - options: How often a change is sent again.
  ///   - reordering: The app's handlers for reordering by the user.
  ///   - send: Sends a proposal to the owner of the list and returns its answer. If it throws, the proposal
  ///     is sent again after a pause. It must end when its task is cancelled, and throw after some time.
  ///   - decided: Receives the outcome of every change, also of those that were made before a restart.
  ///     An undo is a change of its own with the name of what it takes back, see
  ///     ``ProposedWrite/reverses``. The mirror calls the function; it must not wait.
  ///   - failure: Receives what `send` throws.
  /// - Throws: ``DeltaError`` if `pending` does not fit together, and ``DeltaError/finished`` if there is `pending` and
  ///   the mirror has finished. Nothing has changed then.
  /// - Complexity: O(n) for n items.
  public func editable<Section, Item>(
    resuming pending: PendingEdits<Batch>? = nil, options: ProposalOptions = ProposalOptions(),
    reordering: ReorderingHandlers<Section, Item> = ReorderingHandlers(),
    send: @escaping @Sendable (_ proposal: Proposal<Batch>) async throws -> ProposalAnswer<Batch>,
    decided:
      @escaping @Sendable (_ write: ProposedWrite<Batch>, _ outcome: ProposedWrite<Batch>.Outcome)
      -> Void = { _, _ in },
    failure: @escaping @Sendable (any Error) -> Void = { _ in }
  ) throws(DeltaError) -> EditableMirror<Batch> where Batch == UpdateBatch<Section, Item> {
    try edit(pending, options, DropRules(reordering), ModelHandlers(), send, decided, failure)
  }

  /// The same list of models for a user who edits it.
  ///
  /// In addition, a `dropHandler` changes the model of an item that the user drops in a section, and a
  /// `mergeHandler` merges two versions of a model, as in a `ModelSource`: give the mirror the same as its
  /// owner, so that it shows what the owner will make.
  public func editable<Section, Model>(
    resuming pending: PendingEdits<Batch>? = nil, options: ProposalOptions = ProposalOptions(),
    reordering: ReorderingHandlers<Section, Model.ID> = ReorderingHandlers(),
    dropHandler: (@Sendable (inout Model, Section) -> Void)? = nil,
    mergeHandler: (@Sendable (_ base: Model, _ theirs: Model, _ mine: Model) -> Model)? = nil,
    send: @escaping @Sendable (_ proposal: Proposal<Batch>) async throws -> ProposalAnswer<Batch>,
    decided:
      @escaping @Sendable (_ write: ProposedWrite<Batch>, _ outcome: ProposedWrite<Batch>.Outcome)
      -> Void = { _, _ in },
    failure: @escaping @Sendable (any Error) -> Void = { _ in }
  ) throws(DeltaError) -> EditableMirror<Batch> where Batch == ModelBatch<Section, Model> {
    let handlers = ModelHandlers(drop: dropHandler, merge: mergeHandler)
    return try edit(
      pending, options, DropRules(reordering, handlers), handlers, send, decided, failure)
  }

  private func edit(
    _ pending: PendingEdits<Batch>?, _ options: ProposalOptions,
    _ drops: DropRules<SectionID, ItemID>, _ handlers: ModelHandlers<SectionID>,
    _ send: @escaping @Sendable (Proposal<Batch>) async throws -> ProposalAnswer<Batch>,
    _ decided:
      @escaping @Sendable (ProposedWrite<Batch>, ProposedWrite<Batch>.Outcome) -> Void,
    _ failure: @escaping @Sendable (any Error) -> Void
  ) throws(DeltaError) -> EditableMirror<Batch> {
    let edited = edited ?? EditedList(list, options.source.showing(), handlers)
    if let pending { try edited.resume(pending) }
    edited.decided = decided
    self.edited = edited
    let former = sender
    sender = ProposalSender(self, options, send, failure)
    former?.finish()
    return EditableMirror(self, RevisionReader(hub: edited.overlay.core.hub), drops)
  }

  // MARK: For the editable mirror

  func add(
    named name: String?, _ presentation: Presentation,
    _ edit: @escaping OrderChange<SectionID, ItemID>.Edit
  ) throws -> (
    write: ProposedWrite<Batch>, contradictions: Contradictions<SectionID, ItemID>
  ) {
    guard let edited else { throw DataSourceError.finished }
    let added = try edited.add(edit, named: name, presentation)
    sender?.wake()
    return (ProposedWrite(added.edit), added.contradictions)
  }

  func write(
    proposing change: OrderChange<SectionID, ItemID>
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    guard let edited else { throw .finished }
    return try edited.overlay.write(change) {
      try add(named: change.name, change.presentation, $0).contradictions
    }
  }

  func reverse(
    _ direction: UndoDirection, _ presentation: Presentation
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    guard let edited else { throw .finished }
    defer { sender?.wake() }
    return try edited.reverse(direction, presentation)
  }

  func nextStep(_ direction: UndoDirection) -> UndoableChange? {
    guard let edited, let step = edited.steps.next(direction) else { return nil }
    return UndoableChange(
      revision: step.revision, name: step.name, of: edited.overlay.core.hub.epoch)
  }

  func groupUndo(since revision: Revision) { edited?.steps.join(since: revision) }

  var editedState: (snapshot: Snapshot<SectionID, ItemID>, revision: Revision) {
    let core = edited?.overlay.core ?? list.core
    return (core.snapshot, core.revision)
  }

  var pendingEdits: PendingEdits<Batch>? { edited?.stored }

  var undecidedWrites: [ProposedWrite<Batch>] { edited?.undecided.map(ProposedWrite.init) ?? [] }
}
