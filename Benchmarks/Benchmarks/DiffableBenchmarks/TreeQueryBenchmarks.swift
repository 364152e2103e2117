import Benchmark
import Diffable
import DiffableQueries
import DiffableTesting
import Foundation

/// A search in a tree of 100,000 rows, and a row that changes below it.
///
/// The tree has a hundred folders with 999 files each, and all folders are collapsed.
func registerTreeQueryBenchmarks() {
  let count = 100_000
  Benchmark("tree/search/\(count)/ours") { (benchmark, tree: SearchedTree) in
    let number = tree.round()
    benchmark.startMeasurement()
    try await tree.derived.setQuery { query in query.searched { $0.count % 100 == number } }
    let batch = try await tree.nextDerivedBatch()
    benchmark.stopMeasurement()
    try expect(batch.snapshot.numberOfItems >= 1_000, "a hundredth is found, and the folders")
  } setup: {
    try await SearchedTree(count: count)
  }
  Benchmark("tree/search/\(count)/array") { (benchmark, tree: SearchedTree) in
    let number = tree.round()
    benchmark.startMeasurement()
    let kept = tree.models.filter { $0.count % 100 == number }
    benchmark.stopMeasurement()
    try expect(kept.count == 1_000, "a hundredth is kept")
  } setup: {
    try await SearchedTree(count: count)
  }
  registerTitleSearchBenchmarks(count)
  for (name, isSearched) in [("ours", true), ("base", false)] {
    Benchmark("tree/set/\(count)/\(name)/x10") { (benchmark, tree: SearchedTree) in
      let models = (0..<10).map { _ in tree.changedModel() }
      benchmark.startMeasurement()
      for model in models {
        try await tree.source.setModel(model)
        blackHole(
          isSearched ? try await tree.nextDerivedBatch() : try await tree.nextBatch())
      }
      benchmark.stopMeasurement()
    } setup: {
      try await SearchedTree(count: count, isSearched: isSearched)
    }
  }
  registerLogBenchmarks(1_000_000)
}

/// The next key of a search: what contains a longer text, and the folders around it.
///
/// That is what a user does. Looking at a number takes a nanosecond, so the search for numbers measures
/// what is done beside looking.
private func registerTitleSearchBenchmarks(_ count: Int) {
  let texts = ["row 1", "row 12", "row 123", "row 1234"]
  Benchmark("tree/search-title/\(count)/ours") { (benchmark, tree: SearchedTree) in
    let text = texts[tree.round() % texts.count]
    benchmark.startMeasurement()
    try await tree.derived.setQuery { query in query.searched { $0.title.contains(text) } }
    let batch = try await tree.nextDerivedBatch()
    benchmark.stopMeasurement()
    try expect(batch.snapshot.numberOfItems >= 11, "rows are found, and their folders")
  } setup: {
    try await SearchedTree(count: count)
  }
  Benchmark("tree/search-title/\(count)/array") { (benchmark, tree: SearchedTree) in
    let text = texts[tree.round() % texts.count]
    benchmark.startMeasurement()
    let kept = tree.models.filter { $0.title.contains(text) }
    benchmark.stopMeasurement()
    try expect(kept.count >= 11, "rows are found")
  } setup: {
    try await SearchedTree(count: count)
  }
}

/// A thousand lines appended to a log with a bound.
private func registerLogBenchmarks(_ count: Int) {
  Benchmark("log/append/\(count)/ours") { (benchmark, log: BoundedLog) in
    let lines = log.nextLines()
    benchmark.startMeasurement()
    try await log.source.appendItems(lines, keepingLast: count)
    benchmark.stopMeasurement()
    try expect(await log.source.snapshot.numberOfItems == count, "as many went as came")
  } setup: {
    try await BoundedLog(count: count, isSource: true)
  }
  Benchmark("log/append/\(count)/array") { (benchmark, log: BoundedLog) in
    let lines = log.nextLines()
    benchmark.startMeasurement()
    log.lines.append(contentsOf: lines)
    log.lines.removeFirst(lines.count)
    benchmark.stopMeasurement()
    try expect(log.lines.count == count, "as many went as came")
  } setup: {
    try await BoundedLog(count: count, isSource: false)
  }
}

/// A log of models, as a source or as an array.
private final class BoundedLog {
  let source = ModelSource<SingleSection, Model>()
  var lines: [Model] = []
  private var rounds: UInt64 = 73

  init(count: Int, isSource: Bool) async throws {
    lines = [Model](ids: .seeded(count, seed: rounds))
    if isSource {
      try await source.apply(lines)
      lines = []
    }
  }

  func nextLines() -> [Model] {
    rounds += 1
    return [Model](ids: .seeded(1_000, seed: rounds))
  }
}

/// A source with an outline of models, with a search of it or without.
private final class SearchedTree {
  typealias Query = ListQuery<ModelBatch<Int, Model>, ModelBatch<Int, Model>>

  let models: [Model]
  let source = ModelSource<Int, Model>()
  let derived: DerivedSource<ModelBatch<Int, Model>, ModelBatch<Int, Model>>
  private var changed: [Model]
  private var random = SplitMix64(seed: 71)
  private var batches: AsyncStream<ModelBatch<Int, Model>>.Iterator?
  private var derivedBatches: AsyncStream<ModelBatch<Int, Model>>.Iterator?
  private var rounds = 0

  init(count: Int, isSearched: Bool = true) async throws {
    var models = [Model](ids: .seeded(count, seed: 72))
    for row in models.indices { models[row].count = row }
    (self.models, changed) = (models, models)
    derived = source.derived { query in query.searched { $0.count % 100 == 0 } }
    var outline = Outline<UUID>()
    for start in stride(from: 0, to: count, by: 1_000) {
      try outline.append([models[start].id])
      try outline.append(models[start + 1..<start + 1_000].map(\.id), to: models[start].id)
    }
    var order = Snapshot<Int, UUID>()
    order.appendSections([0])
    try order.setOutline(outline, forSection: 0)
    try await source.apply(order, models: models)
    if isSearched {
      derivedBatches = derived.updates().makeAsyncIterator()
      blackHole(try await nextDerivedBatch())
    } else {
      batches = source.updates().makeAsyncIterator()
      blackHole(try await nextBatch())
    }
  }

  /// A number that is another one each time.
  func round() -> Int {
    rounds += 1
    return rounds % 100
  }

  /// The model of a file that is found before and after its change.
  func changedModel() -> Model {
    let row = 100 * random.number(below: changed.count / 100)
    changed[row].count += 100
    return changed[row]
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
