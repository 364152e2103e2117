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
  /// A log on three servers keeps the contract of logs, also when its leader is killed.
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

    /// Writers append as many entries as they can; meanwhile the leader of the stream is killed, and
    /// started again, several times.
    @Test func `Killing the leader loses nothing that was acknowledged`() async throws {
      try await Cluster.with(size: 3) { cluster in
        let (writers, each) = (4, 150)
        _ = try await log(cluster).epoch()
        let acknowledged = try await withThrowingTaskGroup(of: [Int: LogEntry].self) { group in
          for writer in 0..<writers {
            group.addTask {
              let log = try log(cluster)
              var (made, revision) = ([Int: LogEntry](), 0)
              for number in 0..<each {
                let entry = LogContract.entry("writer \(writer), number \(number)")
                revision = try await LogContract.appendAtTheEnd(entry, to: log, from: revision)
                made[revision] = entry
              }
              return made
            }
          }
          let reader = try log(cluster)
          for round in 1...3 {
            _ = try await LogContract.reader(reader, reaches: round * writers * each / 5)
            let leader = try await cluster.leader(ofStream: "list")
            await leader.kill()
            _ = try await cluster.leader(ofStream: "list")
            try leader.start()
            try await cluster.waitUntilReady()
          }
          var all: [Int: LogEntry] = [:]
          for try await made in group {
            all.merge(made) { _, _ in
              Issue.record("Two writers have made one revision.")
              return LogContract.entry("")
            }
          }
          return all
        }
        let expected = (1...writers * each).compactMap { acknowledged[$0] }
        #expect(expected.count == writers * each)
        let found = try await LogContract.read(try log(cluster), count: writers * each)
        #expect(found == expected)
      }
    }
  }
}

extension LogContract {
  /// Reads until a revision, and asks again when servers do not answer.
  static func reader(_ log: any RevisionLog, reaches revision: Int) async throws -> Int {
    var last = 0
    while last < revision {
      let answer = try await ifAnswered { try await log.entries(after: Revision(last)) }
      guard let page = answer else { continue }
      guard case .entries(let entries, let base) = page else { break }
      last = base.number + entries.count
    }
    return last
  }
}
