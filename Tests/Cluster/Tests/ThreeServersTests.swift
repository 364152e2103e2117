import Diffable
import DiffableNATS
import DiffableSync
import DiffableTesting
import Servers
import SharedNumbers
import Testing

/// Suites with three servers each run one after another: together they would be too busy to lead.
@Suite(.serialized) enum OnThreeServers {}

extension OnThreeServers {
  /// A log on three servers keeps the contract of logs; `FourProcessesTests` kill its leader.
  @Suite(.timeLimit(.minutes(10)), .serialized)
  struct ThreeServersTests {
    private func log(_ cluster: Cluster) throws -> NATSRevisionLog {
      var options = NATSRevisionLog.Options.patient
      options.replicas = 3
      return try NATSRevisionLog(urls: cluster.urls, name: "list", options: options)
    }

    @Test func `Participants agree, one of them makes each revision, and states are kept`()
      async throws
    {
      try await Cluster.with(size: 3) { cluster in
        let make: @Sendable () throws -> any RevisionLog = { try log(cluster) }
        try await RevisionLogLaw.epoch.check(make)
        var scope = RevisionLogLaw.Scope()
        scope.revisions = 50
        try await RevisionLogLaw.order.check(in: scope, make)
        let state = LogContract.state(50, bytes: 1_500_000)
        try await make().store(state, droppingEntriesThrough: Revision(40))
        #expect(try await make().newestState() == state)
        #expect(try await make().entries(after: .empty) == .cut)
      }
    }

    /// None of them starves, and none gives up.
    @Test func `Sixteen participants that write all the time take turns`() async throws {
      try await Cluster.with(size: 3) { cluster in
        let (writers, total) = (16, 1_600)
        var lists: [SharedNumbers] = []
        for _ in 0..<writers {
          lists.append(try await SharedNumbers.open(try log(cluster), ReplicationOptions()))
        }
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
          for (writer, list) in lists.enumerated() {
            group.addTask {
              var count = 0
              while await list.revision < Revision(total) {
                try await list.add(writer * 1_000_000 + count)
                count += 1
              }
              return count
            }
          }
          return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        print("turns of \(writers): \(counts.sorted())")
        #expect(counts.allSatisfy { $0 > total / writers / 20 }, "\(counts)")
      }
    }
  }
}
