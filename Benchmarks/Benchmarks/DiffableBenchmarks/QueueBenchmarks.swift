import Benchmark
import Diffable
import DiffableTesting
import Foundation

/// Lists that are handed over without waiting, faster than the source applies them.
///
/// Measured is the time until the last one is live; nearly all others are replaced before that.
func registerQueueBenchmarks() {
  for count in [1_000, 100_000] {
    Benchmark("enqueue/\(count)/ours/x100") {
      (benchmark, state: (lists: [[UUID]], source: DataSourceActor<Int, UUID>)) in
      let (lists, source) = state
      let snapshots = try (0..<100).map { try Snapshot<Int, UUID>(items: lists[$0 % 2]) }
      benchmark.startMeasurement()
      var last: Ticket?
      for snapshot in snapshots { last = source.enqueue(snapshot) }
      let outcome = await last?.outcome
      benchmark.stopMeasurement()
      let revision = await source.revision
      try expect(
        outcome == .unchanged || outcome == .applied(revision), "the last one counts")
      let live = await source.snapshot
      try expect(
        live.itemIdentifier(for: ItemPath(section: 0, item: 0)) == lists[1][0], "it is live")
    } setup: {
      let items = [UUID].seeded(count, seed: 41)
      let rotated = Array(items[1...] + items[..<1])
      return ([items, rotated], try DataSourceActor(Snapshot(items: items)))
    }
  }
}
