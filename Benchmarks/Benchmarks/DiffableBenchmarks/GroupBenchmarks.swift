import Benchmark
import Diffable
import DiffableQueries
import DiffableTesting
import Foundation

/// Groups that know their rows: a list of many groups in the order of their totals, without the small ones, each with
/// its first rows.
func registerGroupBenchmarks() {
  let count = 6_400
  // What the groups cost alone, and with what follows from their rows.
  for (name, isMeasured) in [("ours", true), ("grouped", false)] {
    let setup = { @Sendable in try await GroupedList(groups: count, isMeasured: isMeasured) }
    Benchmark("groups/set/\(count)/\(name)/x10") { (benchmark, list: GroupedList) in
      let models = (0..<10).map { _ in list.changedModel() }
      benchmark.startMeasurement()
      for model in models {
        try await list.source.setModel(model)
        blackHole(try await list.next())
      }
      benchmark.stopMeasurement()
    } setup: {
      try await setup()
    }
    for (kind, isNew) in [("row", false), ("group", true)] {
      Benchmark("groups/insert-\(kind)/\(count)/\(name)/x10") { (benchmark, list: GroupedList) in
        let models = (0..<10).map { _ in list.insertedModel(inNewGroup: isNew) }
        benchmark.startMeasurement()
        for model in models {
          try await list.source.appendItems([model], toSection: 0)
          blackHole(try await list.next())
        }
        benchmark.stopMeasurement()
      } setup: {
        try await setup()
      }
    }
  }
}

/// A source of models, and a list of them in groups of ten.
private final class GroupedList {
  let source = ModelSource<Int, Model>()
  private let derived: DerivedSource<ModelBatch<Int, Model>, ModelBatch<Int, Model>>
  private var batches: AsyncStream<ModelBatch<Int, Model>>.Iterator
  private var models: [Model]
  private var groups: Int
  private var grown = 0
  private var random = SplitMix64(seed: 64)

  init(groups: Int, isMeasured: Bool) async throws {
    self.groups = groups
    models = [Model](ids: .seeded(10 * groups, seed: 65))
    for row in models.indices {
      models[row].count = Self.count(ofGroup: row % groups, 1 + random.number(below: 900))
    }
    derived = source.derived { query in
      let grouped = query.grouped(by: { $0.count / 1000 }, order: <)
      guard isMeasured else { return grouped }
      return grouped.sectionsSorted(by: .sum(of: { $0.count % 1000 }), reverse: true)
        .filterSections(.sum(of: { $0.count % 1000 })) { $0 > 0 }
        .prefix(ofEachSection: 12)
    }
    try await source.apply(models, section: { _ in 0 })
    batches = derived.updates().makeAsyncIterator()
    let first = try await next()
    try expect(first.snapshot.numberOfSections == groups, "all groups are shown")
  }

  private static func count(ofGroup group: Int, _ value: Int) -> Int { 1000 * group + value }

  /// A model with another value, in the same group.
  func changedModel() -> Model {
    let row = random.number(below: models.count)
    let (group, value) = models[row].count.quotientAndRemainder(dividingBy: 1000)
    // Never the same one: that would make no batch.
    models[row].count = Self.count(ofGroup: group, 1 + (value + random.number(below: 899)) % 900)
    return models[row]
  }

  /// A new model, in one of the groups or in one of its own.
  func insertedModel(inNewGroup isNew: Bool) -> Model {
    if isNew { groups += 1 } else { grown += 1 }
    var model = Model(id: UUID(), title: "row", count: 0)
    // In turn, as a group does not show more than twelve rows; a row that is not shown would make no batch.
    model.count = Self.count(
      ofGroup: isNew ? groups - 1 : grown * 2_711 % 6_400, 1 + random.number(below: 900))
    return model
  }

  func next() async throws -> ModelBatch<Int, Model> {
    guard let batch = await batches.next() else { throw WrongResult(expectation: "a batch") }
    return batch
  }
}
