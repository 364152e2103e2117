import Benchmark
import Foundation

// One function for each subject; nothing is allocated before a benchmark is run, because the
// benchmark tool registers all of them in a process of its own for each.
let benchmarks: @Sendable () -> Void = {
  refuseCheckedBuilds()
  Benchmark.defaultConfiguration = .standard
  registerSnapshotBenchmarks()
  registerApplyBenchmarks()
  registerDifferenceBenchmarks()
  registerUpdateBenchmarks()
  registerWriterBenchmarks()
  registerStreamBenchmarks()
  registerHostileBenchmarks()
  registerLayoutBenchmarks()
  registerOutlineBenchmarks()
  registerMergeBenchmarks()
  registerQueueBenchmarks()
  registerModelBenchmarks()
  registerDerivedBenchmarks()
  registerGroupBenchmarks()
  registerSearchFieldBenchmarks()
  registerCombinedBenchmarks()
  registerTreeQueryBenchmarks()
  registerPageBenchmarks()
  registerWireBenchmarks()
  registerProposalBenchmarks()
}

extension Benchmark.Configuration {
  /// The number of times a figure is taken, and how long that may last.
  ///
  /// The environment variable `BENCHMARK_MILLISECONDS` says how long a benchmark lasts, for a run
  /// that only shows that all of them work.
  static var standard: Benchmark.Configuration {
    Benchmark.Configuration(
      metrics: [.wallClock, .throughput], warmupIterations: 3, maxDuration: duration,
      maxIterations: 1_000)
  }

  private static var duration: Duration {
    let text = ProcessInfo.processInfo.environment["BENCHMARK_MILLISECONDS"]
    return .milliseconds(text.flatMap { Int($0) } ?? 2_000)
  }
}
