/// Reads what the hub of a source holds, in code that knows the types of its identifiers.
package struct RevisionReader<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable
{
  package let hub: Hub
  /// A source that works for its subscribers only, and that they hold.
  package let holder: (any AnyObject & Sendable)?

  /// - Parameter holder: What the subscribers hold. A source that writers hold must not be held by
  ///   those that wait for it, or its streams would never end.
  package init(hub: Hub, heldBySubscribers holder: (any AnyObject & Sendable)? = nil) {
    (self.hub, self.holder) = (hub, holder)
  }

  /// The state of a revision that a hub has.
  package func snapshot(at revision: Revision) -> Snapshot<SectionID, ItemID>? {
    hub.state(at: revision).map { Snapshot($0.snapshot) }
  }

  /// The newest published state.
  package var snapshot: Snapshot<SectionID, ItemID> { Snapshot(live.snapshot) }

  /// What the source knows of its identifiers and models.
  package var kernels: SnapshotKernels { live.snapshot.kernels }

  private var live: RevisionState {
    guard let live = hub.liveState else {
      preconditionFailure("a history without the live state")
    }
    return live
  }

  /// The marks of a revision.
  static func marks(of notes: any RevisionNotes) -> Snapshot<SectionID, ItemID>.Marks {
    TypedRevisionNotes.of(notes).marks
  }

  /// A new subscriber, which gets batches of its source or plain batches.
  package func subscribe<Batch: ListBatch<SectionID, ItemID>>(
    _ policy: UpdatePolicy = .coalesced, after token: ResumeToken? = nil
  ) -> Subscription<Batch> {
    Subscription(to: hub, policy, after: token) { [self] transition in
      let findings = await findings(of: transition)
      hub.deliver(transition, changeCount: findings.difference.changeCount)
      return Batch(batch(of: transition, findings))
    }
  }

  /// What happened during a transition, as its writer found it, or computed in a task that
  /// subscribers share.
  private func findings(of transition: HubTransition) async -> Findings {
    if let stored = transition.storedFindings { return stored }
    return await hub.memo.findings(of: transition) {
      findings(of: transition, from: transition.base.map { Snapshot($0.state.snapshot) })
    }
  }

  /// What happened from a state that the subscriber shows to the end of a transition.
  private func findings(
    of transition: HubTransition, from base: Snapshot<SectionID, ItemID>?
  ) -> Findings {
    var notes = transition.notes.first?.joined(with: transition.notes.dropFirst())
    guard !transition.isReset, let base else {
      return Findings(difference: SnapshotDifference(), notes: notes)
    }
    let target = Snapshot<SectionID, ItemID>(transition.target.state.snapshot)
    var marks = notes.map(Self.marks(of:)) ?? .init()
    if let shown = transition.base?.revision, !marks.reloadedSections.isEmpty {
      let leavers = leavers(
        ofSectionsMarkedAfter: shown, through: transition.target.revision, in: target)
      marks.reload(items: leavers)
      // A source that shows this one follows the marks.
      if !leavers.isEmpty {
        notes = notes.map {
          TypedRevisionNotes<SectionID, ItemID>.of($0).reloading(leavers)
        }
      }
    }
    let difference = target.difference(fromState: base, marks: marks)
    return Findings(difference: difference, notes: notes)
  }

  /// The next batch of a subscriber, if there is one now that need not be computed.
  package func poll(_ token: CursorToken) -> UpdateBatch<SectionID, ItemID>? {
    guard let transition = hub.poll(token.id) else { return nil }
    guard let findings = transition.storedFindings else {
      preconditionFailure("a single step without its difference")
    }
    hub.deliver(transition, changeCount: findings.difference.changeCount)
    return batch(of: transition, findings)
  }

  /// What has changed since a revision that a hub has, worked out here; `nil` if nothing has, if there are more
  /// changes than a limit, or if they are to be shown from scratch.
  ///
  /// - Parameter target: The revision to which it leads; the live one if it is `nil`.
  /// - Complexity: O(c · log n) for c changes among n items, and O(l) for the limit l if there are more.
  package func batch(
    since base: Revision, through target: Revision? = nil, limit: Int
  ) -> UpdateBatch<SectionID, ItemID>? {
    let target = target ?? hub.revision
    guard base < target, target.number - base.number <= limit else { return nil }
    // Each revision has what its writer has changed, so nothing is compared to count that.
    var count = 0
    for number in (base.number + 1)...target.number {
      guard let difference = hub.state(at: Revision(number))?.difference else { return nil }
      count += difference.changeCount
      guard count <= limit else { return nil }
    }
    guard let transition = hub.transition(from: base, to: target), !transition.isReset else {
      return nil
    }
    let found =
      transition.storedFindings
      ?? findings(of: transition, from: transition.base.map { Snapshot($0.state.snapshot) })
    return batch(of: transition, found)
  }

  /// What changed between two revisions that a hub has, in either direction.
  func difference(
    from base: Revision, to target: Revision
  ) async -> SnapshotDifference? {
    guard target >= base else {
      return await difference(from: target, to: base)?.inverse
    }
    guard let transition = hub.transition(from: base, to: target) else {
      return nil
    }
    return await findings(of: transition).difference
  }

  /// The batch from a preview of the start of a transition to its end.
  func batch(
    of transition: HubTransition, from preview: Snapshot<SectionID, ItemID>
  ) async -> UpdateBatch<SectionID, ItemID> {
    // ``DifferenceMemo`` explains why the task is detached.
    await Task.detached(priority: Task.currentPriority) {
      var batch = batch(of: transition, findings(of: transition, from: preview))
      if batch.base != nil { batch.previousSnapshot = preview }
      return batch
    }.value
  }

  private func batch(
    of transition: HubTransition, _ findings: consuming Findings
  ) -> UpdateBatch<SectionID, ItemID> {
    let base = transition.isReset ? nil : transition.base
    var batch = UpdateBatch<SectionID, ItemID>(
      BatchStep(
        epoch: hub.epoch, base: base?.revision, target: transition.target.revision,
        difference: findings.difference, previousSnapshot: base?.state.snapshot,
        snapshot: transition.target.state.snapshot, presentation: transition.presentation,
        isFromSource: true, isStart: transition.base == nil,
        digests: (base?.state.digest ?? .none, transition.target.state.digest)))
    batch.notes = findings.notes.map { .of($0) }
    return batch
  }
}

extension RevisionReader {
  /// The rows that have left a section since it was marked for a reload.
  ///
  /// The mark names the section, and does not go with them. A subscriber that reads late would never show them
  /// again.
  ///
  /// - Parameters:
  ///   - base: The revision after which marks count.
  ///   - target: The last revision whose marks count.
  ///   - known: Revisions whose marks do not count.
  ///   - shown: What has become of the state of `target`.
  ///   - names: What was renamed in it since.
  /// - Returns: The rows of `shown`, as far as the history has the states that were marked.
  /// - Complexity: O(d · log n) for each marked revision, and d leaves that were changed or deleted since.
  package func leavers(
    ofSectionsMarkedAfter base: Revision, through target: Revision, except known: [Revision] = [],
    in shown: Snapshot<SectionID, ItemID>, renaming names: ItemRenames<ItemID> = .init()
  ) -> [ItemID] {
    let first = max(base.number, hub.oldest) + 1
    guard first <= target.number else { return [] }
    return (first...target.number).map { Revision($0) }.flatMap { revision -> [ItemID] in
      guard !known.contains(revision),
        let notes = hub.transition(from: revision.previous, to: revision)?.notes.first,
        case let marked = Self.marks(of: notes).reloadedSections, !marked.isEmpty,
        let state = snapshot(at: revision),
        let later = hub.transition(from: revision, to: target)
      else { return [] }
      var marks = later.notes.reduce(into: Snapshot<SectionID, ItemID>.Marks()) {
        $0.formUnion(Self.marks(of: $1).rowNotes)
      }
      marks.rename(names.inOrder)
      let difference = shown.difference(fromState: state, marks: marks)
      let moved = difference.itemMoves.compactMap { move in
        state.sectionIdentifier(at: move.from.section).map(marked.contains) ?? false
          ? shown.itemIdentifier(for: move.to) : nil
      }
      // What has gone with its section, or into one that has come since, may still be there.
      let departed = Divergence<SectionID, ItemID>.departures(difference, state)
        .compactMap { item, section in
          marked.contains(section) ? shown.liveName(of: item, marks.renames) : nil
        }
      return (moved + departed).filter { item in
        !(shown.sectionIdentifier(containingItem: item).map(marked.contains) ?? true)
      }
    }
  }
}
