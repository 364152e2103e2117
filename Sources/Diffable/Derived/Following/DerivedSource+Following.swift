/// How a derived source follows others: only while somebody asks.
///
/// For each source that it follows, a *pump* takes batches as long as some subscriber asks for one. When
/// none does, it stops, and the source that is followed keeps its place. When the last subscriber goes,
/// that place is given up, and the token of the last batch says where to go on.
extension DerivedSource {
  /// Waits until this source shows what is followed as it is now.
  func catchUp() async {
    for index in feeds.indices where index < feeds.count {
      await feeds[index].upstream?.catchUp()
      start(index)
    }
    evaluateIfStale()
    for index in feeds.indices where index < feeds.count {
      let feed = feeds[index]
      let live = feed.liveRevision
      guard !core.isFinished, !feed.isOver, feed.revision.map({ $0 < live }) ?? true else {
        continue
      }
      // The pump may have stopped while another source was asked.
      start(index)
      await withCheckedContinuation { feed.waiters.append((live, $0)) }
    }
    setAlarm()
  }

  /// Stops following if nobody follows this source.
  func rest() {
    let subscribers = core.hub.withMachine { $0.population.subscribers }
    guard subscribers == 0, feeds.allSatisfy(\.waiters.isEmpty) else { return }
    for feed in feeds { feed.stop() }
    alarm?.cancel()
  }

  /// Takes batches of a source, if nobody does yet.
  func start(_ index: Int) {
    guard index < feeds.count, feeds[index].pump == nil, !feeds[index].isOver, !core.isFinished
    else { return }
    feeds[index].start(index, in: self)
  }

  /// Follows a batch.
  ///
  /// - Returns: Whether to go on.
  func take<Section, Item>(
    _ batch: UpdateBatch<Section, Item>, _ index: Int, _ generation: Int
  ) -> Bool {
    guard index < feeds.count, let feed = feeds[index] as? SourceFeed<Section, Item>,
      generation == feed.generation, feed.pump != nil
    else { return false }
    let (input, presentation) = feed.take(batch)
    evaluate(stale.map { max($0, presentation) } ?? presentation) {
      front throws(SnapshotError) in try front.advance(input, ofFeed: index)
    }
    resumeWaiters(of: feed, upTo: batch.target)
    // The batch may lead to an older revision than those wait for who asked in the meantime.
    if upstream.isAsked || !feed.waiters.isEmpty { return true }
    feed.pump = nil
    return false
  }

  /// Notes that a source has finished.
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

  /// Lets those go on who wait for a revision, or for any.
  func resumeWaiters(of feed: any Feed, upTo revision: Revision?) {
    func isReady(_ waited: Revision) -> Bool { revision.map { waited <= $0 } ?? true }
    let ready = feed.waiters.filter { isReady($0.revision) }
    feed.waiters.removeAll { isReady($0.revision) }
    for waiter in ready { waiter.continuation.resume() }
  }
}
