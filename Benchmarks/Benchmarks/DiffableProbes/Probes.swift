import Foundation

/// Measures what the benchmark tool cannot: memory, single worst cases, a main actor that is not the
/// tool's own, and what one task starts and another ends.
///
/// Called with the name of a probe, it runs it; else it lists their names.
@main enum Probes {
  private static let all: [(name: String, run: @Sendable () async throws -> Void)] = [
    ("memory-baseline", MemoryProbe.baseline),
    ("memory-live", MemoryProbe.live),
    ("memory-models-baseline", MemoryProbe.modelBaseline),
    ("memory-models", MemoryProbe.models),
    ("memory-churned", MemoryProbe.churned),
    ("memory-dropped", MemoryProbe.dropped),
    ("growth", probeGrowth),
    ("stall", probeStalls),
    ("main-actor", { try await probeMainActor() }),
    ("delivery", probeDelivery),
    ("wire", probeWire),
    ("followers", probeFollowers),
    ("appends", probeSharedAppends),
    ("specialisation", { try await probeSpecialisation(of: "separate") }),
  ]

  static func main() {
    refuseCheckedBuilds()
    guard let name = CommandLine.arguments.dropFirst().first,
      let probe = all.first(where: { $0.name == name })
    else {
      // Each in a process of its own, so that none finds what another has left.
      print(all.map(\.name).joined(separator: "\n"))
      return
    }
    // Only beside a run loop does the main actor run on the main thread, whose clock a probe reads.
    Task.detached {
      do {
        try await probe.run()
        exit(0)
      } catch {
        FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
        exit(1)
      }
    }
    RunLoop.main.run()
  }
}
