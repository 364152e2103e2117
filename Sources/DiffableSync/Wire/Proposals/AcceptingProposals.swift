public import Diffable

extension EditableListSource where Batch: DeltaBatch {
  /// Makes the change of a follower in another process, merged with what others have changed meanwhile.
  ///
  /// Nothing of a proposal is believed. It is checked like a delta, within the limits with which it was read; a
  /// proposal that your code has decoded in another way has the usual limits. Then it is merged as by
  /// `merge(_:basedOn:named:presentation:)`, and your function decides. Whether a user may change the list
  /// at all is better decided before: this function cannot wait.
  ///
  /// ```swift
  /// try await source.accept(proposal) { change, draft in
  ///   for case .insertItem(let id, _) in change.changes {
  ///     guard var note = draft.model(for: id) else { continue }
  ///     note.author = user
  ///     draft.setModel(note)
  ///   }
  ///   guard change.changes.allSatisfy(user.isAllowed) else {
  ///     throw Refusal(code: "forbidden", reason: "Only its author can change a note.")
  ///   }
  /// }
  /// ```
  ///
  /// A proposal that arrives again gets the same answer, and is not made again. The source remembers
  /// answers at least as long as its history.
  ///
  /// - Parameters:
  ///   - proposal: The proposal.
  ///   - decide: Sees the change that would be made. It refuses it by throwing a ``Refusal``, or alters what
  ///     it likes in the draft, which is the state after the change: it sets models, gives an item another
  ///     identifier, or changes more. Without alteration the change is made as it is.
  /// - Returns: The answer for the follower. A proposal that does not fit is refused with the code of its
  ///   ``DeltaError``.
  /// - Throws: `DataSourceError`: `reentrant`, `finished`, `cancelled`, and `invalidSnapshot` if `decide`
  ///   has left an invalid draft. Other errors of `decide`. Nothing changes then, and no answer is
  ///   remembered.
  /// - Complexity: O(c · log n) for c changes among n items that the proposal makes, and the cost of `decide`.
  ///   If it inserts, moves or deletes something, changes an outline, or if something was renamed since its base, c
  ///   also counts what others have changed since then.
  @discardableResult
  public func accept(
    _ proposal: Proposal<Batch>,
    _ decide:
      sending (_ change: ProposedChange<Batch>, _ draft: inout Batch.Draft) throws -> Void
  ) throws -> ProposalAnswer<Batch> {
    try core.accept(proposal, decide)
  }
}

extension SourceCore {
  /// Makes a proposal, or returns what it was answered before.
  func accept<Batch: DeltaBatch<SectionID, ItemID>>(
    _ proposal: Proposal<Batch>, _ decide: ProposalDecision<Batch>
  ) throws -> ProposalAnswer<Batch> {
    try begin(ifRevision: nil)
    guard let (base, state) = base(of: proposal) else {
      abandon(nil)
      return answer(to: proposal, within: proposal.limits)
    }
    var decision = Result<_, Refusal>.success(Contradictions<SectionID, ItemID>())
    do {
      try transact(proposal.presentation, kind: .change(name: proposal.name)) {
        let merged = try merge(
          proposal, basedOn: state, at: base, within: proposal.limits, decide)
        decision = .success(merged.contradictions)
        return merged.commit
      }
    } catch {
      guard let refusal = Refusal(refusing: error) else { throw error }
      decision = .failure(refusal)
    }
    return record(decision, for: proposal, in: hub.token(for: revision))
  }

  /// The revision and the state that a proposal starts from.
  ///
  /// - Returns: `nil` if the proposal has been answered, or its base is not known.
  func base<Batch: DeltaBatch<SectionID, ItemID>>(
    of proposal: Proposal<Batch>
  ) -> (Revision, Snapshot<SectionID, ItemID>)? {
    guard answers[proposal.id] == nil, let revision = hub.revision(for: proposal.base),
      let state = RevisionReader<SectionID, ItemID>(hub: hub).snapshot(at: revision)
    else { return nil }
    return (revision, state)
  }

  /// What a proposal was answered, or that its base is not known.
  func answer<Batch: DeltaBatch<SectionID, ItemID>>(
    to proposal: Proposal<Batch>, within limits: DeltaLimits
  ) -> ProposalAnswer<Batch> {
    guard let known = answers[proposal.id] else { return .unknownBase }
    if let answer = known.details as? ProposalAnswer<Batch> { return told(answer, to: proposal) }
    // Another participant has accepted it. Not remembered: whoever knows its name could send another base.
    guard let token = known.token else { return .unknownBase }
    let found = contradictions(of: proposal, madeIn: token, within: limits)
    return told(
      .accepted(ProposalAcceptance(token: token, found ?? Contradictions())), to: proposal)
  }

  /// An answer with what its follower does not have yet, if that is not much.
  ///
  /// It is worked out for each answer, and not remembered.
  ///
  /// - Complexity: O(c · log n) for c changes among n items since the base of the proposal, at most 256, and for
  ///   those that the proposal has made.
  private func told<Batch: DeltaBatch<SectionID, ItemID>>(
    _ answer: ProposalAnswer<Batch>, to proposal: Proposal<Batch>
  ) -> ProposalAnswer<Batch> {
    guard case .accepted(var acceptance) = answer, let made = hub.revision(for: acceptance.token)
    else { return answer }
    let (base, reader) = (
      hub.revision(for: proposal.base), RevisionReader<SectionID, ItemID>(hub: hub)
    )
    if let base {
      // If others have changed much, that comes with the stream, and need not come twice.
      acceptance.delta = reader.batch(since: base, through: made, limit: 256)
        .map { Batch($0).delta }
    }
    // If there was no other change in between, the follower has the state before.
    if base != made.previous { acceptance.reverse = reverse(of: made).map { Batch($0).delta } }
    return .accepted(acceptance)
  }

  /// What leads from a revision back to the one before; `nil` if the history does not have both.
  private func reverse(of made: Revision) -> UpdateBatch<SectionID, ItemID>? {
    let reader = RevisionReader<SectionID, ItemID>(hub: hub)
    guard let before = reader.snapshot(at: made.previous), let after = reader.snapshot(at: made),
      let notes = hub.transition(from: made.previous, to: made)?.notes
    else { return nil }
    let marks = notes.first.map { TypedRevisionNotes<SectionID, ItemID>.of($0).marks.rowNotes }
    return UpdateBatch(
      from: after, named: hub.token(for: made), to: before,
      named: hub.token(for: made.previous), marks?.inverse ?? .init())
  }

  /// Remembers what was decided on a proposal.
  ///
  /// - Parameters:
  ///   - decision: What it contradicts, or why it was refused.
  ///   - token: The state that has it, if it was accepted.
  func record<Batch: DeltaBatch<SectionID, ItemID>>(
    _ decision: Result<Contradictions<SectionID, ItemID>, Refusal>, for proposal: Proposal<Batch>,
    in token: ResumeToken
  ) -> ProposalAnswer<Batch> {
    switch decision {
    case .success(let found):
      let answer = ProposalAnswer<Batch>.accepted(
        ProposalAcceptance(token: answers[proposal.id]?.token ?? token, found))
      answers.record(proposal.id, answer, token: token)
      return told(answer, to: proposal)
    case .failure(let refusal):
      let answer = ProposalAnswer<Batch>.refused(refusal)
      answers.record(proposal.id, answer, token: nil)
      return answer
    }
  }
}

extension Refusal {
  /// The refusal that an error means; `nil` if it does not mean one.
  init?(refusing error: any Error) {
    switch error {
    case let refusal as Refusal: self = refusal
    case let error as DeltaError: self.init(error)
    default: return nil
    }
  }
}
