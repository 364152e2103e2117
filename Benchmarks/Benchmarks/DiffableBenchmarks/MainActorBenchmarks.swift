import Benchmark
import Diffable
import Foundation

private let stall = BenchmarkMetric.custom("longest stall in ns", useScalingFactor: false)

/// The longest wait of the main actor, which ticks every millisecond while others apply snapshots.
///
/// In the control run the same snapshots are applied, but the main actor follows nothing.
func registerMainActorBenchmarks() {
  let count = 1_000_000
  for isFollowing in [true, false] {
    let name = "main-actor/stall/\(count)/\(isFollowing ? "ours" : "control")"
    Benchmark(name, configuration: .custom(stall, iterations: 5)) {
      (benchmark, workload: Workload<String>) in
      let source = try DataSourceActor(Snapshot<Int, String>(items: workload.old))
      let ticks = Task { @MainActor in await longestStall(ticks: 1_000) }
      let follower = Task { @MainActor in
        guard isFollowing else { return 0 }
        var shown: UpdateBatch<Int, String>?
        for await batch in source.updates() { shown = batch }
        return shown?.snapshot.numberOfItems ?? 0
      }
      let writer = Task.detached {
        var lists = [workload.new, workload.old]
        while !Task.isCancelled {
          try await source.apply(Snapshot(items: lists[0].remapped()))
          lists.swapAt(0, 1)
        }
      }
      benchmark.measurement(stall, Int((await ticks.value) / .nanoseconds(1)))
      writer.cancel()
      _ = await writer.result
      await source.finish()
      let shown = await follower.value
      try expect(!isFollowing || shown >= count, "the main actor has followed")
    } setup: {
      Workload<String>.insertOne(count: count)
    }
  }
}

/// How much longer than a millisecond a tick has taken at most.
@MainActor
private func longestStall(ticks: Int) async -> Duration {
  let clock = ContinuousClock()
  var longest = Duration.zero
  for _ in 0..<ticks {
    let start = clock.now
    try? await Task.sleep(for: .milliseconds(1), tolerance: .zero)
    longest = max(longest, clock.now - start - .milliseconds(1))
  }
  return longest
}
