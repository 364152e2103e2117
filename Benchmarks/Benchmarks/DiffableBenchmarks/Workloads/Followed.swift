import Diffable

/// A data source with a subscriber that takes its batches in the task of the benchmark.
final class Followed<ID: SeededIdentifier> {
  typealias Batch = UpdateBatch<Int, ID>

  let source: DataSourceActor<Int, ID>
  private var batches: AsyncStream<Batch>.Iterator

  /// Starts with a list that the subscriber has been handed already.
  init(_ items: [ID]) async throws {
    source = try DataSourceActor(Snapshot(items: items))
    batches = source.updates().makeAsyncIterator()
    let first = try await nextBatch()
    try expect(first.snapshot.numberOfItems == items.count, "the first batch has all items")
  }

  /// Takes the next batch.
  func nextBatch() async throws -> Batch {
    var iterator = batches
    guard let batch = await iterator.next() else {
      throw WrongResult(expectation: "a batch")
    }
    batches = iterator
    return batch
  }

  /// Applies a list as an app does that maps its model to an array, and takes the batch.
  func applyFresh(_ items: [ID]) async throws -> Batch {
    try await source.apply(Snapshot(items: items))
    return try await nextBatch()
  }
}
