/// Reads what the hub of a source holds, in code that knows the types of its identifiers.
public struct RevisionReader<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable
{
  let hub: Hub

  private typealias TypedState = TypedRevisionState<SectionID, ItemID>
  private typealias TypedNotes = TypedRevisionNotes<SectionID, ItemID>

  /// The state that a hub holds.
  static func snapshot(of state: any RevisionState) -> Snapshot<SectionID, ItemID> {
    TypedState.of(state).snapshot
  }

  /// The state of a revision that a hub has.
  func snapshot(at revision: Revision) -> Snapshot<SectionID, ItemID>? {
    hub.withMachine { $0.state(at: revision) }.map(Self.snapshot(of:))
  }

  /// What the source knows of its identifiers and models.
  var kernels: SnapshotKernels {
    guard let live = hub.withMachine({ $0.state(at: $0.revision) }) else {
      preconditionFailure("a history without the live state")
    }
    return Self.snapshot(of: live).kernels
  }

  /// The marks of a revision.
  static func marks(of notes: any RevisionNotes) -> Snapshot<SectionID, ItemID>.Marks {
    TypedNotes.of(notes).marks
  }

  /// The stream of changes for one new subscriber, as batches of its source or plain batches.
  package func updates<Batch: ListBatch<SectionID, ItemID>>(
    _ policy: UpdatePolicy = .coalesced, after token: ResumeToken? = nil
  ) -> AsyncStream<Batch> {
    subscribe(policy, after: token).stream
  }

  /// A new subscriber, which gets batches of its source or plain batches.
  func subscribe<Batch: ListBatch<SectionID, ItemID>>(
    _ policy: UpdatePolicy, after token: ResumeToken?
  ) -> Subscription<Batch> {
    hub.subscribe(
      policy, after: token, changeCount: { (batch: Batch) in batch.update.difference.changeCount }
    ) { [self] transition in Batch(await batch(of: transition)) }
  }

  /// What happened during a transition.
  ///
  /// The difference of a single revision was computed by its writer and is returned as it is. Any
  /// other is computed in a task that subscribers share.
  func findings(of transition: HubTransition) async -> Findings {
    let target = TypedState.of(transition.target.state)
    let stored =
      transition.isReset
      ? SnapshotDifference() : transition.isSingleStep ? target.difference : nil
    if let stored, transition.notes.count < 2 {
      return Findings(difference: stored, notes: transition.notes.first)
    }
    return await hub.memo.findings(of: transition) {
      let notes = transition.notes.first?.joined(with: transition.notes.dropFirst())
      guard !transition.isReset, let base = transition.base else {
        return Findings(difference: SnapshotDifference(), notes: notes)
      }
      let old = TypedState.of(base.state)
      let difference = target.snapshot.difference(
        fromState: old.snapshot, marks: notes.map { TypedNotes.of($0).marks } ?? .init())
      return Findings(difference: difference, notes: notes)
    }
  }

  /// What changed between two revisions that a hub has, in either direction.
  func difference(
    from base: Revision, to target: Revision
  ) async -> SnapshotDifference? {
    guard target >= base else {
      return await difference(from: target, to: base)?.inverse
    }
    guard let transition = hub.withMachine({ $0.transition(from: base, to: target) }) else {
      return nil
    }
    return await findings(of: transition).difference
  }

  /// The batch for a transition.
  func batch(of transition: HubTransition) async -> UpdateBatch<SectionID, ItemID> {
    batch(of: transition, await findings(of: transition))
  }

  /// The batch from a preview of the start of a transition to its end.
  func batch(
    of transition: HubTransition, from preview: Snapshot<SectionID, ItemID>
  ) async -> UpdateBatch<SectionID, ItemID> {
    // ``DifferenceMemo`` explains why the task is detached.
    await Task.detached(priority: Task.currentPriority) {
      var findings = Findings(
        difference: SnapshotDifference(),
        notes: transition.notes.first?.joined(with: transition.notes.dropFirst()))
      guard !transition.isReset, transition.base != nil else {
        return batch(of: transition, findings)
      }
      findings.difference = Self.snapshot(of: transition.target.state).difference(
        fromState: preview, marks: findings.notes.map(Self.marks(of:)) ?? .init())
      var batch = batch(of: transition, findings)
      batch.previousSnapshot = preview
      return batch
    }.value
  }

  private func batch(
    of transition: HubTransition, _ findings: Findings
  ) -> UpdateBatch<SectionID, ItemID> {
    let notes = findings.notes.map(TypedNotes.of)
    let base = transition.isReset ? nil : transition.base
    return UpdateBatch(
      epoch: hub.epoch,
      base: base?.revision,
      target: transition.target.revision,
      difference: findings.difference,
      previousSnapshot: base.map { TypedState.of($0.state).snapshot },
      snapshot: TypedState.of(transition.target.state).snapshot,
      presentation: transition.presentation, renamedItems: notes?.marks.renames.inOrder ?? [],
      droppedItems: notes?.droppedItems ?? [],
      droppedSections: notes?.droppedSections ?? [],
      unconfirmedItems: Set(notes?.unconfirmedItems ?? []))
  }
}
