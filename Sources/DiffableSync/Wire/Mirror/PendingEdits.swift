public import Diffable

/// The changes of a user that the owner of a list has not made yet, to be stored.
///
/// ``EditableMirror/pending`` returns them. Store them as JSON, and pass them to a mirror at the next launch.
/// They keep their names, so a change that had arrived although its answer was lost is not made
/// twice.
public struct PendingEdits<Batch: DeltaBatch>: Sendable {
  /// The state of the owner below the changes, as a reset.
  let state: Batch.Delta
  /// The changes, each as a proposal based on the state that those before it make.
  let proposals: [Proposal<Batch>]
  /// For changes that make nothing at present, by their names: what leads from that state to the one that the
  /// change was made on.
  let detours: [String: Batch.Delta]
  /// The last proposals of changes that the state has already, and whose answers are missing.
  let questions: [Proposal<Batch>]
  /// What else is known of changes, by their names; `nil` if a version stored them that noted nothing.
  let notes: [String: EditNotes<Batch>]?

  /// The number of changes.
  ///
  /// It does not count those that the state has already, and whose outcomes are not known yet: see
  /// ``EditableMirror/undecided``.
  public var count: Int { proposals.count }
}

extension PendingEdits: Codable
where
  Batch.SectionID: Codable, Batch.ItemID: Codable, Batch.Element: Codable, Batch.Delta: Codable
{}

/// What one life of a mirror leaves to the next one of a change, besides the change.
struct EditNotes<Batch: DeltaBatch>: Sendable {
  /// What takes it back next, if anything does: undo, or redo.
  let direction: UndoDirection?
  /// The contradictions that the owner does not find.
  let conflicts: [MergeConflict<Batch.SectionID, Batch.ItemID>]
  /// The states in which they were found first; `nil` if a version stored them that did not know.
  let origins: [ResumeToken]?
  /// The models that others have made of their items, as in ``ProposalAcceptance``.
  let theirs: [Batch.Element]
  /// The contradictions that its writer was told of when it was shown.
  let told: [MergeConflict<Batch.SectionID, Batch.ItemID>]
  /// The first proposal of the change, if it was made on another state than the stored one.
  let first: First?

  /// What a change was when it was proposed first; the owner may have made that.
  struct First: Sendable {
    /// What leads from the stored state to the one that the change was made on.
    ///
    /// Both deltas have the name of that one only.
    let detour: Batch.Delta
    let change: Batch.Delta
  }
}

extension EditNotes: Codable
where
  Batch.SectionID: Codable, Batch.ItemID: Codable, Batch.Element: Codable, Batch.Delta: Codable
{}

extension EditNotes.First: Codable where Batch.Delta: Codable {}

extension EditedList {
  /// The pending edits with the state below them; `nil` before the first delta.
  ///
  /// An edit that makes nothing at present may make something later. It is stored with the state that it was made
  /// on.
  ///
  /// - Complexity: O(n) for n items, and the cost of the edits.
  var stored: PendingEdits<Batch>? {
    guard let held = list.held, let state = list.whole.map({ Batch($0).delta }) else { return nil }
    let scratch = Core(
      SourceOptions(), kernels: list.core.kernels, children: nil, handlers: list.core.live.handlers)
    let limits = list.limits
    guard (try? scratch.replace(by: state, within: limits)) != nil else { return nil }
    var (proposals, detours) = ([Proposal<Batch>](), [String: Batch.Delta]())
    var notes: [String: EditNotes<Batch>] = [:]
    func keep(
      _ edit: Shown.Pending, _ direction: UndoDirection?,
      adding found: Contradictions<SectionID, ItemID> = .init(),
      _ first: EditNotes<Batch>.First? = nil
    ) {
      let known = known(of: edit, adding: found, at: held)
      guard direction != nil || !known.conflicts.isEmpty || !edit.told.isEmpty || first != nil
      else { return }
      let origins = origins(of: known.conflicts, of: edit, at: held)
      notes[edit.id.description] = EditNotes(
        direction: direction, conflicts: known.conflicts,
        origins: known.conflicts.map { origins[$0] ?? held }, theirs: known.theirs, told: edit.told,
        first: first)
    }
    for edit in overlay.pending {
      let first = first(of: edit, at: held)
      guard (try? scratch.begin(ifRevision: nil, isCancellable: false)) != nil else { break }
      guard let made = try? edit.make(on: &scratch.live), let commit = made.commit else {
        scratch.abandon(nil)
        guard
          let detour = edit.made.detour(
            from: scratch.snapshot, named: held, edit.others, edit.presentation)
        else { continue }
        detours[edit.id.description] = Batch(detour.base).delta
        proposals.append(
          edit.proposal(detour.change, basedOn: held, seen: edit.seen(Contradictions())))
        keep(edit, steps.direction(of: edit.id), first)
        continue
      }
      proposals.append(
        edit.proposal(
          scratch.batch(of: commit, edit.presentation), basedOn: held,
          seen: edit.seen(made.contradictions)))
      keep(
        edit, steps.direction(of: edit.id), adding: edit.unrepeatable(made.contradictions), first)
      scratch.end(
        commit, edit.presentation, kind: .change(name: nil), duration: .zero)
    }
    let questions = questions
    // Undo of the next life does not know what these have changed.
    for question in questions { keep(question.edit, nil) }
    return PendingEdits(
      state: state, proposals: proposals, detours: detours, questions: questions.map(\.proposal),
      notes: notes)
  }

  /// The first proposal of an edit that can be taken back, if it was made on another state than the present one.
  private func first(of edit: Shown.Pending, at held: ResumeToken) -> EditNotes<Batch>.First? {
    guard edit.name != nil, let first = proposed[edit.id]?.first, first.base != held
    else { return nil }
    let others = steps.step(of: edit.id).map(laterNotes(of:)) ?? .init()
    return first.change.detour(
      from: list.snapshot, named: first.base, others, edit.presentation
    ).map { .init(detour: Batch($0.base).delta, change: Batch($0.change).delta) }
  }

  /// Continues with the edits of a former life, except those that are pending already.
  ///
  /// A mirror that has no state yet takes over the one that was stored.
  ///
  /// - Throws: ``DeltaError`` if what was stored does not fit together, and if the mirror has finished. Nothing
  ///   has changed then.
  func resume(_ stored: PendingEdits<Batch>) throws(DeltaError) {
    // Nobody would ever learn the outcomes.
    guard !list.core.isFinished else { throw .finished }
    let limits = list.limits
    let scratch = Core(
      SourceOptions(), kernels: list.core.kernels, children: nil, handlers: list.core.live.handlers)
    _ = try scratch.replace(by: stored.state, within: limits)
    let whole = scratch.snapshot
    typealias Made = Replay<SectionID, ItemID>
    typealias First = (base: ResumeToken, change: Made, others: Core.RowNotes)
    var edits: [(replay: Made, proposal: Proposal<Batch>, first: First?)] = []
    for proposal in stored.proposals {
      let detour = stored.detours[proposal.id.description]
      let base =
        try detour.map { detour throws(DeltaError) in
          try scratch.state(after: detour, from: scratch.snapshot, within: limits)
        } ?? scratch.snapshot
      let (theirs, given) = try proposal.delta.made(of: base, within: limits, scratch.kernels)
      var made: Core.Live.Commit?
      _ = try scratch.change(.immediate) { () throws(DeltaError) in
        if detour != nil { scratch.live.revert(to: base) }
        made = try scratch.carryOut { () throws(SnapshotError) in
          try scratch.live.merge(valid: theirs, given, basedOn: base, others: .init()).commit
        }
        guard detour != nil else { return made }
        // Those after it do not have it.
        scratch.withdraw()
        return nil
      }
      let replay = Made(
        from: base, to: made?.snapshot ?? base, made?.notes?.marks ?? .init(),
        seen: try proposal.delta._content.seen(scratch.kernels), by: proposal.rule)
      let first = try stored.notes?[proposal.id.description]?.first.map {
        first throws(DeltaError) -> First in
        let base = try scratch.state(after: first.detour, from: whole, within: limits)
        let result = try scratch.state(after: first.change, from: base, within: limits)
        let change = Made(from: base, to: result, first.change.update.rowNotes, by: proposal.rule)
        return (first.detour.target, change, first.detour.update.rowNotes.inverse)
      }
      edits.append((replay, proposal, first))
    }
    if list.held == nil { _ = try apply { () throws(DeltaError) in stored.state } }
    var known = Set(undecided.map(\.id))
    for question in stored.questions where known.insert(question.id).inserted {
      let nothing = Made(from: list.snapshot, to: list.snapshot, .init())
      let notes = stored.notes?[question.id.description]
      restore(question, nothing, noting: notes, isShown: true, on: nil)
    }
    let base = MirroredList<SectionID, ItemID>.EarlierState(
      token: stored.state.target, snapshot: whole, revision: list.core.revision)
    var resumed: [(edit: Shown.Pending, direction: UndoDirection?, first: First?)] = []
    for (replay, proposal, first) in edits where known.insert(proposal.id).inserted {
      let others = stored.detours[proposal.id.description]?.update.rowNotes.inverse ?? .init()
      let notes = stored.notes?[proposal.id.description]
      let edit = restore(
        proposal, replay, others, noting: notes, first: first.map { ($0.base, $0.change) },
        isShown: false, on: base)
      resumed.append((edit, notes?.direction, first))
    }
    overlay.rebase(.immediate)
    for (edit, direction, first) in resumed {
      // The owner's list may have had it already when it was proposed last.
      let isNothing = edit.made.base.isSameState(as: edit.made.result)
      let made = (edit.made, edit.others)
      let (change, others) = isNothing ? first.map { ($0.change, $0.others) } ?? made : made
      remember(
        edit, change, after: others,
        stored.notes == nil ? inferredDirection(of: edit) : direction)
    }
  }
}

extension Overlay.Pending where Batch: DeltaBatch {
  /// The edit as a proposal.
  ///
  /// - Parameters:
  ///   - change: What it changes.
  ///   - base: The name of the state that the change starts from.
  ///   - seen: The versions that its writer has seen of models which others have changed.
  func proposal(
    _ change: UpdateBatch<Batch.SectionID, Batch.ItemID>, basedOn base: ResumeToken,
    seen: GivenContent<Batch.SectionID, Batch.ItemID>
  ) -> Proposal<Batch> {
    Proposal(
      Batch(change), basedOn: base, named: name, id: id, seen: seen, by: rule, reversing: reverses)
  }
}

extension Replay {
  /// What leads from a state to the one that the change was made on, and what the change has made of that.
  ///
  /// - Parameters:
  ///   - token: The name that both batches give to their states. Only that of a first proposal is read.
  ///   - others: What others have renamed and placed since the change was made.
  fileprivate func detour(
    from live: State, named token: ResumeToken, _ others: State.Marks,
    _ presentation: Presentation
  ) -> (base: UpdateBatch<SectionID, ItemID>, change: UpdateBatch<SectionID, ItemID>)? {
    let others = others.rowNotes
      .replacingRenames { $0.from(stateWhere: base.containsItem) }
      .replacingRenames { $0.to(stateWhere: live.containsItem) }
    guard
      let detour = UpdateBatch(from: live, named: token, to: base, named: token, others.inverse),
      let change = UpdateBatch(
        from: base, named: token, to: result, named: token, result.marks, presentation)
    else { return nil }
    return (detour, change)
  }
}

extension UpdateDelta {
  /// What was renamed and placed.
  var rowNotes: Snapshot<SectionID, ItemID>.Marks {
    var notes = Snapshot<SectionID, ItemID>.Marks()
    notes.rename(renamedItems)
    notes.placed.formUnion(placed)
    return notes
  }
}
