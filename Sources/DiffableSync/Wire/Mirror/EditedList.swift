import Diffable

/// A list of another process with the changes of its user, without an actor and without a network.
///
/// The mirror has what the owner of the list has sent: the confirmed state. The overlay shows the user's
/// edits on top. They are proposed to the owner one after another, in their order. Each is made on the
/// confirmed state when it is sent, so that the owner knows its base. From then on it is what it has made
/// of that state: the owner merges exactly that, and so does the overlay. So nothing changes on the screen
/// when the answer comes.
///
/// An edit stays in the overlay until a delta has its change, however late the answer is. Deltas say which
/// proposals are in them. So an edit is never shown twice, and it does not vanish in between. The delta
/// comes with the answer, if the owner says it there, or with the stream. With the answer it comes sooner, and the
/// next edit is made on it at once.
///
/// Only the owner knows what a change contradicts. So if a delta has a change whose answer was lost, the
/// owner is asked again, and the edit ends with the answer.
///
/// Events go in, and proposals come out, so a test can drive every order of events.
///
/// It is a class for the same reason as ``SourceCore``.
///
/// Invariants:
/// 1. The overlay shows the state of the mirror with the pending edits.
/// 2. One edit is sent at a time: what the owner is asked again, or else the first pending one.
final class EditedList<Batch: DeltaBatch> {
  typealias SectionID = Batch.SectionID
  typealias ItemID = Batch.ItemID
  typealias Core = SourceCore<SectionID, ItemID>
  typealias Shown = Overlay<Batch, ProposedWrite<Batch>.Outcome>

  let list: MirroredList<SectionID, ItemID>
  let overlay: Shown
  /// The edits that undo and redo take back.
  let steps = EditedSteps<SectionID, ItemID>()
  /// The edit that the owner has been sent.
  private(set) var sending: (edit: Shown.Pending, phase: Phase)?
  /// What was proposed and not decided on, by the names of the edits.
  private(set) var proposed: [WriteID: Proposed] = [:]
  /// The edits that the mirror shows and whose answers were lost, in their order.
  private var unanswered: [Shown.Pending] = []
  /// The base of the last proposal, if the owner did not know it.
  private(set) var unknownBase: ResumeToken?
  /// Is told the outcome of every edit.
  var decided: @Sendable (ProposedWrite<Batch>, ProposedWrite<Batch>.Outcome) -> Void = { _, _ in }

  typealias Origins = IdentifierMap<MergeConflict<SectionID, ItemID>, ResumeToken>

  /// What the owner has been sent last for an edit.
  struct Proposed {
    let proposal: Proposal<Batch>
    /// What that contradicts in the state that it was made on.
    let found: Contradictions<SectionID, ItemID>
    /// What its writer is told besides what the owner finds, of earlier proposals and lives too.
    let known: ProposalAcceptance<Batch>
    /// The states in which these contradictions were found first.
    let origins: Origins
    /// The state that it was made on.
    let state: MirroredList<SectionID, ItemID>.EarlierState?
    /// What it has renamed, placed and marked.
    let marks: Snapshot<SectionID, ItemID>.Marks
    /// The base of the first proposal of the edit, and what that has made of it.
    let first: (base: ResumeToken, change: Step.Change)?
    /// The first state of the mirror that has it, if the mirror has it before the answer.
    var shown: MirroredList<SectionID, ItemID>.EarlierState?
  }

  enum Phase {
    /// There is no answer yet.
    case sent
    /// It is accepted, and the mirror does not show it yet.
    case accepted(ProposalAcceptance<Batch>)
    /// The mirror shows it, and there is no answer yet.
    case shown
  }

  init(
    _ list: MirroredList<SectionID, ItemID>, _ options: SourceOptions,
    _ handlers: ModelHandlers<SectionID> = ModelHandlers()
  ) {
    self.list = list
    // What is proposed is made on the confirmed state.
    list.core.live.handlers = handlers
    let core = Core(options, kernels: list.core.kernels, children: nil, handlers: handlers)
    overlay = Shown(core, on: list.core, released: .failed(DataSourceError.finished))
    overlay.rebase(.reset)
    if list.core.isFinished { core.finish() }
  }

  // MARK: Sending

  /// The next proposal, if one can be sent now.
  ///
  /// Report what becomes of it with ``receive(_:for:)`` or ``fail(_:)``.
  func next() -> Proposal<Batch>? {
    guard !overlay.core.isFinished else { return nil }
    if sending == nil, let edit = unanswered.first, let known = proposed[edit.id] {
      unanswered.removeFirst()
      sending = (edit, .shown)
      return known.proposal
    }
    while sending == nil, let edit = overlay.pending.first, let state = list.state,
      state.token != unknownBase, !list.core.isFinished
    {
      if let proposal = propose(edit, on: state) { return proposal }
    }
    return nil
  }

  /// Makes an edit on the confirmed state, without changing that.
  ///
  /// What may have been sent is sent again also if it changes nothing there: only the owner knows whether it has
  /// made it before.
  ///
  /// - Returns: `nil` if it makes no sense there, or changes nothing. It has ended then.
  private func propose(
    _ edit: Shown.Pending, on state: MirroredList<SectionID, ItemID>.EarlierState
  ) -> Proposal<Batch>? {
    let (core, base) = (list.core, state.token)
    let outcome: ProposedWrite<Batch>.Outcome
    making: do {
      try core.begin(ifRevision: nil, isCancellable: false)
      defer { core.abandon(nil) }
      let made = try edit.make(on: &core.live)
      let found = made.contradictions
      guard made.commit != nil || edit.mayHaveBeenSent else {
        // Others have done the same, or others' changes stay.
        outcome = .accepted(ProposalAcceptance(token: base, found))
        break making
      }
      let commit = made.commit ?? core.live.unchanged
      let batch = core.batch(of: commit, edit.presentation)
      core.withdraw()
      // The edit has finished the mirror, and its outcome is told.
      guard !overlay.core.isFinished else { return nil }
      let before = core.snapshot
      var marks = commit.notes?.marks ?? .init()
      // The owner takes a change that says nothing of what it has placed in the same way.
      if marks.placed.isEmpty { marks.placed = commit.snapshot.rows(movedBy: commit.difference) }
      let seen = edit.seen(found)
      let replay = Replay(from: before, to: commit.snapshot, marks, seen: seen, by: edit.rule)
      edit.freeze(replay)
      if made.commit != nil { steps.follow(edit.id, replay) }
      let proposal = edit.proposal(batch, basedOn: base, seen: seen)
      // The owner finds nothing of what changes nothing.
      let own = made.commit == nil ? found : edit.unrepeatable(found)
      let known = known(of: edit, adding: own, at: base)
      proposed[edit.id] = Proposed(
        proposal: proposal, found: found, known: known,
        origins: origins(of: known.conflicts, of: edit, at: base), state: state, marks: marks,
        first: proposed[edit.id]?.first ?? (made.commit == nil ? nil : (base, replay)))
      (sending, unknownBase) = ((edit, .sent), nil)
      return proposal
    } catch {
      outcome = .failed(error)
    }
    // Whoever is told it may call the mirror.
    if !overlay.core.isFinished { end(edit, outcome) }
    return nil
  }

  /// Takes over the answer to a proposal.
  func receive(_ answer: ProposalAnswer<Batch>, for id: WriteID) {
    guard let sent = sending, sent.edit.id == id else { return }
    switch (answer, sent.phase) {
    case (.accepted(let acceptance), .sent):
      sending?.phase = .accepted(acceptance)
      follow(acceptance, of: sent.edit)
    case (.accepted(let acceptance), .shown): end(sent.edit, .accepted(acceptance))
    case (.refused(let refusal), .sent): end(sent.edit, .refused(refusal))
    case (.unknownBase, .sent):
      (unknownBase, sending) = (proposed[id]?.proposal.base, nil)
      list.lose(unknownBase)
    case (.refused, .shown), (.unknownBase, .shown): end(sent.edit, withoutAnswer(sent.edit))
    case (_, .accepted): break
    }
  }

  /// Records that there is no answer to a proposal; it will be sent again.
  func fail(_ id: WriteID) {
    guard let sent = sending, sent.edit.id == id else { return }
    switch sent.phase {
    case .sent: sending = nil
    case .shown:
      unanswered.insert(sent.edit, at: 0)
      sending = nil
    case .accepted: break
    }
  }

  // MARK: Following

  /// Brings the list to a state that has an accepted edit, if the answer says how.
  ///
  /// Otherwise the edit waits for the stream, and those after it as well.
  private func follow(_ acceptance: ProposalAcceptance<Batch>, of edit: Shown.Pending) {
    var told: UpdateDelta<SectionID, ItemID>?
    if !isShown(acceptance, of: edit), let state = proposed[edit.id]?.state,
      let delta = acceptance.delta,
      // Otherwise it answers the proposal as it was sent before, on another base, or is damaged.
      (try? list.advance(by: delta, from: state)) != nil
    {
      told = delta.update
    }
    settle(told)
  }

  /// Reads a delta and applies it, and puts the pending edits on top.
  ///
  /// - Throws: As ``MirroredList/apply(_:)``. So does a delta that arrives inside an edit of the user, under which
  ///   the list must not change.
  func apply<Delta: ListDelta<SectionID, ItemID>>(
    _ read: () throws(DeltaError) -> Delta
  ) throws(DeltaError) -> Revision {
    let (revision, delta) = try list.apply { () throws(DeltaError) in
      guard !overlay.core.isWriting else {
        throw .misfit(reason: DataSourceError.reentrant.description)
      }
      return try read()
    }
    settle(delta.update)
    return revision
  }

  /// Ends the edits that the mirror has received, and puts the others on top of its list.
  ///
  /// - Parameter told: What the mirror was told since the last call, if anything.
  private func settle(_ told: UpdateDelta<SectionID, ItemID>?) {
    let edits = undecided
    var ended: [(edit: Shown.Pending, outcome: ProposedWrite<Batch>.Outcome)] = []
    var accepted = told?.frame.accepted ?? []
    // A reset does not say what is in it.
    if let sent = sending, case .accepted(let acceptance) = sent.phase,
      isShown(acceptance, of: sent.edit)
    {
      accepted.append(sent.edit.id)
    }
    var given = ItemRenames<ItemID>()
    for id in accepted {
      guard let edit = overlay.remove(id) else { continue }
      given.formUnion(edit.layer?.marks.renames.inOrder ?? [])
      proposed[id]?.shown = list.state
      switch sending?.edit.id == id ? sending?.phase : nil {
      case .sent: sending?.phase = .shown
      case .accepted(let acceptance):
        ended.append((edit, .accepted(acceptance)))
        sending = nil
      case .shown, nil:
        if proposed[id] == nil {
          ended.append((edit, withoutAnswer(edit)))
        } else {
          unanswered.append(edit)
        }
      }
    }
    overlay.takeBack(given)
    let gone = overlay.follow(told?.renamedItems ?? [], edits)
    for (edit, outcome) in ended { _ = learn(edit, outcome) }
    // Marks of accepted edits are told again: the owner may have added some, or those of others.
    overlay.rebase(renamed: gone)
    for (edit, outcome) in ended {
      tell(edit, outcome)
      proposed[edit.id] = nil
    }
  }

  /// Whether the mirror shows the state that has an accepted change.
  ///
  /// If the owner has begun another life since, nobody can tell, and its list is what it is.
  private func isShown(_ acceptance: ProposalAcceptance<Batch>, of edit: Shown.Pending) -> Bool {
    guard let held = list.held?.parts, let target = acceptance.token.parts else { return true }
    let base = proposed[edit.id]?.proposal.base.parts
    return held.epoch == target.epoch
      ? held.place.revision >= target.place.revision : held.epoch != base?.epoch
  }

  // MARK: Ending

  /// Forgets an edit that was decided on.
  ///
  /// - Parameter presentation: How to show that it goes away; by default as it came.
  private func end(
    _ edit: Shown.Pending, _ outcome: ProposedWrite<Batch>.Outcome,
    showing presentation: Presentation? = nil
  ) {
    if sending?.edit === edit { sending = nil }
    let (isLearned, wasShown) = (learn(edit, outcome), overlay.drop(edit.id) != nil)
    if isLearned || wasShown { overlay.rebase(presentation ?? edit.presentation) }
    tell(edit, outcome)
    proposed[edit.id] = nil
  }

  /// Tells the writer of an edit its outcome, with each contradiction that it does not know of already.
  private func tell(_ edit: Shown.Pending, _ outcome: ProposedWrite<Batch>.Outcome) {
    var outcome = outcome
    if case .accepted(let acceptance) = outcome {
      let known = known(of: edit, before: acceptance.token)
      outcome = .accepted(acceptance.adding(known, except: edit.told))
    }
    edit.promise.fulfil(outcome)
    decided(ProposedWrite(edit), outcome)
  }

  /// What is known of a change that the mirror shows, if its answer is missing.
  private func withoutAnswer(_ edit: Shown.Pending) -> ProposedWrite<Batch>.Outcome {
    .accepted(
      ProposalAcceptance(
        token: list.held ?? ResumeToken(""), proposed[edit.id]?.found ?? Contradictions()))
  }

  /// The edits that are pending, or whose answers are awaited, in the order in which they are sent.
  var undecided: [Shown.Pending] {
    let asked = sending.map { sent in [sent.edit] } ?? []
    let rest = overlay.pending.filter { edit in !asked.contains { $0 === edit } }
    return asked + unanswered + rest
  }

  /// Takes an edit back that was not sent yet, unless the list has ended.
  ///
  /// - Returns: Whether it could.
  func withdraw(_ id: WriteID, _ presentation: Presentation) -> Bool {
    guard !overlay.core.isFinished,
      let edit = overlay.pending.first(where: { $0.id == id }), !edit.mayHaveBeenSent
    else { return false }
    end(edit, .withdrawn, showing: presentation)
    return true
  }

  /// Ends the list: pending edits are no longer sent, and lost answers no longer requested.
  ///
  /// Both can still be stored, for the next life.
  func finish() {
    guard !overlay.core.isFinished else { return }
    overlay.core.finish()
    let edits = undecided
    if let sent = sending { fail(sent.edit.id) }
    sending = nil
    for edit in edits { tell(edit, .failed(DataSourceError.finished)) }
  }

  // MARK: Former lives

  /// The edits that the mirror shows and whose answers are missing, with their last proposals.
  var questions: [(edit: Shown.Pending, proposal: Proposal<Batch>)] {
    var edits = unanswered
    if let sent = sending, case .shown = sent.phase { edits.insert(sent.edit, at: 0) }
    return edits.compactMap { edit in proposed[edit.id].map { (edit, $0.proposal) } }
  }

  /// Takes over an edit of a former life.
  ///
  /// - Parameters:
  ///   - replay: What it makes.
  ///   - others: What others have renamed and placed since it was made.
  ///   - notes: What else that life has known of it.
  ///   - first: The base of its first proposal and what that has made of it, if it is not this one.
  ///   - isShown: Whether the owner's list has it, so that only its answer is missing.
  ///   - base: The state that had the name of its base.
  @discardableResult
  func restore(
    _ proposal: Proposal<Batch>, _ replay: Replay<SectionID, ItemID>,
    _ others: Core.RowNotes = .init(), noting notes: EditNotes<Batch>?,
    first: (base: ResumeToken, change: Step.Change)? = nil, isShown: Bool,
    on base: MirroredList<SectionID, ItemID>.EarlierState?
  ) -> Shown.Pending {
    let edit = Shown.Pending(
      proposal.id, named: proposal.name, proposal.presentation, replay, others: others,
      told: notes?.told ?? [], reversing: proposal.reverses, mayHaveBeenSent: true,
      overlay.makePromise())
    let known = ProposalAcceptance<Batch>(
      token: proposal.base, conflicts: notes?.conflicts ?? [], theirs: notes?.theirs ?? [])
    proposed[edit.id] = Proposed(
      proposal: proposal, found: Contradictions(), known: known,
      origins: origins(of: known.conflicts, of: edit, at: proposal.base, noting: notes),
      state: base, marks: replay.result.marks,
      first: isShown ? nil : first ?? (proposal.base, replay))
    if isShown { unanswered.append(edit) } else { overlay.pending.append(edit) }
    return edit
  }
}
