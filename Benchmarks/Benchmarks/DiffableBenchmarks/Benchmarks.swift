import Benchmark
import Foundation

// One function for each subject; nothing is allocated before a benchmark is run, because the
// benchmark tool registers all of them in a process of its own for each.
let benchmarks: @Sendable () -> Void = {
  refuseCheckedBuilds()
  Benchmark.defaultConfiguration = .standard
  registerSnapshotBenchmarks()
  registerApplyBenchmarks()
  registerUpdateBenchmarks()
  registerWriterBenchmarks()
  registerStreamBenchmarks()
  registerMemoryBenchmarks()
  registerLayoutBenchmarks()
}

/// Ends the program, loudly, where its figures would say nothing.
private func refuseCheckedBuilds() {
  #if InternalChecks
  let complaint = "the library was built with InternalChecks: every edit checks every invariant"
  #elseif DEBUG
  let complaint = "this is a debug build"
  #else
  let complaint: String? = nil
  #endif
  guard let complaint = complaint as String? else { return }
  let line = String(repeating: "!", count: 80)
  FileHandle.standardError.write(
    Data("\(line)\nNothing is measured: \(complaint).\n\(line)\n".utf8))
  exit(1)
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

  /// A figure that the benchmark takes itself, once or a few times.
  static func custom(_ metric: BenchmarkMetric, iterations: Int) -> Benchmark.Configuration {
    // The export of the benchmark tool leaves out what has no throughput.
    Benchmark.Configuration(
      metrics: [metric, .throughput], warmupIterations: 0, maxDuration: .seconds(60),
      maxIterations: iterations)
  }

  private static var duration: Duration {
    let text = ProcessInfo.processInfo.environment["BENCHMARK_MILLISECONDS"]
    return .milliseconds(text.flatMap { Int($0) } ?? 2_000)
  }
}

/// What was computed is not what had to be.
struct WrongResult: Error {
  let expectation: String
}

/// Makes a benchmark fail whose result is wrong: a figure for it would mean nothing.
func expect(_ condition: Bool, _ expectation: String) throws {
  guard condition else {
    // The benchmark tool says so, too, but not where the program is run without it.
    FileHandle.standardError.write(Data("Wrong result: not true that \(expectation)\n".utf8))
    throw WrongResult(expectation: expectation)
  }
}
