import Diffable

extension ReplicatedSource {
  typealias Shown = Overlay<Batch, OptimisticWrite<SectionID, ItemID>.Outcome>

  /// The same list for a user who edits it: changes are shown before the log has accepted them.
  ///
  /// All calls return the same list. It ends with this source.
  ///
  /// - Complexity: O(n) for n items at the first call, then O(1).
  public func optimistic() -> OptimisticSource<Batch> {
    let overlay = overlay ?? makeOverlay()
    return OptimisticSource(self, RevisionReader(hub: overlay.core.hub))
  }

  private func makeOverlay() -> Shown {
    let hub = list.core.hub
    let core = Core(
      SourceOptions(clock: hub.clock, observer: hub.observer), kernels: list.core.kernels,
      children: nil, merging: list.core.live.merging)
    let made = Shown(core, on: list.core.snapshot, at: list.revision)
    // The observer may request it while it is filled.
    overlay = made
    rebaseOverlay(.reset)
    if list.core.isFinished { core.finish() }
    return made
  }

  var optimisticSnapshot: Snapshot<SectionID, ItemID> {
    overlay?.core.snapshot ?? list.core.snapshot
  }

  /// Shows an edit, and offers it to the log.
  ///
  /// - Returns: The write, and what it contradicts now.
  func addOptimistic(
    named name: String?, _ presentation: Presentation, _ edit: @escaping Shown.Edit
  ) throws -> (
    write: OptimisticWrite<SectionID, ItemID>, contradictions: Contradictions<SectionID, ItemID>
  ) {
    if let failure { throw failure }
    if overlay == nil { _ = makeOverlay() }
    guard let added = try overlay?.add(edit, named: name, presentation) else {
      throw DataSourceError.finished
    }
    if !isOffering {
      isOffering = true
      // Detached: it offers the changes of all, and the first must not pass on its priority or its
      // task-local values.
      Task.detached { await self.offerPending() }
    }
    return (OptimisticWrite(promise: added.edit.promise), added.contradictions)
  }

  /// Shows a change at once; it is made again whenever the list below it changes.
  func writeOptimistic(
    _ change: OrderChange<SectionID, ItemID>
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    let core = (overlay ?? makeOverlay()).core
    let (initial, edit) = (core.snapshot, change.edit)
    let others = change.base.map(core.renames(since:)) ?? ItemRenames()
    let found: Contradictions<SectionID, ItemID>
    do {
      (_, found) = try addOptimistic(named: change.name, change.presentation) {
        state, given, later in
        var all = others
        all.formUnion(later.inOrder)
        return try edit(&state, &given, all)
      }
    } catch {
      throw .of(error)
    }
    return Transaction(
      from: initial, to: core.snapshot, at: core.revision, named: change.name, found)
  }

  /// Offers the pending changes to the log, one after another.
  private func offerPending() async {
    while let next = overlay?.pending.first {
      let outcome: OptimisticWrite<SectionID, ItemID>.Outcome
      do {
        let written = try await write(
          next.presentation, kind: .change(name: next.name), pending: next.number
        ) { core in
          let initial = core.snapshot
          let merged = try next.make(on: &core.live)
          return (merged.commit, (merged: merged, initial: initial))
        }
        outcome = .confirmed(
          Transaction(
            written.result.merged, at: written.revision, from: written.result.initial,
            named: next.name, reversing: nil))
      } catch {
        outcome = .rejected(error)
      }
      // It is gone already if the log has accepted it.
      if overlay?.remove(next.number) == true {
        rebaseOverlay(next.presentation)
      }
      next.promise.fulfil(outcome)
    }
    isOffering = false
  }

  /// Puts the pending changes on top of another confirmed state.
  func rebaseOverlay() {
    if let pendingWrite, list.decision(on: pendingWrite.id) == .next {
      overlay?.remove(pendingWrite.number)
      self.pendingWrite = nil
    }
    rebaseOverlay(.animated)
  }

  private func rebaseOverlay(_ presentation: Presentation) {
    guard let overlay else { return }
    let renames = list.core.renames(since: overlay.revision)
    overlay.rebase(
      on: list.core.snapshot, at: list.revision, renaming: renames, presentation)
  }
}
