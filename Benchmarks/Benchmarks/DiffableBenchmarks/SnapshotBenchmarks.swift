import Benchmark
import Diffable
import Foundation

func registerSnapshotBenchmarks() {
  for count in [1_000, 1_000_000] {
    Benchmark("snapshot/take/\(count)/ours/x1000") { benchmark, state in
      benchmark.startMeasurement()
      for _ in 0..<1_000 { blackHole(await state.source.snapshot) }
      benchmark.stopMeasurement()
      try expect(await state.source.snapshot.numberOfItems == count, "all items are there")
    } setup: {
      try await Followed([UUID].seeded(count, seed: 1))
    }

    Benchmark("snapshot/copy/\(count)/ours/x1000") {
      (benchmark, snapshot: Snapshot<Int, UUID>) in
      var copies: [Snapshot<Int, UUID>] = []
      copies.reserveCapacity(1_000)
      benchmark.startMeasurement()
      for _ in 0..<1_000 { copies.append(snapshot) }
      benchmark.stopMeasurement()
      try expect(copies.last?.numberOfItems == count, "all items are there")
    } setup: {
      try Snapshot(items: [UUID].seeded(count, seed: 1))
    }

    Benchmark("snapshot/build/\(count)/ours/x1000") { (benchmark, items: [UUID]) in
      var built: [Snapshot<Int, UUID>] = []
      built.reserveCapacity(1_000)
      benchmark.startMeasurement()
      for _ in 0..<1_000 { built.append(try Snapshot(items: items)) }
      benchmark.stopMeasurement()
      try expect(built.last?.numberOfItems == count, "all items are there")
    } setup: {
      [UUID].seeded(count, seed: 1)
    }
  }
  registerActorCall()
}

private actor Counter {
  private var count = 0
  func increment() -> Int {
    count += 1
    return count
  }
}

/// What every call of a data source costs at the very least.
private func registerActorCall() {
  Benchmark("snapshot/call/0/actor/x1000") { (benchmark, counter: Counter) in
    benchmark.startMeasurement()
    for _ in 0..<1_000 { blackHole(await counter.increment()) }
    benchmark.stopMeasurement()
  } setup: {
    Counter()
  }
}
