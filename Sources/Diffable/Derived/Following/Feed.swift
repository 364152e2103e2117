/// A source that a derived source follows; used by that derived source only.
protocol Feed: AnyObject {
  /// The revision that the steps are based on, once there is one.
  var revision: Revision? { get }
  /// The revision of the source.
  var liveRevision: Revision { get }
  /// The source that the followed source itself follows, if any.
  var upstream: Upstream? { get }
  /// Takes batches while a subscriber waits.
  var pump: Task<Void, Never>? { get set }
  /// Distinguishes the batches of one subscription from those of another.
  var generation: Int { get set }
  var isOver: Bool { get set }
  /// The tasks that wait for a revision.
  var waiters: [FeedWaiter] { get set }

  /// Lets a derived source, in which this feed has an index, take batches.
  func start<Input, Output>(_ index: Int, in source: isolated DerivedSource<Input, Output>)
  /// Lets a derived source, in which this feed has an index, take the batch that there is, if any.
  func poll<Input, Output>(_ index: Int, in source: isolated DerivedSource<Input, Output>)
  /// Stops taking batches.
  func stop()
}

/// A task that waits until the steps are based on a revision.
typealias FeedWaiter = (revision: Revision, continuation: CheckedContinuation<Void, Never>)

/// A followed source, in code that knows its types.
final class SourceFeed<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Feed {
  typealias Batch = UpdateBatch<SectionID, ItemID>

  /// Held, so that it does not end.
  private let source: any AnyObject & Sendable
  private let reader: RevisionReader<SectionID, ItemID>
  private(set) var revision: Revision?
  /// The subscription, while a subscriber follows.
  private var subscription: Subscription<Batch>?
  /// Whether no batch of this subscription has been taken yet.
  private var isNew = false
  var pump: Task<Void, Never>?
  var generation = 0
  var isOver = false
  var waiters: [FeedWaiter] = []

  init(_ source: some ListSource<SectionID, ItemID>) {
    (self.source, reader) = (source, source.reader)
  }

  deinit { pump?.cancel() }

  var liveRevision: Revision { reader.hub.withMachine { $0.revision } }
  var upstream: Upstream? { reader.hub.upstream }

  func start<Input, Output>(_ index: Int, in source: isolated DerivedSource<Input, Output>) {
    let batches = subscribed.stream
    pump = Task { [weak source, generation] in
      var iterator = batches.makeAsyncIterator()
      while let batch = await iterator.next() {
        guard await source?.take(batch, index, generation) == true else { return }
      }
      if !Task.isCancelled { await source?.end(index, generation) }
    }
  }

  func poll<Input, Output>(_ index: Int, in source: isolated DerivedSource<Input, Output>) {
    if let batch = reader.poll(subscribed.token) { _ = source.take(batch, index, generation) }
  }

  private var subscribed: Subscription<Batch> {
    if let subscription { return subscription }
    isNew = true
    let subscription: Subscription<Batch> = reader.subscribe(
      .coalesced, after: revision.map { ResumeToken(epoch: reader.hub.epoch, revision: $0) })
    self.subscription = subscription
    return subscription
  }

  func stop() {
    // A batch that the pump is delivering now must be ignored.
    generation += 1
    pump?.cancel()
    pump = nil
    subscription = nil
  }

  /// The input for the steps, and the presentation, of a batch.
  func take(_ batch: Batch) -> (input: StepInput<SectionID, ItemID>, Presentation) {
    var origin = StepInput<SectionID, ItemID>.Origin.unknown
    if let previous = batch.previousSnapshot, batch.base == revision {
      origin = .changed(from: previous, batch.difference)
    }
    // Subscribers of the derived source need not start from scratch because this subscription does.
    let isStart = isNew && batch.base == nil
    (revision, isNew) = (batch.target, false)
    return (StepInput(batch.snapshot, origin), isStart ? .animated : batch.presentation)
  }
}
