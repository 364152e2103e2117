/// Following other sources, but only while a subscriber requests a batch.
///
/// A request first takes what the followed sources have, on the task of the subscriber. Only if that
/// is nothing new, a *pump* for each followed source takes batches, as long as a subscriber waits.
/// When no subscriber does, the pump stops, and the followed source keeps its place. When the last
/// subscriber ends, that place is given up, and the token of the last batch marks where to
/// continue.
extension DerivedSource {
  /// Waits until this source shows the current state of the followed sources.
  func catchUp() async {
    for index in feeds.indices where index < feeds.count {
      await feeds[index].upstream?.catchUp()
      poll(index)
    }
    evaluateIfStale()
    for index in feeds.indices where index < feeds.count {
      let feed = feeds[index]
      let live = feed.liveRevision
      guard !core.isFinished, !feed.isOver, feed.revision.map({ $0 < live }) ?? true else {
        continue
      }
      // The pump may have stopped while another source was being waited for.
      start(index)
      await withCheckedContinuation { feed.waiters.append((live, $0)) }
    }
    setAlarm()
  }

  /// Takes batches of the followed sources from now on, as long as a subscriber waits for one.
  func follow() {
    for index in feeds.indices { start(index) }
  }

  /// Takes what a source has now, unless its pump does or it has to be computed.
  private func poll(_ index: Int) {
    guard index < feeds.count, feeds[index].pump == nil, !feeds[index].isOver, !core.isFinished
    else { return }
    feeds[index].poll(index, in: self)
  }

  /// Stops following if this source has no subscribers.
  func rest() {
    let subscribers = core.hub.withMachine { $0.population.subscribers }
    guard subscribers == 0, feeds.allSatisfy(\.waiters.isEmpty) else { return }
    for feed in feeds { feed.stop() }
    alarm?.cancel()
  }

  /// Starts taking batches of a source, unless its pump is running.
  func start(_ index: Int) {
    guard index < feeds.count, feeds[index].pump == nil, !feeds[index].isOver, !core.isFinished
    else { return }
    feeds[index].start(index, in: self)
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
    let (input, presentation) = feed.take(batch)
    evaluate(stale.map { max($0, presentation) } ?? presentation) {
      front throws(SnapshotError) in try front.advance(input, ofFeed: index)
    }
    resumeWaiters(of: feed, upTo: batch.target)
    // The batch may lead to a revision older than the one that new waiters wait for.
    if upstream.isAsked || !feed.waiters.isEmpty { return true }
    feed.pump = nil
    return false
  }

  /// Records that a source has finished.
  func end(_ index: Int, _ generation: Int) {
    guard index < feeds.count, generation == feeds[index].generation else { return }
    let feed = feeds[index]
    feed.isOver = true
    feed.pump = nil
    resumeWaiters(of: feed, upTo: nil)
    guard feeds.allSatisfy(\.isOver) else { return }
    evaluateIfStale()
    core.finish()
  }

  /// Resumes the tasks that wait for a revision, or for any revision.
  func resumeWaiters(of feed: any Feed, upTo revision: Revision?) {
    func isReady(_ waited: Revision) -> Bool { revision.map { waited <= $0 } ?? true }
    let ready = feed.waiters.filter { isReady($0.revision) }
    feed.waiters.removeAll { isReady($0.revision) }
    for waiter in ready { waiter.continuation.resume() }
  }
}
