package typealias RevisionReader = _RevisionReader

/// Reads what the hub of a source holds, in code that knows the types of its identifiers.
public struct _RevisionReader<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable
{
  package let hub: Hub
  /// A source that works for its subscribers only, and that they hold.
  package let holder: (any AnyObject & Sendable)?

  /// - Parameter holder: What the subscribers hold. A source that writers hold must not be held by
  ///   those that wait for it, or its streams would never end.
  package init(hub: Hub, heldBySubscribers holder: (any AnyObject & Sendable)? = nil) {
    (self.hub, self.holder) = (hub, holder)
  }

  private typealias TypedNotes = TypedRevisionNotes<SectionID, ItemID>

  /// The state that a hub holds.
  package static func snapshot(of state: RevisionState) -> Snapshot<SectionID, ItemID> {
    Snapshot(state.snapshot)
  }

  /// The state of a revision that a hub has.
  package func snapshot(at revision: Revision) -> Snapshot<SectionID, ItemID>? {
    hub.withMachine { $0.state(at: revision) }.map(Self.snapshot(of:))
  }

  /// What the source knows of its identifiers and models.
  package var kernels: SnapshotKernels {
    guard let live = hub.withMachine({ $0.state(at: $0.revision) }) else {
      preconditionFailure("a history without the live state")
    }
    return live.snapshot.kernels
  }

  /// Lets undo revert all changes since a revision as one step.
  package func groupUndo(since revision: Revision) {
    hub.withMachine { $0.groupUndo(since: revision) }
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
  package func subscribe<Batch: ListBatch<SectionID, ItemID>>(
    _ policy: UpdatePolicy = .coalesced, after token: ResumeToken?
  ) -> Subscription<Batch> {
    hub.subscribe(
      policy, after: token, changeCount: { (batch: Batch) in batch.update.difference.changeCount }
    ) { [self] transition in Batch(await batch(of: transition)) }
  }

  /// What happened during a transition, computed in a task that subscribers share.
  private func findings(of transition: HubTransition) async -> Findings {
    await hub.memo.findings(of: transition) {
      let notes = transition.notes.first?.joined(with: transition.notes.dropFirst())
      guard !transition.isReset, let base = transition.base else {
        return Findings(difference: SnapshotDifference(), notes: notes)
      }
      let difference = Self.snapshot(of: transition.target.state).difference(
        fromState: Self.snapshot(of: base.state),
        marks: notes.map { TypedNotes.of($0).marks } ?? .init())
      return Findings(difference: difference, notes: notes)
    }
  }

  /// The next batch of a subscriber, if there is one now that need not be computed.
  package func poll(_ token: CursorToken) -> UpdateBatch<SectionID, ItemID>? {
    guard let transition = hub.poll(token.id) else { return nil }
    guard let difference = transition.storedDifference else {
      preconditionFailure("a single step without its difference")
    }
    hub.deliver(transition, changeCount: difference.changeCount)
    return batch(of: transition, difference, transition.notes.first)
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
    if let stored = transition.storedDifference { return stored }
    return await findings(of: transition).difference
  }

  /// The batch for a transition.
  ///
  /// The difference of a single revision was computed by its writer and is returned as it is.
  func batch(of transition: HubTransition) async -> UpdateBatch<SectionID, ItemID> {
    if let stored = transition.storedDifference {
      return batch(of: transition, stored, transition.notes.first)
    }
    let findings = await findings(of: transition)
    return batch(of: transition, findings.difference, findings.notes)
  }

  /// The batch from a preview of the start of a transition to its end.
  func batch(
    of transition: HubTransition, from preview: Snapshot<SectionID, ItemID>
  ) async -> UpdateBatch<SectionID, ItemID> {
    // ``DifferenceMemo`` explains why the task is detached.
    await Task.detached(priority: Task.currentPriority) {
      let notes = transition.notes.first?.joined(with: transition.notes.dropFirst())
      guard !transition.isReset, transition.base != nil else {
        return batch(of: transition, SnapshotDifference(), notes)
      }
      let difference = Self.snapshot(of: transition.target.state).difference(
        fromState: preview, marks: notes.map(Self.marks(of:)) ?? .init())
      var batch = batch(of: transition, difference, notes)
      batch.previousSnapshot = preview
      return batch
    }.value
  }

  private func batch(
    of transition: HubTransition, _ difference: SnapshotDifference, _ notes: (any RevisionNotes)?
  ) -> UpdateBatch<SectionID, ItemID> {
    let base = transition.isReset ? nil : transition.base
    var batch = UpdateBatch<SectionID, ItemID>(
      BatchStep(
        epoch: hub.epoch, base: base?.revision, target: transition.target.revision,
        difference: difference, previousSnapshot: base?.state.snapshot,
        snapshot: transition.target.state.snapshot, presentation: transition.presentation,
        isFromSource: true,
        digests: (base?.state.digest ?? .none, transition.target.state.digest)))
    if let notes { batch.add(.of(notes)) }
    return batch
  }
}
