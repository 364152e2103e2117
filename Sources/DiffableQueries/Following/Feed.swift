import Diffable

/// A source that a derived source follows; used by that derived source only.
protocol Feed: AnyObject {
  /// The revision that the steps are based on, once there is one.
  var revision: Revision? { get }
  /// The hub of the source.
  var hub: Hub { get }
  /// Takes batches while a subscriber waits.
  var pump: Task<Void, Never>? { get set }
  /// The priority of the pump.
  var priority: TaskPriority { get set }
  /// Distinguishes the batches of one subscription from those of another.
  var generation: Int { get set }
  var isOver: Bool { get set }
  /// The visible rows of the last state.
  var rowCount: Int { get }
  /// What is unconfirmed in the last state, where an index of the feed determines the type of rows.
  func unconfirmedItems<Item: Hashable>() -> Set<Item>
  /// The tasks that wait for a revision.
  var waiters: WaitingTasks { get }

  /// Lets a derived source, in which this feed has an index, take batches.
  func start<Input, Output>(_ index: Int, in source: isolated DerivedSource<Input, Output>)
  /// Lets a derived source, in which this feed has an index, take the batch that there is, if any.
  func poll<Input, Output>(_ index: Int, in source: isolated DerivedSource<Input, Output>)
  /// Says what the followed source does; of a source that is not derived, what it has shown last.
  var explain: @Sendable () async -> QueryExplanation { get }
  /// Keeps no task of the followed source waiting until batches are taken again.
  func rest()
  /// Stops taking batches.
  func stop()
}

extension Feed {
  /// Whether it still has to bring the steps to a revision.
  func isBehind(_ target: Revision) -> Bool { !isOver && revision.map { $0 < target } ?? true }
}

/// A followed source, in code that knows its types.
final class SourceFeed<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Feed {
  typealias Batch = UpdateBatch<SectionID, ItemID>

  /// Held, so that it does not end.
  private let source: any AnyObject & Sendable
  private let reader: RevisionReader<SectionID, ItemID>
  private(set) var revision: Revision?
  /// The last state in numbers, which are all that an explanation needs of it.
  private var counts = (rows: 0, sections: 0)
  private var unconfirmed: Set<ItemID> = []
  /// The subscription, while a subscriber follows.
  private var subscription: Subscription<Batch>?
  var pump: Task<Void, Never>?
  var priority = TaskPriority.medium
  var generation = 0
  var isOver = false
  let waiters = WaitingTasks()

  init(_ source: some ListSource<SectionID, ItemID>) {
    (self.source, reader) = (source, source.reader)
  }

  deinit { pump?.cancel() }

  var hub: Hub { reader.hub }
  var rowCount: Int { counts.rows }

  func unconfirmedItems<Item: Hashable>() -> Set<Item> {
    // As a set it would be converted element by element.
    (unconfirmed as Any) as? Set<Item> ?? []
  }

  var explain: @Sendable () async -> QueryExplanation {
    if let source = source as? any ExplainedSource { return { await source.explain() } }
    let kind = "\(type(of: source))".prefix { $0 != "<" }
    let explanation = QueryExplanation(
      source: String(kind), element: reader.kernels.elementName,
      revision: revision ?? .empty, rowCount: counts.rows, sectionCount: counts.sections)
    return { explanation }
  }

  func start<Input, Output>(_ index: Int, in source: isolated DerivedSource<Input, Output>) {
    let batches = subscribed.stream
    // Detached: it works for all subscribers, and the first must not pass on its task-local values
    // for good. A background subscriber must not pass on its priority either: not every system can
    // raise it later.
    pump = Task.detached(priority: priority) { [weak source, generation] in
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
    let subscription: Subscription<Batch> = reader.subscribe(
      .coalesced, after: revision.map { reader.hub.token(for: $0) })
    self.subscription = subscription
    return subscription
  }

  func rest() {
    if let subscription { hub.rest(subscription.token.id) }
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
      origin = .changed(
        InputChange(from: previous, to: batch.snapshot, batch.difference))
    }
    revision = batch.target
    unconfirmed = batch.unconfirmedItems
    counts = (batch.snapshot.numberOfItems, batch.snapshot.numberOfSections)
    // Subscribers of the derived source need not start from scratch because this subscription does, and its
    // notes are those of the last revision, which this source may have shown.
    return batch.isStart
      ? (StepInput(batch.snapshot, origin), .animated)
      : (StepInput(batch.snapshot, origin, marks: batch.marks), batch.presentation)
  }
}
