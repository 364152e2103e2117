import Benchmark
import Diffable
import DiffableTesting
import Foundation

/// One small edit of the live state at a time, each batch taken before the next edit.
///
/// What a hundred edits have changed is undone outside the measured part, so that the size is that
/// of the name.
func registerUpdateBenchmarks() {
  for count in [1_000, 10_000, 100_000, 1_000_000] {
    registerEdits("", [UUID].self, count)
  }
  for count in [1_000, 100_000, 1_000_000] {
    registerEdits("-int", [Int].self, count)
    registerEdits("-string", [String].self, count)
  }
  registerCall()
  registerManyEdits()
}

/// The call alone, by a task that is on no actor, where nobody follows.
private func registerCall() {
  let count = 1_000
  Benchmark("update/call/\(count)/ours/x100") {
    (benchmark, state: (items: [UUID], source: DataSourceActor<Int, UUID>)) in
    let (items, source) = state
    var random = SplitMix64(seed: 13)
    let pairs = (0..<100).map { _ in (UUID(&random), items[random.number(below: count)]) }
    benchmark.startMeasurement()
    for (arrival, anchor) in pairs {
      let revision = try await source.update {
        try $0.insertItems([arrival], afterItem: anchor)
      }.revision
      blackHole(revision)
    }
    benchmark.stopMeasurement()
    let grown = await source.snapshot.numberOfItems
    try expect(grown == count + 100, "each call has inserted an item")
    let arrivals = pairs.map(\.0)
    try await source.update { $0.deleteItems(arrivals) }
  } setup: {
    let items = [UUID].seeded(count, seed: 12)
    return (items, try DataSourceActor(Snapshot(items: items)))
  }
}

/// Ten thousand edits in one update, each beside an anchor of its own.
private func registerManyEdits() {
  let (count, edits) = (100_000, 10_000)
  Benchmark("update/insert-10000-int/\(count)/ours") { (benchmark, list: EditedList<Int>) in
    let anchors = list.draw(edits)
    let arrivals = list.arrivals(edits)
    benchmark.startMeasurement()
    let batch = try await list.edit {
      for (arrival, anchor) in zip(arrivals, anchors) {
        try $0.insertItems([arrival], afterItem: anchor)
      }
    }
    benchmark.stopMeasurement()
    try expect(batch?.difference.itemInserts.count == edits, "all of them have come")
    let back = try await list.edit { $0.deleteItems(arrivals) }
    try expect(back?.snapshot.numberOfItems == count, "the old size is back")
  } setup: {
    try await EditedList<Int>(count: count)
  }

  Benchmark("update/insert-10000-int/\(count)/dictionary") { (benchmark, items: [Int]) in
    var positions = [Int: Int](minimumCapacity: count + edits)
    for (position, item) in items[..<count].enumerated() { positions[item] = position }
    benchmark.startMeasurement()
    for (position, item) in items[count...].enumerated() { positions[item] = position }
    benchmark.stopMeasurement()
    try expect(positions.count == count + edits, "all of them have come")
  } setup: {
    [Int].seeded(count + edits, seed: 12)
  }
}

private func registerEdits<ID: SeededIdentifier>(
  _ suffix: String, _ type: [ID].Type, _ count: Int
) {
  Benchmark("update/insert\(suffix)/\(count)/ours/x100") { (benchmark, list: EditedList<ID>) in
    let anchors = list.draw(100)
    let arrivals = list.arrivals(100)
    benchmark.startMeasurement()
    for (arrival, anchor) in zip(arrivals, anchors) {
      let batch = try await list.edit { try $0.insertItems([arrival], afterItem: anchor) }
      blackHole(batch)
    }
    benchmark.stopMeasurement()
    let batch = try await list.edit { $0.deleteItems(arrivals) }
    try expect(batch?.snapshot.numberOfItems == count, "the old size is back")
  } setup: {
    try await EditedList<ID>(count: count)
  }

  Benchmark("update/delete\(suffix)/\(count)/ours/x100") { (benchmark, list: EditedList<ID>) in
    let arrivals = list.arrivals(100)
    let anchors = list.draw(100)
    _ = try await list.edit {
      for (arrival, anchor) in zip(arrivals, anchors) {
        try $0.insertItems([arrival], afterItem: anchor)
      }
    }
    benchmark.startMeasurement()
    for arrival in arrivals {
      let batch = try await list.edit { $0.deleteItems([arrival]) }
      blackHole(batch)
    }
    benchmark.stopMeasurement()
    let size = await list.followed.source.snapshot.numberOfItems
    try expect(size == count, "the old size is back")
  } setup: {
    try await EditedList<ID>(count: count)
  }

  Benchmark("update/move\(suffix)/\(count)/ours/x100") { (benchmark, list: EditedList<ID>) in
    let pairs = Array(zip(list.draw(100), list.draw(100)))
    var last: UpdateBatch<Int, ID>?
    benchmark.startMeasurement()
    for (item, anchor) in pairs {
      last = try await list.edit { try $0.moveItem(item, beforeItem: anchor) } ?? last
    }
    benchmark.stopMeasurement()
    try expect(last?.snapshot.numberOfItems == count, "the size stays the same")
  } setup: {
    try await EditedList<ID>(count: count)
  }
}

/// A list that is edited at random places.
private final class EditedList<ID: SeededIdentifier> {
  let followed: Followed<ID>
  private let items: [ID]
  private var random = SplitMix64(seed: 11)
  private var revision = Revision.empty

  init(count: Int) async throws {
    items = .seeded(count, seed: 12)
    followed = try await Followed(items)
  }

  /// Some of the items, at random.
  func draw(_ count: Int) -> [ID] {
    (0..<count).map { _ in items[random.number(below: items.count)] }
  }

  /// Items that the list has never had.
  func arrivals(_ count: Int) -> [ID] {
    (0..<count).map { _ in ID(&random) }
  }

  /// Edits the live state and takes the batch, if anything has changed: an item may be drawn that
  /// stands where it is to go.
  func edit(
    _ edit: sending (inout Snapshot<Int, ID>) throws -> Void
  ) async throws -> UpdateBatch<Int, ID>? {
    let reached = try await followed.source.update(edit).revision
    guard reached != revision else { return nil }
    revision = reached
    return try await followed.nextBatch()
  }
}
