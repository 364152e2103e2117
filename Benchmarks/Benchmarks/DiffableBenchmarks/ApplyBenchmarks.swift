import Benchmark
import Diffable
import DiffableTesting
import Foundation

/// Fresh snapshots, as an app makes them of its model: from the array to the batch in a
/// subscriber's hands.
func registerApplyBenchmarks() {
  compare("recipe/5000", stdlib: true) {
    Workload<UUID>.recipe(
      count: 5_000, deleting: 2_000..<3_000, inserting: 3_000..<4_000, shuffling: 0..<200)
  }
  // The standard library's difference takes minutes here.
  compare("recipe/100000") {
    Workload<UUID>.recipe(
      count: 100_000, deleting: 20_000..<30_000, inserting: 30_000..<40_000, shuffling: 0..<2_000)
  }
  compare("scattered/5000") {
    Workload<UUID>.scattered(count: 5_000, deleted: 1_000, inserted: 1_000, moved: 200)
  }
  compare("scattered/100000") {
    Workload<UUID>.scattered(count: 100_000, deleted: 10_000, inserted: 10_000, moved: 2_000)
  }
  compare("shuffled/100000") { Workload<UUID>.shuffled(count: 100_000) }
  compare("reversed/100000") { Workload<UUID>.reversed(count: 100_000) }
  compare("disjoint/100000") { Workload<UUID>.disjoint(count: 100_000) }
  for count in [1_000, 10_000, 100_000, 1_000_000] {
    compare("insert-one/\(count)", stdlib: true) { Workload<UUID>.insertOne(count: count) }
  }
  registerFirstApply(count: 100_000)
  compareSections(count: 100_000, items: 1)
  compareSections(count: 100_000, items: 10)
  compare("insert-one-int/100000") { Workload<Int>.insertOne(count: 100_000) }
  compare("insert-one-string/100000") { Workload<String>.insertOne(count: 100_000) }
}

/// Registers the first apply to a source that has been filled, which has nothing to go by that an earlier
/// one has left.
private func registerFirstApply(count: Int) {
  Benchmark("apply/first-insert-one/\(count)/ours") { (benchmark, workload: Workload<UUID>) in
    let list = try await Followed(workload.old.remapped())
    let items = workload.new.remapped()
    benchmark.startMeasurement()
    let batch = try await list.applyFresh(items)
    benchmark.stopMeasurement()
    try expect(batch.snapshot.numberOfItems == count + 1, "the batch leads to the new list")
    try expect(batch.difference.itemInserts.count == 1, "one item has come")
  } setup: {
    Workload<UUID>.insertOne(count: count)
  }
}

/// Registers a list of many sections, of which one gets one more item, for us and the dictionary.
private func compareSections(count: Int, items: Int) {
  let name = "apply/sections-\(count)-of-\(items)/\(count * items)"

  Benchmark("\(name)/ours") { (benchmark, state: (ids: [UUID], source: SectionedSource)) in
    let (ids, source) = state
    let arrival = source.nextArrival()
    benchmark.startMeasurement()
    let batch = try await source.apply(ids, perSection: items, arrival: arrival)
    benchmark.stopMeasurement()
    try expect(batch.snapshot.numberOfItems == ids.count + 1, "one item more than the list")
    try expect(batch.difference.itemInserts.count == 1, "one item has come")
  } setup: {
    let ids = [UUID].seeded(count * items, seed: 14)
    return (ids, try await SectionedSource(ids, perSection: items))
  }

  Benchmark("\(name)/dictionary") { (benchmark, ids: [UUID]) in
    var found = 0
    benchmark.startMeasurement()
    var positions = [UUID: Int](minimumCapacity: ids.count)
    for (position, id) in ids.enumerated() { positions[id] = position }
    for id in ids where positions[id] != nil { found += 1 }
    benchmark.stopMeasurement()
    try expect(found == ids.count, "every identifier is found")
  } setup: {
    [UUID].seeded(count * items, seed: 14)
  }
}

/// A source of a list in many sections, with a subscriber that takes its batches.
private final class SectionedSource {
  private let source: DataSourceActor<Int, UUID>
  private var batches: AsyncStream<UpdateBatch<Int, UUID>>.Iterator
  private var random = SplitMix64(seed: 15)

  init(_ ids: [UUID], perSection: Int) async throws {
    source = try DataSourceActor(Snapshot())
    batches = source.updates().makeAsyncIterator()
    _ = try await apply(ids, perSection: perSection, arrival: nil)
  }

  /// An item that the list has never had.
  func nextArrival() -> UUID { UUID(&random) }

  /// Applies a snapshot that is made of arrays, the arrival in the section in the middle, and takes
  /// the batch.
  func apply(
    _ ids: [UUID], perSection: Int, arrival: UUID?
  ) async throws -> UpdateBatch<Int, UUID> {
    let count = ids.count / perSection
    var snapshot = Snapshot<Int, UUID>()
    snapshot.appendSections(0..<count)
    for section in 0..<count {
      var items = Array(ids[section * perSection..<(section + 1) * perSection])
      if let arrival, section == count / 2 { items.append(arrival) }
      try snapshot.appendItems(items, toSection: section)
    }
    try await source.apply(snapshot)
    var iterator = batches
    guard let batch = await iterator.next() else { throw WrongResult(expectation: "a batch") }
    batches = iterator
    return batch
  }
}

/// Registers one workload for us and for what we compare ourselves with.
private func compare<ID: SeededIdentifier>(
  _ name: String, stdlib: Bool = false, _ make: @escaping () -> Workload<ID>
) {
  compareWithDictionary("apply/\(name)", make)

  Benchmark("apply/\(name)/hashing") { (benchmark, workload: Workload<ID>) in
    var mixed = 0
    benchmark.startMeasurement()
    for id in workload.new { mixed ^= id.hashValue }
    benchmark.stopMeasurement()
    blackHole(mixed)
  } setup: {
    make()
  }

  Benchmark("apply/\(name)/textbook") { (benchmark, workload: Workload<ID>) in
    benchmark.startMeasurement()
    let differ = Textbook(from: workload.old, to: workload.new)
    benchmark.stopMeasurement()
    blackHole(differ)
    try expect(
      workload.old.count - differ.deletes.count + differ.inserts.count == workload.new.count,
      "counts add up")
  } setup: {
    make()
  }

  guard stdlib else { return }
  Benchmark("apply/\(name)/stdlib") { (benchmark, workload: Workload<ID>) in
    benchmark.startMeasurement()
    let difference = workload.new.difference(from: workload.old)
    benchmark.stopMeasurement()
    try expect(!difference.isEmpty, "something has changed")
  } setup: {
    make()
  }
}

/// Registers one workload for us and for a dictionary.
func compareWithDictionary<ID: SeededIdentifier>(
  _ name: String, _ make: @escaping () -> Workload<ID>
) {
  Benchmark("\(name)/ours") { (benchmark, state: (Workload<ID>, Followed<ID>)) in
    let (workload, list) = state
    // Each run begins with the waking of a thread. That comes before what is measured.
    let back = try await list.applyFresh(workload.old.remapped())
    try expect(back.snapshot.numberOfItems == workload.old.count, "the old list is back")
    let items = workload.new.remapped()
    benchmark.startMeasurement()
    let batch = try await list.applyFresh(items)
    benchmark.stopMeasurement()
    try expect(batch.snapshot.numberOfItems == items.count, "the batch leads to the new list")
    try expect(!batch.difference.isEmpty, "something has changed")
  } setup: {
    let workload = make()
    return (workload, try await Followed(workload.new))
  }

  Benchmark("\(name)/dictionary") { (benchmark, workload: Workload<ID>) in
    var found = 0
    benchmark.startMeasurement()
    var positions = [ID: Int](minimumCapacity: workload.old.count)
    for (position, id) in workload.old.enumerated() { positions[id] = position }
    for id in workload.new where positions[id] != nil { found += 1 }
    benchmark.stopMeasurement()
    blackHole(found)
    try expect(positions.count == workload.old.count, "identifiers are unique")
  } setup: {
    make()
  }
}
