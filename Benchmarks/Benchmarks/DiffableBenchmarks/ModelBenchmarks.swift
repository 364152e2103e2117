import Benchmark
import Diffable
import DiffableTesting
import Foundation

/// Models beside the order: all of them applied anew with ten changed, and ten of them set one by one.
func registerModelBenchmarks() {
  for count in [1_000, 100_000, 1_000_000] {
    Benchmark("models/apply-10-changed/\(count)/ours") { (benchmark, list: ModelList) in
      let models = list.changed(10)
      benchmark.startMeasurement()
      try await list.source.apply(models, section: { _ in 0 })
      let batch = try await list.nextBatch()
      benchmark.stopMeasurement()
      try expect(
        batch.update.difference.itemReconfigures.count == 10, "ten rows show something else")
      try expect(batch.models.count == 10, "and nothing else travels")
    } setup: {
      try await ModelList(count: count)
    }

    Benchmark("models/set/\(count)/ours/x10") { (benchmark, list: ModelList) in
      let models = list.changed(10)
      benchmark.startMeasurement()
      for row in list.lastChanged {
        try await list.source.setModel(models[row])
        let batch = try await list.nextBatch()
        blackHole(batch)
      }
      benchmark.stopMeasurement()
      let live = await list.source.snapshot
      try expect(live.numberOfItems == count, "the order stays")
    } setup: {
      try await ModelList(count: count)
    }
  }
}

private struct Model: Identifiable, Equatable, Sendable {
  let id: UUID
  var text: Int
}

/// A source of models, and a subscriber that takes its batches in the task of the benchmark.
private final class ModelList {
  let source = ModelSource<Int, Model>()
  private(set) var lastChanged: [Int] = []
  private var models: [Model]
  private var random = SplitMix64(seed: 51)
  private var batches: AsyncStream<ModelBatch<Int, Model>>.Iterator

  init(count: Int) async throws {
    models = [UUID].seeded(count, seed: 52).map { Model(id: $0, text: 0) }
    try await source.apply(models, section: { _ in 0 })
    batches = source.updates().makeAsyncIterator()
    let batch = try await nextBatch()
    try expect(batch.update.snapshot.numberOfItems == count, "the first batch has all items")
  }

  /// All models, some with another text than before.
  func changed(_ count: Int) -> [Model] {
    var rows: Set<Int> = []
    while rows.count < count { rows.insert(random.number(below: models.count)) }
    lastChanged = rows.sorted()
    for row in lastChanged { models[row].text += 1 }
    return models
  }

  func nextBatch() async throws -> ModelBatch<Int, Model> {
    var iterator = batches
    guard let batch = await iterator.next() else { throw WrongResult(expectation: "a batch") }
    batches = iterator
    return batch
  }
}
