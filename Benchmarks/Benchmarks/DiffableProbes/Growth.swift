import Diffable
import DiffableTesting
import Foundation

/// The worst single update while a large list grows by a third, against the median.
///
/// Processor time, since the worst time on the wall is that of an update which the machine
/// interrupted.
func probeGrowth() async throws {
  let count = 1_000_000
  var (medians, worst, ratios): ([Double], [Double], [Double]) = ([], [], [])
  for repetition in 0..<3 {
    var random = SplitMix64(seed: UInt64(510 + repetition))
    let items = [UUID].seeded(count, seed: 52)
    let list = try await Followed(items)
    var times: [Double] = []
    for _ in 0..<count / 3 {
      let (arrival, anchor) = (UUID(&random), items[random.number(below: count)])
      let start = processorTime()
      try await list.source.update {
        try $0.insertItems([arrival], afterItem: anchor)
      }
      _ = try await list.nextBatch()
      times.append(processorTime() - start)
    }
    guard let median = times.median, let longest = times.max() else { continue }
    medians.append(median)
    worst.append(longest)
    ratios.append(longest / median)
  }
  try Figure(name: "growth/median/\(count)/ours", unit: .seconds, values: medians).print()
  try Figure(name: "growth/worst/\(count)/ours", unit: .seconds, values: worst).print()
  try Figure(name: "growth/worst-to-median/\(count)/ours", unit: .times, values: ratios).print()
}
