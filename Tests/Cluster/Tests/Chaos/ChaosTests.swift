import Diffable
import DiffableNATS
import DiffableSync
import Foundation
import Servers
import SharedNumbers
import Testing

/// How long servers are disturbed.
private let seconds = number("CHAOS_SECONDS") ?? 15

private func number(_ name: String) -> UInt64? {
  ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
}

extension OnThreeServers {
  /// Nothing is lost, doubled or different, whatever happens to the servers.
  ///
  /// `CHAOS_SECONDS` says how long, and `CHAOS_SEED` what happens. `CHAOS_SERVER_LOSES` is set for a
  /// server that loses entries which it has acknowledged. The list cannot bring them back then, but somebody
  /// must be told.
  @Suite(.timeLimit(.minutes(20 + seconds / 60)), .serialized)
  struct ChaosTests {
    @Test func `Nothing is lost, doubled or different, whatever happens to the servers`()
      async throws
    {
      let seed = number("CHAOS_SEED") ?? UInt64.random(in: 0..<1_000_000)
      let mayLose = number("CHAOS_SERVER_LOSES") != nil
      try await Cluster.with(size: 3, storage: Chaos.storage) { cluster in
        let chaos = Chaos(
          cluster: cluster, end: .now + .seconds(Int(seconds)), restartsServers: mayLose)
        let record = chaos.record
        let lists = try await withThrowingTaskGroup(of: SharedNumbers?.self) { group in
          for writer in 1...4 { group.addTask { try await chaos.write(writer) } }
          group.addTask {
            try await chaos.disturb(seed)
            return nil
          }
          return try await group.reduce(into: [SharedNumbers]()) {
            if let list = $1 { $0.append(list) }
          }
        }

        // One more write shows everybody where the log is.
        let new = try await chaos.open()
        let last = try await eventually("the list can be written", within: .seconds(60)) {
          try await new.update { try $0.appendItems([-1], toSection: "Numbers") }.revision
        }
        let numbers = await new.snapshot.itemIdentifiers
        var stopped = 0
        for list in lists {
          do {
            try await list.reached(last)
            #expect(await list.snapshot.itemIdentifiers == numbers, "seed \(seed)")
            #expect(list.token(for: last) == new.token(for: last), "seed \(seed)")
          } catch ReplicationError.forked {
            stopped += 1
          } catch ReplicationError.log(.rejected) {
            stopped += 1
          }
        }

        let (lost, doubled, unasked) = record.check(numbers)
        print(
          "chaos, seed \(seed): \(record.count(.made)) made, \(record.count(.notMade)) not made, "
            + "\(record.count(.unknown)) unknown, \(lost.count) lost, \(record.forks) stopped")
        #expect(record.ambiguousTokens.isEmpty, "seed \(seed)")
        let warnings = record.reports.contains { "\($0)".contains("has version") }
        if mayLose {
          #expect(warnings, "seed \(seed)")
          // An entry that comes late can take the place of one that the server has lost.
          let isRight = lost.isEmpty && doubled.isEmpty && unasked.isEmpty
          #expect(
            isRight || record.isLossReported,
            "in silence: lost \(lost), doubled \(doubled), unasked \(unasked), seed \(seed)")
        } else {
          #expect(!warnings && stopped == 0, "\(record.reports), seed \(seed)")
          #expect(lost.isEmpty, "\(lost), seed \(seed)")
          #expect(doubled.isEmpty && unasked.isEmpty, "\(doubled) \(unasked), seed \(seed)")
        }
        for list in lists + [new] { await list.finish() }
      }
    }
  }
}
