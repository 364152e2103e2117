import Benchmark
import CHeapStatistics
import Diffable
import DiffableTesting
import Foundation

private let heap = BenchmarkMetric.custom("heap bytes", useScalingFactor: false)

/// What the heap holds, as the allocator counts it.
func registerMemoryBenchmarks() {
  let count = 1_000_000

  Benchmark("memory/live/\(count)/ours", configuration: .custom(heap, iterations: 1)) { benchmark in
    let before = Int(heap_bytes_in_use())
    let list = try await Followed([UUID].seeded(count, seed: 41))
    benchmark.measurement(heap, Int(heap_bytes_in_use()) - before)
    try expect(await list.source.snapshot.numberOfItems == count, "all items are there")
  }

  Benchmark("memory/live/\(count)/dictionary", configuration: .custom(heap, iterations: 1)) {
    benchmark in
    let before = Int(heap_bytes_in_use())
    let items = [UUID].seeded(count, seed: 41)
    var positions: [UUID: Int] = [:]
    for (position, item) in items.enumerated() { positions[item] = position }
    benchmark.measurement(heap, Int(heap_bytes_in_use()) - before)
    try expect(positions.count == items.count, "identifiers are unique")
  }

  Benchmark("memory/churned/\(count)/ours", configuration: .custom(heap, iterations: 1)) {
    benchmark in
    let before = Int(heap_bytes_in_use())
    let list = try await Followed([UUID].seeded(count, seed: 41))
    try await churn(list, edits: count)
    benchmark.measurement(heap, Int(heap_bytes_in_use()) - before)
    try expect(await list.source.snapshot.numberOfItems == count, "all items are there")
  }
}

/// Replaces items by new ones at other places, a hundred in an update, and leaves behind a history
/// of the last few edits as every source does.
private func churn(_ list: Followed<UUID>, edits: Int) async throws {
  var random = SplitMix64(seed: 42)
  var items = [UUID].seeded(edits, seed: 41)
  for _ in 0..<edits / 100 {
    var gone: [UUID] = []
    var arrivals: [UUID] = []
    for _ in 0..<100 {
      let place = random.number(below: items.count)
      let arrival = UUID(&random)
      gone.append(items[place])
      arrivals.append(arrival)
      items[place] = arrival
    }
    let _: Revision = try await list.source.update { snapshot in
      for (item, arrival) in zip(gone, arrivals) {
        try snapshot.insertItems([arrival], afterItem: item)
        snapshot.deleteItems([item])
      }
    }
    blackHole(try await list.nextBatch())
  }
}
