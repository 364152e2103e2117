import Benchmark
import Diffable
import DiffableTesting
import Foundation

/// Models beside the order: all of them applied anew with ten or a tenth of them changed, ten of them set
/// one by one, and all of them applied anew where rows have come, gone and moved.
func registerModelBenchmarks() {
  for count in [1_000, 100_000, 1_000_000] {
    registerApply("10-changed", count, changed: 10)
    registerSetting(count)
  }
  for count in [20, 100, 1_000] {
    registerApply("tenth-changed", count, changed: count / 10)
    registerTextbook("tenth-changed", count, changed: count / 10)
  }
  registerModelBaselines()
  registerModelRecipe()
}

private func registerApply(_ name: String, _ count: Int, changed: Int) {
  Benchmark("models/apply-\(name)/\(count)/ours") { (benchmark, list: ModelList) in
    let models = list.workload.changed(changed)
    benchmark.startMeasurement()
    let batch = try await list.apply(models)
    benchmark.stopMeasurement()
    try expect(
      batch.update.difference.itemReconfigures.count == changed, "some rows show something else")
    try expect(batch.models.count == changed, "and nothing else travels")
  } setup: {
    try await ModelList(count: count)
  }
}

private func registerSetting(_ count: Int) {
  Benchmark("models/set/\(count)/ours/x10") { (benchmark, list: ModelList) in
    let models = list.workload.changed(10)
    benchmark.startMeasurement()
    for row in list.workload.lastChanged {
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

private func registerModelBaselines() {
  for count in [1_000, 100_000] {
    Benchmark("models/apply-10-changed/\(count)/comparing") {
      (benchmark, workload: ChangingModels) in
      let old = workload.models
      let new = workload.changed(10)
      var differing = 0
      benchmark.startMeasurement()
      for row in old.indices where old[row] != new[row] { differing += 1 }
      benchmark.stopMeasurement()
      try expect(differing == 10, "ten rows show something else")
    } setup: {
      ChangingModels(count: count)
    }

    registerTextbook("10-changed", count, changed: 10)
  }
}

private func registerTextbook(_ name: String, _ count: Int, changed: Int) {
  Benchmark("models/apply-\(name)/\(count)/textbook") { (benchmark, workload: ChangingModels) in
    let old = workload.models
    let new = workload.changed(changed)
    benchmark.startMeasurement()
    let differ = Textbook(from: old, to: new)
    benchmark.stopMeasurement()
    try expect(differ.updates == workload.lastChanged, "some rows show something else")
    try expect(differ.deletes.isEmpty && differ.moves.isEmpty, "the order stays")
  } setup: {
    ChangingModels(count: count)
  }
}

/// The recipe of the identifiers, with a model for each; the dictionary is that of the identifiers.
private func registerModelRecipe() {
  let count = 100_000
  Benchmark("models/recipe/\(count)/ours") {
    (benchmark, state: (old: [Model], new: [Model], list: ModelList)) in
    let (old, new, list) = state
    let back = try await list.apply(old.remapped())
    try expect(back.update.snapshot.numberOfItems == count, "the old list is back")
    let models = new.remapped()
    benchmark.startMeasurement()
    let batch = try await list.apply(models)
    benchmark.stopMeasurement()
    try expect(batch.update.snapshot.numberOfItems == count, "the batch leads to the new list")
    try expect(batch.models.count == 10_000, "only the models of new rows travel")
  } setup: {
    let ids = Workload<UUID>.recipe(
      count: count, deleting: 20_000..<30_000, inserting: 30_000..<40_000, shuffling: 0..<2_000)
    // Who stays shows the same as before, wherever it has gone.
    let models = Dictionary(
      [Model](ids: ids.old + ids.new).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let (old, new) = (ids.old.compactMap { models[$0] }, ids.new.compactMap { models[$0] })
    return (old, new, try await ModelList(new))
  }
}
