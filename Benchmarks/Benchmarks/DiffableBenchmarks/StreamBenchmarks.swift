import Benchmark
import Diffable
import DiffableTesting
import Foundation

/// What a subscriber pays that has fallen behind, and what the difference of two revisions costs.
func registerStreamBenchmarks() {
  for count in [1_000, 100_000, 1_000_000] {
    for edits in [1, 10, 100, 1_000] {
      registerConflatedBatch(count: count, edits: edits)
    }
    for edits in [1, 10] {
      registerDifference(count: count, edits: edits)
    }
  }
}

private func registerConflatedBatch(count: Int, edits: Int) {
  Benchmark("stream/conflated-\(edits)/\(count)/ours") { (benchmark, list: MovedList) in
    try await list.move(edits)
    benchmark.startMeasurement()
    let batch = try await list.followed.nextBatch()
    benchmark.stopMeasurement()
    try expect(batch.snapshot.numberOfItems == count, "all items are there")
    try expect(
      (1...edits).contains(batch.difference.changeCount), "what was moved has moved, and no more")
    try expect(await batch.target == list.followed.source.revision, "the batch is up to date")
  } setup: {
    try await MovedList(count: count)
  }
}

private func registerDifference(count: Int, edits: Int) {
  Benchmark("stream/difference-\(edits)/\(count)/ours") { (benchmark, list: MovedList) in
    // The source remembers the difference of neighbours, and each that was found: the pair is
    // always new, and never one of neighbours.
    let base = await list.followed.source.revision
    try await list.detour()
    try await list.move(edits)
    let target = await list.followed.source.revision
    benchmark.startMeasurement()
    let difference = await list.followed.source.difference(from: base, to: target)
    benchmark.stopMeasurement()
    let changes = difference?.itemMoves.count ?? -1
    try expect((1...edits).contains(changes), "what was moved has moved")
  } setup: {
    try await MovedList(count: count)
  }
}

/// A list whose items are moved about, with a subscriber that does not take every batch.
private final class MovedList {
  let followed: Followed<UUID>
  private let items: [UUID]
  private var random = SplitMix64(seed: 31)

  init(count: Int) async throws {
    items = .seeded(count, seed: 32)
    followed = try await Followed(items)
  }

  /// Moves items, one revision each.
  func move(_ edits: Int) async throws {
    for _ in 0..<edits {
      // Neighbours may change nothing, and a revision is wanted: try again.
      let before = await followed.source.revision
      var reached = before
      while reached == before {
        let item = items[random.number(below: items.count)]
        let anchor = items[random.number(below: items.count)]
        reached = try await followed.source.update { try $0.moveItem(item, beforeItem: anchor) }
          .revision
      }
    }
  }

  /// Makes two revisions that change nothing between them.
  func detour() async throws {
    let visitor = UUID(&random)
    try await followed.source.update { try $0.appendItems([visitor]) }
    try await followed.source.update { $0.deleteItems([visitor]) }
  }
}
