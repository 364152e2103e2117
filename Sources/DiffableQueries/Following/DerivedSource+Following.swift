import Diffable

/// Following other sources, but only while a subscriber requests a batch.
///
/// A request first takes what the followed sources have, on the task of the subscriber. Only if
/// that is nothing new, a *pump* for each followed source takes batches, as long as a subscriber
/// waits. When no subscriber does, the pump stops. The followed source keeps its place, and does not
/// wait for it. When the last subscriber ends, that place is given up, and the token of the last
/// batch marks where to continue.
extension DerivedSource {
  /// Waits until this source shows the current state of the followed sources.
  func catchUp() async {
    // Those who read a source that has ended need nothing of the sources behind it.
    guard !core.isFinished else { return }
    var targets: [(feed: any Feed, revision: Revision)] = []
    for index in feeds.indices where index < feeds.count {
      let feed = feeds[index]
      let upstream = feed.hub.upstream
      await upstream?.catchUp()
      guard !core.isFinished, index < feeds.count, feed === feeds[index] else {
        // What is followed instead by now has not caught up: its pump asks for that.
        upstream?.rest()
        continue
      }
      // Before the query runs, which may take long: what comes meanwhile can wait.
      targets.append((feed, feed.hub.revision))
      // What the source has now, unless its pump takes that.
      if feed.pump == nil, !feed.isOver { feed.poll(index, in: self) }
    }
    // A new query is worked out with what comes, and not for the state before as well.
    if !targets.contains(where: { $0.feed.isBehind($0.revision) }) { evaluateIfStale() }
    for index in feeds.indices where index < feeds.count {
      let feed = feeds[index]
      let target = targets.first { $0.feed === feed }?.revision ?? feed.hub.revision
      guard !core.isFinished, feed.isBehind(target) else { continue }
      // The pump may have stopped while another source was being waited for.
      start(index)
      _ = await feed.waiters.wait(for: target, isCancellable: false)
    }
    evaluateIfStale()
    setAlarm()
  }

  /// Takes batches of the followed sources from now on, as long as a subscriber waits for one.
  func follow() async {
    for index in feeds.indices where index < feeds.count {
      // What a pump waits for must not be slower than the pump.
      if start(index) { await feeds[index].hub.upstream?.follow() }
    }
  }

  /// Stops following if this source has no subscribers.
  func rest() {
    guard !core.hub.hasSubscribers, feeds.allSatisfy({ $0.waiters.isEmpty }) else { return }
    for feed in feeds { feed.stop() }
    alarm?.cancel()
  }

  /// Whether a subscriber requests a batch, or waits for one.
  var isAsked: Bool { upstream.isAsked || isAwaited }

  /// Whether a subscriber waits for a batch.
  private var isAwaited: Bool { core.hub.isAwaited }

  /// Starts taking batches of a source, unless its pump is running.
  ///
  /// A running pump gets the priority of the current task, if that is higher.
  ///
  /// - Returns: Whether a running pump has a higher priority now.
  @discardableResult func start(_ index: Int) -> Bool {
    guard index < feeds.count, !feeds[index].isOver, !core.isFinished else { return false }
    let feed = feeds[index]
    let priority = Swift.max(.medium, Task.currentPriority)
    guard let pump = feed.pump else {
      feed.priority = priority
      feed.start(index, in: self)
      return false
    }
    guard priority > feed.priority else { return false }
    feed.priority = priority
    pump.raisePriority(to: priority)
    return true
  }

  /// Processes a batch of a followed source.
  ///
  /// - Returns: Whether to continue.
  func take<Section, Item>(
    _ batch: UpdateBatch<Section, Item>, _ index: Int, _ generation: Int
  ) -> Bool {
    guard index < feeds.count, let feed = feeds[index] as? SourceFeed<Section, Item>,
      generation == feed.generation
    else { return false }
    let isFirst = feed.revision == nil
    let (input, presentation) = feed.take(batch)
    // Rows that the query hides are renamed too. Identifiers are compared while no access is exclusive.
    // What a source has renamed before its first batch is about none of the rows that are known here.
    let renames = isFirst ? [] : front.renames(in: batch, ofFeed: index)
    (expansion, findings) = (expansion.following(renames), findings.following(renames))
    baseRenames.formUnion(renames)
    followLoads(renames)
    let shown = core.revision
    evaluate(stale.map { max($0, presentation) } ?? presentation) {
      () throws(SnapshotError) in try combine(input, ofFeed: index)
    }
    feed.waiters.wake { $0 <= batch.target }
    // A subscriber that is about to wait gets the new revision instead, and nothing is worked out
    // until it asks again.
    let isWanted = core.revision == shown ? isAsked : isAwaited
    // The batch may lead to a revision older than the one that new waiters wait for.
    if isWanted || !feed.waiters.isEmpty { return true }
    feed.pump = nil
    feed.rest()
    return false
  }

  /// Records that a source has finished.
  func end(_ index: Int, _ generation: Int) {
    guard index < feeds.count, generation == feeds[index].generation else { return }
    let feed = feeds[index]
    feed.isOver = true
    feed.pump = nil
    feed.waiters.wake()
    guard feeds.allSatisfy({ $0.isOver }) else { return }
    evaluateIfStale()
    finish()
  }
}

extension Task {
  /// Raises the priority of a task that works for another task too, where the system can do so.
  fileprivate func raisePriority(to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      escalatePriority(to: priority)
    }
  }
}

/// Computing what a derived source shows.
extension DerivedSource {
  /// Computes changes that do not come from a followed source.
  ///
  /// These are a new query, expansion, and expired rows.
  ///
  /// - Parameter isSuperseded: Whether a newer query waits. A step that takes long asks it, and gives up.
  func evaluateIfStale(unless isSuperseded: @escaping @Sendable () -> Bool = { false }) {
    if stale == nil, chain.alarms.contains(where: \.isDue) { stale = .animated }
    guard let stale else { return }
    evaluate(stale) {
      guard var input = front.present else { return nil }
      input.isSuperseded = isSuperseded
      return input
    }
  }

  /// Lets the steps follow the sources, once there is a state of each.
  ///
  /// - Parameter follow: Returns the change of the query's input; `nil` for none.
  func evaluate(
    _ presentation: Presentation,
    _ follow: () throws(SnapshotError) -> StepInput<Input.SectionID, Input.ItemID>?
  ) {
    var isReported = false
    do throws(DataSourceError) {
      let reached = try core.change(presentation: presentation, isCancellable: false) {
        live throws(SnapshotError) in
        guard var input = try follow() ?? front.present else { return nil }
        if isBroken { input.origin = .unknown }
        (input.expansion, input.findings) = (expansion, findings)
        (input.timer, input.renames) = (core.hub, baseRenames)
        var commit = try chain.advance(input, &live)
        if chain.isAbandoned { return nil }
        if !baseRenames.isEmpty {
          // Also if the query hides the rows: a follower may keep something by their identifiers.
          isReported = true
          commit = (commit ?? live.unchanged).following(baseRenames)
        }
        return showingUnconfirmed(commit, in: live)
      }
      // What is still to be shown stays so.
      if chain.isAbandoned { return }
      if isReported { baseRenames = ItemRenames() }
      let bases = feeds.compactMap { $0.revision }
      guard bases.count == feeds.count, front.present != nil else { return }
      (stale, isBroken) = (nil, false)
      expansion.didTell()
      findings.didTell()
      note(reached.revision, shows: bases)
      loadChildren()
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
    let unconfirmed = front.unconfirmedItems(of: feeds)
    guard !shownUnconfirmed.isEmpty || !unconfirmed.isEmpty else { return commit }
    let now = unconfirmed.filter(live.snapshot.containsItem)
    guard commit != nil || now != shownUnconfirmed else { return nil }
    shownUnconfirmed = now
    return (commit ?? live.unchanged).showing(unconfirmed: now)
  }

  private func note(_ revision: Revision, shows bases: [Revision]) {
    if origins.last?.revision == revision { origins.removeLast() }
    origins.append((revision, bases))
    let oldest = core.hub.oldest
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
