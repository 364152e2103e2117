import Benchmark
import Diffable
import DiffableQueries
import DiffableTesting
import Foundation

/// A source of models seen through a query: one row changed, another query, and what nobody follows.
func registerDerivedBenchmarks() {
  for count in [1_000, 100_000, 1_000_000] {
    Benchmark("derived/set/\(count)/ours/x10") { (benchmark, list: DerivedList) in
      try await measureChanges(benchmark, list) { try await list.nextDerivedBatch() }
    } setup: {
      try await DerivedList(count: count)
    }
  }
  Benchmark("derived/set/100000/base/x10") { (benchmark, list: DerivedList) in
    try await measureChanges(benchmark, list) { try await list.nextBatch() }
  } setup: {
    try await DerivedList(count: 100_000, isFollowed: false)
  }
  for (name, derived) in [("ours", 100), ("alone", 0)] {
    Benchmark("derived/unfollowed/\(name)/x10") { (benchmark, list: DerivedList) in
      try await measureChanges(benchmark, list) { try await list.nextBatch() }
      try expect(list.unfollowed.count == derived, "they are held")
    } setup: {
      try await DerivedList(count: 100_000, isFollowed: false, unfollowed: derived)
    }
  }
  registerQueryBenchmarks()
}

/// Changes ten rows one by one, each until a batch is in hand.
private func measureChanges<Batch>(
  _ benchmark: Benchmark, _ list: DerivedList, until next: () async throws -> Batch
) async throws {
  let models = (0..<10).map { _ in list.changedModel() }
  benchmark.startMeasurement()
  for model in models {
    try await list.source.setModel(model)
    blackHole(try await next())
  }
  benchmark.stopMeasurement()
}

/// Another query over 100,000 models, and what arrays cost.
private func registerQueryBenchmarks() {
  let count = 100_000
  Benchmark("derived/filter/\(count)/ours") { (benchmark, list: QueriedList) in
    let number = list.round()
    benchmark.startMeasurement()
    try await list.derived.setQuery { $0.filter { $0.count % 100 == number } }
    let batch = try await list.next()
    benchmark.stopMeasurement()
    try expect(batch.snapshot.numberOfItems == 1_000, "a hundredth is kept")
  } setup: {
    try await QueriedList(count: count) { $0.filter { $0.count % 100 == 0 } }
  }
  Benchmark("derived/filter/\(count)/array") { (benchmark, list: QueriedList) in
    let number = list.round()
    benchmark.startMeasurement()
    let kept = list.models.filter { $0.count % 100 == number }
    benchmark.stopMeasurement()
    try expect(kept.count == 1_000, "a hundredth is kept")
  } setup: {
    try await QueriedList(count: count) { $0 }
  }
  Benchmark("derived/sort/\(count)/ours") { (benchmark, list: QueriedList) in
    let number = list.round()
    benchmark.startMeasurement()
    try await list.derived.setQuery { query in
      query.sorted { $0.rank(number) < $1.rank(number) }
    }
    blackHole(try await list.next())
    benchmark.stopMeasurement()
  } setup: {
    try await QueriedList(count: count) { query in query.sorted { $0.rank(0) < $1.rank(0) } }
  }
  Benchmark("derived/sort/\(count)/array") { (benchmark, list: QueriedList) in
    let number = list.round()
    benchmark.startMeasurement()
    blackHole(list.models.sorted { $0.rank(number) < $1.rank(number) })
    benchmark.stopMeasurement()
  } setup: {
    try await QueriedList(count: count) { $0 }
  }
  // A filter goes and comes after an order that is kept, or one that is not.
  for (name, id) in [("ours", 0), ("anew", nil as Int?)] {
    Benchmark("derived/toggle/\(count)/\(name)") { (benchmark, list: QueriedList) in
      let isOn = list.round() % 2 == 1
      benchmark.startMeasurement()
      try await list.derived.setQuery { query in
        query.sorted(id: id) { $0.rank(1) < $1.rank(1) }
          .filter { !isOn || $0.count % 4 == 0 }
      }
      blackHole(try await list.next())
      benchmark.stopMeasurement()
    } setup: {
      try await QueriedList(count: count) { query in
        query.sorted(id: id) { $0.rank(1) < $1.rank(1) }.filter { _ in true }
      }
    }
  }
  registerSearchBenchmarks(count)
}

/// The next key of a search: what contains a longer text.
private func registerSearchBenchmarks(_ count: Int) {
  let texts = ["row 1", "row 12", "row 123", "row 1234"]
  Benchmark("derived/search/\(count)/ours") { (benchmark, list: QueriedList) in
    let text = texts[list.round() % texts.count]
    benchmark.startMeasurement()
    try await list.derived.setQuery { query in query.filter { $0.title.contains(text) } }
    blackHole(try await list.next())
    benchmark.stopMeasurement()
  } setup: {
    try await QueriedList(count: count) { query in query.filter { $0.title.contains(texts[0]) } }
  }
  Benchmark("derived/search/\(count)/array") { (benchmark, list: QueriedList) in
    let text = texts[list.round() % texts.count]
    benchmark.startMeasurement()
    blackHole(list.models.filter { $0.title.contains(text) })
    benchmark.stopMeasurement()
  } setup: {
    try await QueriedList(count: count) { $0 }
  }
}

extension Model {
  /// A number by which models are in another order for each round.
  fileprivate func rank(_ round: Int) -> Int { (count &+ round) &* 0x1E37_79B9_7F4A_7C15 }
}

/// A source of models with a list derived of it: filtered, sorted and grouped.
private final class DerivedList {
  let source = ModelSource<Int, Model>()
  private let derived: DerivedSource<ModelBatch<Int, Model>, ModelBatch<Int, Model>>
  private var models: [Model]
  private var random = SplitMix64(seed: 61)
  /// Derived sources that nobody follows.
  let unfollowed: [DerivedSource<ModelBatch<Int, Model>, ModelBatch<Int, Model>>]
  private var batches: AsyncStream<ModelBatch<Int, Model>>.Iterator?
  private var derivedBatches: AsyncStream<ModelBatch<Int, Model>>.Iterator?

  /// - Parameter isFollowed: Whether the derived list is followed, or the source itself.
  init(count: Int, isFollowed: Bool = true, unfollowed: Int = 0) async throws {
    models = [Model](ids: .seeded(count, seed: 62))
    for row in models.indices { models[row].count = row }
    derived = source.derived { query in
      query.filter { $0.count >= 0 }.sorted { $0.count < $1.count }
        .grouped(by: { $0.count & 15 }, order: <)
    }
    self.unfollowed = (0..<unfollowed).map { [source] number in
      source.derived { $0.filter { $0.count % 100 == number } }
    }
    try await source.apply(models, section: { _ in 0 })
    guard isFollowed else {
      batches = source.updates().makeAsyncIterator()
      blackHole(try await nextBatch())
      return
    }
    derivedBatches = derived.updates().makeAsyncIterator()
    let batch = try await nextDerivedBatch()
    try expect(batch.snapshot.numberOfItems == count, "the first batch has all items")
  }

  /// A model with another count: it goes to another place, in another section.
  func changedModel() -> Model {
    let row = random.number(below: models.count)
    models[row].count += 1 + random.number(below: models.count)
    return models[row]
  }

  func nextBatch() async throws -> ModelBatch<Int, Model> {
    guard let batch = await batches?.next() else { throw WrongResult(expectation: "a batch") }
    return batch
  }

  func nextDerivedBatch() async throws -> ModelBatch<Int, Model> {
    guard let batch = await derivedBatches?.next() else {
      throw WrongResult(expectation: "a batch")
    }
    return batch
  }
}

/// A source of models with a list derived of it whose query is replaced.
private final class QueriedList {
  typealias Query = ListQuery<ModelBatch<Int, Model>, ModelBatch<Int, Model>>

  let models: [Model]
  let derived: DerivedSource<ModelBatch<Int, Model>, ModelBatch<Int, Model>>
  private let source = ModelSource<Int, Model>()
  private var batches: AsyncStream<ModelBatch<Int, Model>>.Iterator
  private var rounds = 0

  init(count: Int, _ query: (Query) -> Query) async throws {
    var models = [Model](ids: .seeded(count, seed: 63))
    for row in models.indices { models[row].count = row }
    self.models = models
    derived = source.derived(query)
    try await source.apply(models, section: { _ in 0 })
    batches = derived.updates().makeAsyncIterator()
    blackHole(try await next())
  }

  /// A number that grows with each round.
  func round() -> Int {
    rounds += 1
    return rounds % 100
  }

  func next() async throws -> ModelBatch<Int, Model> {
    guard let batch = await batches.next() else { throw WrongResult(expectation: "a batch") }
    return batch
  }
}
