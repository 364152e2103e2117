import Benchmark
import Diffable
import DiffableQueries
import DiffableTesting
import Foundation

/// Lists that are made of two, of parts of elements, and values of all rows.
///
/// One model is set among 100,000, until the result is in hand. `derived/set/100000/base` is the same without any of
/// them. In a join each row is the only partner of another, so there are as many groups as rows: its cost must not grow
/// with their number, and is measured with fewer, too.
func registerCombinedBenchmarks() {
  let count = 100_000
  for count in [1_000, 10_000, count] { registerJoins(count) }
  register("parts", count) { list in
    list.source.flatMapped { [Part(id: 0, count: $0.count), Part(id: 1, count: 0)] }
  }
  // Half of the models are in both lists.
  let half = count / 2
  register("intersection", count, shared: half, rows: 0..<half) {
    $0.source.intersection($0.other)
  }
  register("subtraction", count, shared: half, rows: half..<count) {
    $0.source.subtracting($0.other)
  }
  registerTotal(count)
}

private func registerJoins(_ count: Int) {
  register("join/one", count, isOther: true) { list in
    list.source.joined(with: list.other, by: { list.name(of: $0) }) { left, right in
      Pair(id: left.id, left: left.count, right: right?.count ?? -1)
    }
  }
  register("join/many", count, isOther: true) { list in
    list.source.joined(withMany: list.other, by: { list.name(of: $0) }) { left, others in
      Pair(id: left.id, left: left.count, right: others.reduce(0) { $0 &+ $1.count })
    }
  }
  register("join/each", count, isOther: true) { list in
    list.source.joined(withEachOf: list.other, by: { list.name(of: $0) }, .inner)
  }
  register("join/outline", count, isOther: true) { list in
    list.source.outlined(withEachOf: list.other, by: { list.name(of: $0) })
  }
}

/// - Parameters:
///   - isOther: Whether models of the second list are set.
///   - shared: The number of models that the second list has.
///   - rows: The rows of the models that are set.
private func register<Result: ListSource>(
  _ name: String, _ count: Int, isOther: Bool = false, shared: Int? = nil, rows: Range<Int>? = nil,
  _ combine: @escaping @Sendable (Lists) -> Result
) {
  Benchmark("combined/\(name)/\(count)/ours/x10") { (benchmark, list: Combined<Result>) in
    let models = (0..<10).map { _ in list.counts.next() }
    let changed = isOther ? list.lists.other : list.lists.source
    benchmark.startMeasurement()
    for model in models {
      try await changed.setModel(model)
      blackHole(try await list.next())
    }
    benchmark.stopMeasurement()
  } setup: {
    let lists = try await Lists(count: count, shared: shared ?? count)
    return try await Combined(lists, rows: rows ?? 0..<count, combine(lists))
  }
}

private func registerTotal(_ count: Int) {
  Benchmark("combined/total/\(count)/ours/x10") { (benchmark, total: Total) in
    let models = (0..<10).map { _ in total.counts.next() }
    benchmark.startMeasurement()
    for model in models {
      try await total.lists.source.setModel(model)
      blackHole(try await total.next())
    }
    benchmark.stopMeasurement()
  } setup: {
    try await Total(Lists(count: count, shared: 0))
  }
}

private struct Part: Identifiable, Equatable {
  let id: Int
  let count: Int
}

private struct Pair: Identifiable, Equatable {
  let id: UUID
  let left: Int
  let right: Int
}

/// Two lists of models with the same identifiers; a model names a row of the other list by its count.
private struct Lists: Sendable {
  let source = ModelSource<Int, Model>()
  let other = ModelSource<Int, Model>()
  let ids: [UUID]

  /// - Parameter shared: The number of models that the second list has.
  init(count: Int, shared: Int) async throws {
    ids = .seeded(count, seed: 65)
    var models = [Model](ids: ids)
    for row in models.indices { models[row].count = row }
    try await source.apply(models, section: { _ in 0 })
    try await other.apply(Array(models.prefix(shared)), section: { _ in 0 })
  }

  func name(of model: Model) -> UUID { ids[model.count % ids.count] }
}

/// Models that get another count, one by one.
private struct Counts {
  private var models: [Model]
  private let rows: Range<Int>
  private var random = SplitMix64(seed: 64)

  init(_ lists: Lists, rows: Range<Int>) {
    models = [Model](ids: lists.ids)
    for row in models.indices { models[row].count = row }
    self.rows = rows
  }

  /// A model that names another row.
  mutating func next() -> Model {
    let row = rows.lowerBound + random.number(below: rows.count)
    models[row].count += 1 + random.number(below: models.count - 1)
    return models[row]
  }
}

/// What is made of two lists, and a subscriber that takes its batches in the task of the benchmark.
private final class Combined<Result: ListSource> {
  let lists: Lists
  var counts: Counts
  private let result: Result
  private var batches: AsyncStream<Result.Batch>.Iterator

  init(_ lists: Lists, rows: Range<Int>, _ result: Result) async throws {
    (self.lists, self.result) = (lists, result)
    counts = Counts(lists, rows: rows)
    batches = result.updates().makeAsyncIterator()
    let first = try await next()
    try expect(first.snapshot.numberOfItems > 0, "the first batch has rows")
  }

  func next() async throws -> Result.Batch {
    guard let batch = await batches.next() else { throw WrongResult(expectation: "a batch") }
    return batch
  }
}

/// The sum of all counts, and a reader of it.
private final class Total {
  let lists: Lists
  var counts: Counts
  private var values: ListTotal<Int>.Updates.Iterator

  init(_ lists: Lists) async throws {
    self.lists = lists
    counts = Counts(lists, rows: lists.ids.indices)
    values = lists.source.total(.sum(of: \.count)).updates().makeAsyncIterator()
    blackHole(try await next())
  }

  func next() async throws -> Int {
    guard let value = await values.next() else { throw WrongResult(expectation: "a value") }
    return value
  }
}
