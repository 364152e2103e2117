import Diffable

/// Computing what a derived source shows.
extension DerivedSource {
  /// Computes changes that do not come from a followed source.
  ///
  /// These are a new query, expansion, and expired rows.
  func evaluateIfStale() {
    if stale == nil, chain.alarms.contains(where: \.isDue) { stale = .animated }
    guard let stale else { return }
    evaluate(stale) { front in front.present }
  }

  /// Lets the steps follow the sources, once there is a state of each.
  ///
  /// - Parameter follow: Returns the change of the query's input; `nil` for none.
  func evaluate(
    _ presentation: Presentation,
    _ follow: (
      any SourceFront<Input.SectionID, Input.ItemID>
    ) throws(SnapshotError) -> StepInput<Input.SectionID, Input.ItemID>?
  ) {
    var isReported = false
    do throws(DataSourceError) {
      let revision = try core.change(presentation: presentation, isCancellable: false) {
        live throws(SnapshotError) in
        guard var input = try follow(front) ?? front.present else { return nil }
        if isBroken { input = StepInput(input.snapshot, .unknown) }
        (input.expansion, input.findings) = (expansion, findings)
        let commit = showingUnconfirmed(try chain.advance(input, &live), in: live)
        guard !baseRenames.isEmpty else { return commit }
        // Also if the query hides the rows: a follower may keep something by their identifiers.
        isReported = true
        return (commit ?? live.unchanged).following(baseRenames)
      }
      if isReported { baseRenames = ItemRenames() }
      let bases = feeds.compactMap(\.revision)
      guard bases.count == feeds.count, front.isPresent else { return }
      (stale, isBroken) = (nil, false)
      expansion.didTell()
      findings.didTell()
      note(revision, shows: bases)
      if isAsked { setAlarm() }
    } catch {
      // The observer has received the error. The next change is computed from scratch.
      (stale, isBroken) = (stale ?? presentation, true)
    }
  }

  /// A commit with the unconfirmed items that the query shows.
  ///
  /// A subscriber that starts gets only what the live revision says, so each says it.
  private func showingUnconfirmed(
    _ commit: SourceCore<Output.SectionID, ItemID>.Live.Commit?,
    in live: SourceCore<Output.SectionID, ItemID>.Live
  ) -> SourceCore<Output.SectionID, ItemID>.Live.Commit? {
    guard !shownUnconfirmed.isEmpty || unconfirmed.values.contains(where: { !$0.isEmpty }) else {
      return commit
    }
    var now: Set<ItemID> = []
    for items in unconfirmed.values { now.formUnion(items.filter(live.snapshot.containsItem)) }
    guard commit != nil || now != shownUnconfirmed else { return nil }
    shownUnconfirmed = now
    return (commit ?? live.unchanged).showing(unconfirmed: Array(now))
  }

  private func note(_ revision: Revision, shows bases: [Revision]) {
    if origins.last?.revision == revision { origins.removeLast() }
    origins.append((revision, bases))
    let oldest = core.hub.withMachine { $0.history.oldest }
    let forgotten = origins.partitioningIndex { $0.revision.number >= oldest }
    if forgotten > origins.count / 2 { origins.removeFirst(forgotten) }
  }

  /// Waits for the next moment at which rows expire.
  func setAlarm() {
    alarm?.cancel()
    let alarms = core.isFinished ? [] : chain.alarms
    guard !alarms.isEmpty else { return }
    // Detached: it works for all subscribers, not for the one whose task is here now.
    alarm = Task.detached { [weak self] in
      await withTaskGroup(of: Void.self) { group in
        for alarm in alarms { group.addTask { try? await alarm.wait() } }
        await group.next()
        group.cancelAll()
      }
      if !Task.isCancelled { await self?.ring() }
    }
  }

  /// Removes rows that have expired.
  private func ring() {
    // If no subscriber waits for a batch, this is done when a batch is requested.
    guard isAsked else { return }
    evaluateIfStale()
  }
}
