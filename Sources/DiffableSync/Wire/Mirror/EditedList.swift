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
/// proposals are in them. So an edit is never shown twice, and it does not vanish in between.
///
/// Events go in, and proposals come out, so a test can drive every order of events.
///
/// It is a class for the same reason as ``SourceCore``.
///
/// Invariants:
/// 1. The overlay shows the state of the mirror with the pending edits.
/// 2. Only the first pending edit is sent, and nothing is sent before it was decided on.
final class EditedList<Batch: DeltaBatch> {
  typealias SectionID = Batch.SectionID
  typealias ItemID = Batch.ItemID
  typealias Core = SourceCore<SectionID, ItemID>
  typealias Shown = Overlay<Batch, ProposedWrite<Batch>.Outcome>

  let list: MirroredList<SectionID, ItemID>
  let overlay: Shown
  /// The edits that undo and redo take back.
  let steps = EditedSteps<SectionID, ItemID>()
  private var sending: Sending?
  /// The base of the last proposal, if the owner did not know it.
  private var unknownBase: ResumeToken?

  /// The edit that the owner has been sent.
  private struct Sending {
    let edit: Shown.Pending
    let base: ResumeToken
    var phase: Phase
  }

  private enum Phase {
    /// There is no answer yet.
    case sent
    /// It is accepted, and the mirror does not show it yet.
    case accepted(ProposalAcceptance<Batch>)
    /// The mirror shows it, and there is no answer yet.
    case shown
  }

  init(_ list: MirroredList<SectionID, ItemID>, _ options: SourceOptions, _ merging: ModelMerging?)
  {
    self.list = list
    // What is proposed is made on the confirmed state.
    list.core.live.merging = merging
    let core = Core(options, kernels: list.core.kernels, children: nil, merging: merging)
    overlay = Shown(core, on: list.core)
    overlay.rebase(.reset)
    if list.core.isFinished { core.finish() }
  }

  /// What the list waits for, for tests that compare states.
  var phase: String {
    switch sending?.phase {
    case nil: unknownBase == nil ? "" : "unknown base"
    case .sent: "sent"
    case .accepted: "accepted"
    case .shown: "shown"
    }
  }

  /// The state that the mirror waits for, for tests that compare states.
  var acceptedToken: ResumeToken? {
    guard case .accepted(let acceptance) = sending?.phase else { return nil }
    return acceptance.token
  }

  // MARK: Sending

  /// The next proposal, if one can be sent now.
  ///
  /// Report what becomes of it with ``receive(_:for:)`` or ``fail(_:)``.
  func next() -> Proposal<Batch>? {
    while sending == nil, let edit = overlay.pending.first, let base = list.held,
      base != unknownBase, !list.core.isFinished
    {
      if let proposal = propose(edit, basedOn: base) { return proposal }
    }
    return nil
  }

  /// Makes an edit on the confirmed state, without changing that.
  ///
  /// - Returns: `nil` if it makes no sense there, or changes nothing. It has ended then.
  private func propose(_ edit: Shown.Pending, basedOn base: ResumeToken) -> Proposal<Batch>? {
    let core = list.core
    do {
      try core.begin(ifRevision: nil, isCancellable: false)
      defer { core.abandon(nil) }
      guard let commit = try edit.make(on: &core.live).commit else {
        // The owner has it already, or others have done the same.
        end(edit, .accepted(ProposalAcceptance(token: base, conflicts: [], theirs: [])))
        return nil
      }
      let batch = core.batch(
        of: commit, edit.presentation,
        at: HistoryPlace(revision: core.revision.next, digest: .none))
      core.withdraw()
      overlay.freeze(edit.number, basedOn: core.snapshot, commit)
      sending = Sending(edit: edit, base: base, phase: .sent)
      return Proposal(Batch(batch), basedOn: base, named: edit.name, id: edit.id)
    } catch {
      end(edit, .failed(error))
      return nil
    }
  }

  /// Takes over the answer to a proposal.
  func receive(_ answer: ProposalAnswer<Batch>, for id: WriteID) {
    guard let sent = sending, sent.edit.id == id else { return }
    switch (answer, sent.phase) {
    case (.accepted(let acceptance), .sent):
      sending?.phase = .accepted(acceptance)
      if isShown(acceptance, since: sent.base) { end(sent.edit, .accepted(acceptance)) }
    case (.accepted(let acceptance), .shown): end(sent.edit, .accepted(acceptance))
    case (.refused(let refusal), .sent): end(sent.edit, .refused(refusal))
    case (.unknownBase, .sent): (unknownBase, sending) = (sent.base, nil)
    case (.refused, .shown), (.unknownBase, .shown): endWithoutAnswer(sent.edit)
    case (_, .accepted): break
    }
  }

  /// Records that there is no answer to a proposal; it will be sent again.
  func fail(_ id: WriteID) {
    guard let sent = sending, sent.edit.id == id else { return }
    switch sent.phase {
    case .sent: sending = nil
    case .shown: endWithoutAnswer(sent.edit)
    case .accepted: break
    }
  }

  // MARK: Following

  /// Reads a delta and applies it, and puts the pending edits on top.
  ///
  /// - Throws: As ``MirroredList/apply(_:)``.
  func apply<Delta: ListDelta<SectionID, ItemID>>(
    _ read: () throws(DeltaError) -> Delta
  ) throws(DeltaError) -> Revision {
    var accepted: [WriteID] = []
    let revision = try list.apply { () throws(DeltaError) in
      let delta = try read()
      accepted = delta.update.frame.accepted
      return delta
    }
    var ended: [(edit: Shown.Pending, outcome: ProposedWrite<Batch>.Outcome)] = []
    for id in accepted {
      guard let edit = overlay.pending.first(where: { $0.id == id }) else { continue }
      overlay.remove(edit.number)
      switch sending?.edit.id == id ? sending?.phase : nil {
      case .sent: sending?.phase = .shown
      case .accepted(let acceptance):
        ended.append((edit, .accepted(acceptance)))
        sending = nil
      case .shown, nil: ended.append((edit, withoutAnswer))
      }
    }
    if let sent = sending, case .accepted(let acceptance) = sent.phase,
      isShown(acceptance, since: sent.base)
    {
      overlay.remove(sent.edit.number)
      ended.append((sent.edit, .accepted(acceptance)))
      sending = nil
    }
    // Marks of accepted edits are told again: the owner may have added some, or those of others.
    overlay.rebase()
    for (edit, outcome) in ended { edit.promise.fulfil(outcome) }
    return revision
  }

  /// Whether the mirror shows the state that has an accepted change.
  ///
  /// If the owner has begun another life since, nobody can tell, and its list is what it is.
  private func isShown(_ acceptance: ProposalAcceptance<Batch>, since base: ResumeToken) -> Bool {
    guard let held = list.held?.parts, let target = acceptance.token.parts else { return true }
    return held.epoch == target.epoch
      ? held.place.revision >= target.place.revision : held.epoch != base.parts?.epoch
  }

  // MARK: Ending

  /// Forgets an edit that was decided on.
  private func end(_ edit: Shown.Pending, _ outcome: ProposedWrite<Batch>.Outcome) {
    if sending?.edit.number == edit.number { sending = nil }
    if overlay.remove(edit.number) { overlay.rebase(edit.presentation) }
    edit.promise.fulfil(outcome)
  }

  private func endWithoutAnswer(_ edit: Shown.Pending) { end(edit, withoutAnswer) }

  /// What is known of a change that the mirror shows, if its answer is missing.
  private var withoutAnswer: ProposedWrite<Batch>.Outcome {
    .accepted(
      ProposalAcceptance(token: list.held ?? ResumeToken(""), conflicts: [], theirs: []))
  }

  /// Whether an edit is pending, or its answer is awaited.
  func isUndecided(_ id: WriteID) -> Bool {
    sending?.edit.id == id || overlay.pending.contains { $0.id == id }
  }

  /// Whether an edit has never left the process, as far as this life of the app knows.
  private func isUnsent(_ edit: Shown.Pending) -> Bool { sending?.edit.number != edit.number }

  /// Takes an edit back that was not sent yet.
  ///
  /// - Returns: Whether it could.
  func withdraw(_ number: UInt64) -> Bool {
    guard let edit = overlay.pending.first(where: { $0.number == number }), isUnsent(edit),
      !edit.mayHaveBeenSent
    else { return false }
    end(edit, .withdrawn)
    return true
  }

  /// Ends the list: pending edits are no longer sent.
  func finish() {
    overlay.core.finish()
    for edit in overlay.pending { edit.promise.fulfil(.failed(DataSourceError.finished)) }
    // The mirror may show it already.
    if let sent = sending { sent.edit.promise.fulfil(.failed(DataSourceError.finished)) }
  }
}
