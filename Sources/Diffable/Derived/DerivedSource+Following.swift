/// How a derived source follows its base: only while somebody asks.
///
/// A *pump* takes batches of the base as long as some subscriber asks for one. When none does, it
/// stops, and the base keeps the place of this source. When the last subscriber goes, that place is
/// given up, and the token of the last batch says where to go on.
extension DerivedSource {
  /// Waits until this source shows what the base shows now.
  func catchUp() async {
    await base.reader.hub.upstream?.catchUp()
    start()
    evaluateIfStale()
    let live = base.reader.hub.withMachine { $0.revision }
    guard !isBaseOver, state.map({ $0.revision < live }) ?? true else { return }
    await withCheckedContinuation { waiters.append((live, $0)) }
  }

  /// Stops following if nobody follows this source.
  func rest() {
    let subscribers = core.hub.withMachine { $0.population.subscribers }
    guard waiters.isEmpty, subscribers == 0 else { return }
    stop()
  }

  /// Takes batches of the base, if nobody does yet.
  func start() {
    guard pump == nil, !isBaseOver, !core.isFinished else { return }
    let batches = batches ?? subscribe()
    self.batches = batches
    pump = Task { [weak self, generation] in
      var iterator = batches.makeAsyncIterator()
      while let batch = await iterator.next() {
        guard await self?.take(batch, generation) == true else { return }
      }
      if !Task.isCancelled { await self?.baseHasFinished(generation) }
    }
  }

  private func subscribe() -> AsyncStream<UpdateBatch<Input.SectionID, Input.ItemID>> {
    isSubscriptionNew = true
    let token = state.map { ResumeToken(epoch: base.reader.hub.epoch, revision: $0.revision) }
    return base.reader.updates(after: token)
  }

  func stop() {
    // What the pump has in hand comes too late.
    generation += 1
    pump?.cancel()
    pump = nil
    batches = nil
  }

  /// Follows a batch of the base.
  ///
  /// - Returns: Whether to go on.
  private func take(
    _ batch: UpdateBatch<Input.SectionID, Input.ItemID>, _ generation: Int
  ) -> Bool {
    guard generation == self.generation, pump != nil else { return false }
    var origin = StageInput<Input.SectionID, Input.ItemID>.Origin.unknown
    if let previous = batch.previousSnapshot, batch.base == state?.revision {
      origin = .changed(from: previous, batch.difference)
    }
    state = (batch.snapshot, batch.target)
    // Those who follow this source need not start from scratch because it does.
    let isStart = isSubscriptionNew && batch.base == nil
    isSubscriptionNew = false
    let presentation = isStart ? .animated : batch.presentation
    evaluate(origin, stale.map { max($0, presentation) } ?? presentation)
    resumeWaiters(upTo: batch.target)
    if upstream.isAsked { return true }
    pump = nil
    return false
  }

  private func baseHasFinished(_ generation: Int) {
    guard generation == self.generation else { return }
    isBaseOver = true
    pump = nil
    evaluateIfStale()
    core.finish()
    resumeWaiters(upTo: nil)
  }

  /// Lets those go on who wait for a revision of the base, or for any.
  func resumeWaiters(upTo revision: Revision?) {
    let ready = waiters.filter { waiter in revision.map { waiter.revision <= $0 } ?? true }
    waiters.removeAll { waiter in revision.map { waiter.revision <= $0 } ?? true }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Works the stages out that are new since the query was replaced.
  func evaluateIfStale() {
    if let stale, state != nil { evaluate(.same, stale) }
  }

  /// Lets the stages follow the state of the base.
  private func evaluate(
    _ origin: StageInput<Input.SectionID, Input.ItemID>.Origin, _ presentation: Presentation
  ) {
    guard let state else { return }
    let input = StageInput(state.snapshot, isBroken ? .unknown : origin)
    do throws(DataSourceError) {
      let revision = try core.change(presentation: presentation) {
        live throws(SnapshotError) in try chain.advance(input, &live)
      }
      (stale, isBroken) = (nil, false)
      note(revision, shows: state.revision)
    } catch {
      // The observer has been told. The next change is worked out from scratch.
      (stale, isBroken) = (stale ?? presentation, true)
    }
  }

  private func note(_ revision: Revision, shows base: Revision) {
    if origins.last?.revision == revision { origins.removeLast() }
    origins.append((revision, base))
    if origins.count > 2 * (history + 1) { origins.removeFirst(origins.count - history - 1) }
  }
}
