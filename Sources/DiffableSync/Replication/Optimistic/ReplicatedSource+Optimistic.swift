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
    offer(added.edit)
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

  /// Lets a change that is shown wait for the log.
  private func offer(_ shown: Shown.Pending) {
    let (number, name, promise) = (shown.number, shown.name, shown.promise)
    var (merged, initial) = (Core.Live.Merged?.none, list.core.latest)
    let write = WaitingWrite(shown.presentation, shown: number) { [overlay] core in
      // As it is by now: others may have renamed its items.
      guard let edit = overlay?.pending.first(where: { $0.number == number }) else {
        throw DataSourceError.finished
      }
      initial = core.latest
      merged = try edit.make(on: &core.live)
      return (merged?.commit, .change(name: name), ())
    } end: { outcome in
      switch outcome {
      case .made(let revision):
        promise.fulfil(
          .confirmed(
            Transaction(
              merged ?? (nil, Contradictions()), at: revision, from: initial, named: name,
              reversing: nil)))
      case .failed(let error): promise.fulfil(.rejected(error))
      }
    }
    add(shown: write)
  }

  /// Shows a change no longer that was decided on; the log has it, or it was not made.
  func hide(_ shown: UInt64, _ presentation: Presentation) {
    // It is gone already if the log has accepted it.
    if overlay?.remove(shown) == true { rebaseOverlay(presentation) }
  }

  /// Puts the pending changes on top of another confirmed state.
  func rebaseOverlay() {
    if let first = writes.first, list.decision(on: first) == .next {
      for member in writes.offered { member.write.change.shown.map { _ = overlay?.remove($0) } }
    }
    rebaseOverlay(.animated)
  }

  private func rebaseOverlay(_ presentation: Presentation) {
    guard let overlay else { return }
    let renames = list.core.publishedRenames(since: overlay.revision)
    overlay.rebase(
      on: list.core.snapshot, at: list.revision, renaming: renames, presentation)
  }
}
