import Diffable
import DiffableTesting

/// All models of a list, of which some are changed each time.
final class ChangingModels {
  private(set) var models: [Model]
  /// The rows that were changed last, in ascending order.
  private(set) var lastChanged: [Int] = []
  private var random = SplitMix64(seed: 51)

  convenience init(count: Int) {
    self.init([Model](ids: .seeded(count, seed: 52)))
  }

  init(_ models: [Model]) {
    self.models = models
  }

  /// All models, some with another count than before.
  func changed(_ count: Int) -> [Model] {
    var rows: Set<Int> = []
    while rows.count < count { rows.insert(random.number(below: models.count)) }
    lastChanged = rows.sorted()
    for row in lastChanged { models[row].count += 1 }
    return models
  }
}

/// A source of models, and a subscriber that takes its batches in the task of the benchmark.
final class ModelList {
  let source = ModelSource<Int, Model>()
  let workload: ChangingModels
  private var batches: AsyncStream<ModelBatch<Int, Model>>.Iterator

  convenience init(count: Int) async throws {
    try await self.init([Model](ids: .seeded(count, seed: 52)))
  }

  /// Starts with a list that the subscriber has been handed already.
  init(_ models: [Model]) async throws {
    workload = ChangingModels(models)
    batches = source.updates().makeAsyncIterator()
    let batch = try await apply(models)
    try expect(
      batch.update.snapshot.numberOfItems == models.count, "the first batch has all items")
  }

  /// Applies all models, and takes the batch.
  func apply(_ models: [Model]) async throws -> ModelBatch<Int, Model> {
    try await source.apply(models, section: { _ in 0 })
    return try await nextBatch()
  }

  func nextBatch() async throws -> ModelBatch<Int, Model> {
    var iterator = batches
    guard let batch = await iterator.next() else { throw WrongResult(expectation: "a batch") }
    batches = iterator
    return batch
  }
}
