import Diffable

/// A function that decides on the change of a proposal.
///
/// It may alter the change in the draft, which is the state after it, and refuses it with a ``Refusal``.
typealias ProposalDecision<Batch: DeltaBatch> =
  (_ change: ProposedChange<Batch>, _ draft: inout Batch.Draft) throws -> Void

extension SourceCore {
  /// Merges a proposal into the live state, as far as a function allows it, in a change that was opened.
  ///
  /// - Parameters:
  ///   - base: The revision of its base.
  ///   - state: The state of that revision.
  /// - Throws: ``DeltaError`` if the proposal does not fit its base, and what the function throws. The live
  ///   state has not changed then.
  /// - Complexity: As of `accept(_:_:)`.
  func merge<Batch: DeltaBatch<SectionID, ItemID>>(
    _ proposal: Proposal<Batch>, basedOn state: Snapshot<SectionID, ItemID>, at base: Revision,
    within limits: DeltaLimits, _ decide: ProposalDecision<Batch>
  ) throws -> Live.Merged {
    let initial = latest
    try limits.check(nameOfChange: proposal.name)
    var merged = try live.merge(
      proposal, basedOn: state, others: rowNotes(since: base), within: limits)
    do {
      let change = ProposedChange(
        id: proposal.id, name: proposal.name,
        batch: Batch(batch(of: merged.commit ?? live.unchanged, proposal.presentation)),
        conflicts: merged.contradictions.conflicts)
      let altered = try live.update(duplicates: .reject) { snapshot, given in
        try Batch._edit(&snapshot, &given, renamed: []) { try decide(change, &$0) }
      }
      merged.commit = live.joined(merged.commit, altered, since: initial)
      // Not what it has made of its base: others may have made the list longer since.
      try limits.check(sizeOf: live.snapshot)
    } catch {
      withdraw()
      throw error
    }
    // A revision tells the follower that its proposal was accepted, even if it has changed nothing.
    merged.commit = (merged.commit ?? live.unchanged).accepting([proposal.id])
    return merged
  }

  /// What an accepted proposal contradicted, worked out again.
  ///
  /// The revision that has it was made of the state before, on this or on another server.
  ///
  /// - Parameter token: The revision that has it.
  /// - Returns: `nil` if the history no longer has its base, or if it does not fit that.
  /// - Complexity: O(n) for n items, and as of `accept(_:_:)`.
  func contradictions<Batch: DeltaBatch<SectionID, ItemID>>(
    of proposal: Proposal<Batch>, madeIn token: ResumeToken, within limits: DeltaLimits
  ) -> Contradictions<SectionID, ItemID>? {
    let reader = RevisionReader<SectionID, ItemID>(hub: hub)
    guard let base = hub.revision(for: proposal.base), let made = hub.revision(for: token),
      let others = hub.transition(from: base, to: made.previous),
      let state = reader.snapshot(at: base), let before = reader.snapshot(at: made.previous)
    else { return nil }
    var past = Live(kernels, live.handlers)
    past.snapshot = before
    var marks = Snapshot<SectionID, ItemID>.Marks()
    for notes in others.notes {
      marks.formUnion(TypedRevisionNotes<SectionID, ItemID>.of(notes).marks)
    }
    return try? past.merge(
      proposal, basedOn: state, others: marks.rowNotes, within: limits
    ).contradictions
  }
}

extension LiveState {
  /// Merges what a follower has made of a base.
  ///
  /// - Parameter others: What others have renamed and placed since the base.
  /// - Throws: ``DeltaError`` if the proposal does not fit its base. Nothing has changed then.
  fileprivate mutating func merge<Batch: DeltaBatch<SectionID, ItemID>>(
    _ proposal: Proposal<Batch>, basedOn base: Snapshot<SectionID, ItemID>,
    others: Snapshot<SectionID, ItemID>.Marks, within limits: DeltaLimits
  ) throws(DeltaError) -> Merged {
    let kernels = snapshot.kernels
    let (theirs, given) = try proposal.delta.made(of: base, within: limits, kernels)
    let seen = try proposal.delta._content.seen(kernels)
    do throws(SnapshotError) {
      return try merge(
        valid: theirs, given, basedOn: base, others: others, seen: seen,
        by: proposal.rule, bringingBack: others.renames)
    } catch {
      throw DeltaError(error)
    }
  }
}

extension ListDelta {
  /// What a proposal has made of its base, and the models that it has changed.
  ///
  /// - Throws: ``DeltaError`` if it does not fit the base, or is too large.
  /// - Complexity: O(c · log n) for c changes among n items, if the base shares most of its leaves with the
  ///   live state of a source.
  func made(
    of base: Snapshot<SectionID, ItemID>, within limits: DeltaLimits, _ kernels: SnapshotKernels
  ) throws(DeltaError) -> (Snapshot<SectionID, ItemID>, GivenContent<SectionID, ItemID>) {
    try limits.check(elements: elementCount)
    let given = try _content.given(kernels)
    let plan = try DeltaPlan(update, on: base)
    let state: Snapshot<SectionID, ItemID>
    do throws(SnapshotError) {
      state = try plan.state(giving: given)
    } catch {
      throw DeltaError(error)
    }
    var strangers: [AnyItemID] = []
    let changes = given.changes(since: base) { item in
      if !plan.arrivals.contains(item) { strangers.append(AnyItemID(item)) }
    }
    guard strangers.isEmpty else { throw DeltaError(.unknownItem(strangers)) }
    guard given.hasSections else { return (state, changes) }
    let sections = given.sections.elements.map { $0.key }.filter { !state.containsSection($0) }
    guard sections.isEmpty else {
      throw DeltaError(.unknownSection(sections.map { AnyItemID($0) }))
    }
    return (state, changes)
  }
}
