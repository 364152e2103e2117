import Benchmark
import Diffable
import DiffableTesting
import Foundation

/// Two snapshots of arrays that no source has, as a program has them that follows nothing.
///
/// `ours` has never seen either; in `known` the older one was compared before, as it is where each
/// difference starts from the snapshot that the last one led to. `lists` compares the arrays themselves.
func registerDifferenceBenchmarks() {
  compareValues("recipe/5000") {
    Workload<UUID>.recipe(
      count: 5_000, deleting: 2_000..<3_000, inserting: 3_000..<4_000, shuffling: 0..<200)
  }
  compareValues("recipe/100000") {
    Workload<UUID>.recipe(
      count: 100_000, deleting: 20_000..<30_000, inserting: 30_000..<40_000, shuffling: 0..<2_000)
  }
  compareValues("shuffled/100000") { Workload<UUID>.shuffled(count: 100_000) }
  compareValues("reversed/100000") { Workload<UUID>.reversed(count: 100_000) }
  compareValues("disjoint/100000") { Workload<UUID>.disjoint(count: 100_000) }
  for count in [1_000, 100_000] {
    compareValues("insert-one/\(count)") { Workload<UUID>.insertOne(count: count) }
  }
}

private func compareValues<ID: SeededIdentifier>(
  _ name: String, _ make: @escaping () -> Workload<ID>
) {
  Benchmark("difference/\(name)/ours") { (benchmark, workload: Workload<ID>) in
    let old = try Snapshot(items: workload.old.remapped())
    let new = try Snapshot(items: workload.new.remapped())
    benchmark.startMeasurement()
    let difference = try new.difference(from: old)
    benchmark.stopMeasurement()
    try expect(!difference.isEmpty, "something has changed")
  } setup: {
    make()
  }

  Benchmark("difference/\(name)/known") { (benchmark, workload: Workload<ID>) in
    let before = try Snapshot(items: workload.new.remapped())
    let old = try Snapshot(items: workload.old.remapped())
    try expect(!(try old.difference(from: before)).isEmpty, "something has changed")
    let new = try Snapshot(items: workload.new.remapped())
    benchmark.startMeasurement()
    let difference = try new.difference(from: old)
    benchmark.stopMeasurement()
    try expect(!difference.isEmpty, "something has changed")
  } setup: {
    make()
  }

  Benchmark("difference/\(name)/lists") { (benchmark, workload: Workload<ID>) in
    let (old, new) = (workload.old.remapped(), workload.new.remapped())
    benchmark.startMeasurement()
    let difference = try SnapshotDifference(from: old, to: new)
    benchmark.stopMeasurement()
    try expect(!difference.isEmpty, "something has changed")
  } setup: {
    make()
  }
}
