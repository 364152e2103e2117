/// A source that a derived source follows; that alone uses it.
protocol Feed: AnyObject {
  /// The revision that the steps rest on, once there is one.
  var revision: Revision? { get }
  /// The revision of the source.
  var liveRevision: Revision { get }
  /// What the source follows itself.
  var upstream: Upstream? { get }
  /// Takes batches, while somebody waits.
  var pump: Task<Void, Never>? { get set }
  /// Tells the batches of one subscription from those of another.
  var generation: Int { get set }
  var isOver: Bool { get set }
  /// Those who wait for a revision.
  var waiters: [FeedWaiter] { get set }

  /// Lets a derived source take batches, for which this is the feed with an index.
  func start<Input, Output>(_ index: Int, in source: isolated DerivedSource<Input, Output>)
  /// Takes no more batches.
  func stop()
}

/// Someone who waits until the steps rest on a revision.
typealias FeedWaiter = (revision: Revision, continuation: CheckedContinuation<Void, Never>)

/// A source that a derived source follows, where its types are known.
final class SourceFeed<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Feed {
  typealias Batch = UpdateBatch<SectionID, ItemID>

  /// Held, so that it does not end.
  private let source: any AnyObject & Sendable
  private let reader: RevisionReader<SectionID, ItemID>
  private(set) var revision: Revision?
  /// Its batches, while somebody follows.
  private var batches: AsyncStream<Batch>?
  /// Whether no batch of them has been taken yet.
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
    let batches = batches ?? subscribe()
    self.batches = batches
    pump = Task { [weak source, generation] in
      var iterator = batches.makeAsyncIterator()
      while let batch = await iterator.next() {
        guard await source?.take(batch, index, generation) == true else { return }
      }
      if !Task.isCancelled { await source?.end(index, generation) }
    }
  }

  private func subscribe() -> AsyncStream<Batch> {
    isNew = true
    return reader.updates(
      after: revision.map { ResumeToken(epoch: reader.hub.epoch, revision: $0) })
  }

  func stop() {
    // What the pump has in hand comes too late.
    generation += 1
    pump?.cancel()
    pump = nil
    batches = nil
  }

  /// What a batch says, and how to show it.
  func take(_ batch: Batch) -> (input: StepInput<SectionID, ItemID>, Presentation) {
    var origin = StepInput<SectionID, ItemID>.Origin.unknown
    if let previous = batch.previousSnapshot, batch.base == revision {
      origin = .changed(from: previous, batch.difference)
    }
    // Those who follow the derived source need not start from scratch because that does.
    let isStart = isNew && batch.base == nil
    (revision, isNew) = (batch.target, false)
    return (StepInput(batch.snapshot, origin), isStart ? .animated : batch.presentation)
  }
}
