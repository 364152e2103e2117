import Benchmark
import Diffable
import DiffableTesting
import Foundation

/// Writers that share a source, each with one `update` at a time; together they always make as
/// many.
func registerWriterBenchmarks() {
  let count = 100_000
  let updates = 6_400
  for writers in [1, 64] {
    Benchmark("writers/\(writers)/\(count)/ours/x\(updates)") {
      (benchmark, state: (items: [UUID], source: DataSourceActor<Int, UUID>)) in
      let (items, source) = state
      let before = await source.revision
      benchmark.startMeasurement()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<writers {
          group.addTask {
            var random = SplitMix64(seed: UInt64(before.number + writer))
            for _ in 0..<updates / writers {
              let item = items[random.number(below: count)]
              let anchor = items[random.number(below: count)]
              try await source.update {
                try $0.moveItem(item, beforeItem: anchor)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      benchmark.stopMeasurement()
      let made = await source.revision.number - before.number
      try expect(
        (updates - 10...updates).contains(made),
        "nearly every move moves something (\(made) of \(updates))")
    } setup: {
      let items = [UUID].seeded(count, seed: 21)
      return (items, try DataSourceActor(Snapshot(items: items)))
    }
  }
}
