/// How a derived source follows others: only while somebody asks.
///
/// For each source that it follows, a *pump* takes batches as long as some subscriber asks for one. When
/// none does, it stops, and the source that is followed keeps its place. When the last subscriber goes,
/// that place is given up, and the token of the last batch says where to go on.
extension DerivedSource {
  /// Waits until this source shows what is followed as it is now.
  func catchUp() async {
    for index in feeds.indices {
      await feeds[index].reader.hub.upstream?.catchUp()
      start(index)
    }
    evaluateIfStale()
    for index in feeds.indices {
      let feed = feeds[index]
      let live = feed.reader.hub.withMachine { $0.revision }
      guard !core.isFinished, !feed.isOver, feed.state.map({ $0.revision < live }) ?? true else {
        continue
      }
      // The pump may have stopped while another source was asked.
      start(index)
      await withCheckedContinuation { feeds[index].waiters.append((live, $0)) }
    }
  }

  /// Stops following if nobody follows this source.
  func rest() {
    let subscribers = core.hub.withMachine { $0.population.subscribers }
    guard subscribers == 0, feeds.allSatisfy(\.waiters.isEmpty) else { return }
    for index in feeds.indices { stop(index) }
  }

  /// Takes batches of a source, if nobody does yet.
  func start(_ index: Int) {
    guard feeds[index].pump == nil, !feeds[index].isOver, !core.isFinished else { return }
    let batches = feeds[index].batches ?? subscribe(index)
    feeds[index].batches = batches
    feeds[index].pump = Task { [weak self, generation = feeds[index].generation] in
      var iterator = batches.makeAsyncIterator()
      while let batch = await iterator.next() {
        guard await self?.take(batch, index, generation) == true else { return }
      }
      if !Task.isCancelled { await self?.end(index, generation) }
    }
  }

  private func subscribe(_ index: Int) -> AsyncStream<UpdateBatch<Input.SectionID, Input.ItemID>> {
    feeds[index].isSubscriptionNew = true
    let (reader, state) = (feeds[index].reader, feeds[index].state)
    return reader.updates(
      after: state.map { ResumeToken(epoch: reader.hub.epoch, revision: $0.revision) })
  }

  func stop(_ index: Int) {
    // What the pump has in hand comes too late.
    feeds[index].generation += 1
    feeds[index].pump?.cancel()
    feeds[index].pump = nil
    feeds[index].batches = nil
  }

  /// Follows a batch.
  ///
  /// - Returns: Whether to go on.
  private func take(
    _ batch: UpdateBatch<Input.SectionID, Input.ItemID>, _ index: Int, _ generation: Int
  ) -> Bool {
    guard generation == feeds[index].generation, feeds[index].pump != nil else { return false }
    var origin = StepInput<Input.SectionID, Input.ItemID>.Origin.unknown
    if let previous = batch.previousSnapshot, batch.base == feeds[index].state?.revision {
      origin = .changed(from: previous, batch.difference)
    }
    feeds[index].state = (batch.snapshot, batch.target)
    // Those who follow this source need not start from scratch because it does.
    let isStart = feeds[index].isSubscriptionNew && batch.base == nil
    feeds[index].isSubscriptionNew = false
    let presentation = isStart ? .animated : batch.presentation
    evaluate(origin, index, stale.map { max($0, presentation) } ?? presentation)
    resumeWaiters(of: index, upTo: batch.target)
    // The batch may lead to an older revision than those wait for who asked in the meantime.
    if upstream.isAsked || !feeds[index].waiters.isEmpty { return true }
    feeds[index].pump = nil
    return false
  }

  /// Notes that a source has finished.
  private func end(_ index: Int, _ generation: Int) {
    guard generation == feeds[index].generation else { return }
    feeds[index].isOver = true
    feeds[index].pump = nil
    resumeWaiters(of: index, upTo: nil)
    guard feeds.allSatisfy(\.isOver) else { return }
    evaluateIfStale()
    core.finish()
  }

  /// Lets those go on who wait for a revision, or for any.
  func resumeWaiters(of index: Int, upTo revision: Revision?) {
    func isReady(_ waited: Revision) -> Bool { revision.map { waited <= $0 } ?? true }
    let ready = feeds[index].waiters.filter { isReady($0.revision) }
    feeds[index].waiters.removeAll { isReady($0.revision) }
    for waiter in ready { waiter.continuation.resume() }
  }
}

/// How it works out what it shows.
extension DerivedSource {
  /// Works the steps out that are new since the query was replaced.
  func evaluateIfStale() {
    if let stale { evaluate(.same, 0, stale) }
  }

  /// Lets the steps follow a source, once there is a state of each.
  private func evaluate(
    _ origin: StepInput<Input.SectionID, Input.ItemID>.Origin, _ index: Int,
    _ presentation: Presentation
  ) {
    let states = feeds.compactMap(\.state)
    guard states.count == feeds.count else { return }
    do throws(DataSourceError) {
      let input = StepInput(states[index].snapshot, isBroken ? .unknown : origin)
      let revision = try core.change(presentation: presentation) {
        live throws(SnapshotError) in
        guard var input = try merged(input, index, states.map(\.snapshot)) else { return nil }
        input.expansion = expansion
        return try chain.advance(input, &live)
      }
      (stale, isBroken) = (nil, false)
      expansion.didTell()
      note(revision, shows: states.map(\.revision))
    } catch {
      // The observer has been told. The next change is worked out from scratch.
      (stale, isBroken) = (stale ?? presentation, true)
    }
  }

  /// The input of the steps; `nil` if it has not changed.
  private func merged(
    _ input: StepInput<Input.SectionID, Input.ItemID>, _ index: Int,
    _ states: [Snapshot<Input.SectionID, Input.ItemID>]
  ) throws(SnapshotError) -> StepInput<Input.SectionID, Input.ItemID>? {
    guard let merge else { return input }
    if case .same = input.origin, let present = merge.present { return present }
    let change = try merge.advance(
      input, OtherInput(snapshot: states[1 - index], isFirst: index == 1))
    // Steps may wait to be worked out, whether or not this changes anything.
    return change ?? (chain.isFresh || !expansion.news.isEmpty ? merge.present : nil)
  }

  private func note(_ revision: Revision, shows bases: [Revision]) {
    if origins.last?.revision == revision { origins.removeLast() }
    origins.append((revision, bases))
    if origins.count > 2 * (history + 1) { origins.removeFirst(origins.count - history - 1) }
  }
}
