import Diffable
import DiffableNATS
import DiffableSync
import DiffableTesting
import Servers
import Testing

extension NATSRevisionLog.Options {
  /// For tests that are not about time, on machines that do other things, too.
  static var patient: NATSRevisionLog.Options {
    var options = NATSRevisionLog.Options()
    options.timeout = .seconds(20)
    return options
  }
}

/// A log on one server keeps the laws of logs.
@Suite(.timeLimit(.minutes(5)))
struct NATSRevisionLogTests {
  private func check(
    _ law: RevisionLogLaw, _ scope: RevisionLogLaw.Scope, settings: String = ""
  ) async throws {
    try await Cluster.with(settings: settings) { cluster in
      let urls = cluster.urls
      try await law.check(in: scope) {
        try NATSRevisionLog(urls: urls, name: "list", options: .patient)
      }
    }
  }

  @Test(arguments: RevisionLogLaw.allCases)
  func `The laws of logs`(law: RevisionLogLaw) async throws {
    var scope = RevisionLogLaw.Scope()
    scope.writers = 6
    scope.revisions = law == .pages ? 2000 : 100
    scope.states = [0, 1, 5_000_000, 1 << 19, 70_000]
    try await check(law, scope)
  }

  @Test func `States may be larger than messages are allowed to be`() async throws {
    var scope = RevisionLogLaw.Scope()
    scope.states = [300_000, 1024]
    try await check(.states, scope, settings: "max_payload: 2KB")
  }

  @Test func `A cancelled task appends nothing`() async throws {
    try await Cluster.with { cluster in
      let log = try NATSRevisionLog(urls: cluster.urls, name: "list", options: .patient)
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await log.append(LogContract.entry("late"), after: .empty)
      }
      await #expect(throws: RevisionLogError.self) { try await late.value }
    }
  }
}
