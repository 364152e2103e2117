import Benchmark
import Diffable
import DiffableSync
import DiffableTesting
import Foundation

/// A row that changes, on its way to a mirror in another process: its delta made, encoded, decoded and
/// applied.
func registerWireBenchmarks() {
  for count in [1_000, 100_000, 1_000_000] {
    Benchmark("wire/one-change/\(count)/ours/x10") { (benchmark, list: MirroredModels) in
      let batches = try await list.change(rows: 10)
      benchmark.startMeasurement()
      for batch in batches {
        let text = try list.encoder.encode(batch.delta)
        try await list.mirror.apply(text) { [decoder = list.decoder] in
          try decoder.decode(ModelDelta.self, from: $0)
        }
      }
      benchmark.stopMeasurement()
      let (here, there) = await (list.models.source.snapshot, list.mirror.snapshot)
      try expect(there.numberOfItems == count, "the order stays")
      try expect(
        here.itemIdentifier(for: list.last) == there.itemIdentifier(for: list.last), "same")
    } setup: {
      try await MirroredModels(count: count)
    }
  }
}

/// A source of models, and a mirror of it.
private final class MirroredModels {
  let models: ModelList
  let mirror = MirrorSource<ModelBatch<Int, Model>>(
    limits: DeltaLimits(elementCount: 3_000_000))
  let encoder = JSONEncoder()
  let decoder = JSONDecoder()
  let last: ItemPath

  init(count: Int) async throws {
    models = try await ModelList(count: count)
    last = ItemPath(section: 0, item: count - 1)
    for await batch in models.source.updates() {
      try await mirror.apply(batch.delta)
      break
    }
  }

  /// The batches of some rows that are set one after the other.
  func change(rows: Int) async throws -> [ModelBatch<Int, Model>] {
    let changed = models.workload.changed(rows)
    var batches: [ModelBatch<Int, Model>] = []
    for row in models.workload.lastChanged {
      try await models.source.setModel(changed[row])
      batches.append(try await models.nextBatch())
    }
    return batches
  }
}
