import Diffable
import DiffableNATS
import DiffableSync
import Servers
import SharedNumbers
import Testing

/// Somebody puts back an older copy of what a server has stored.
@Suite(.timeLimit(.minutes(3)))
struct OlderStoreTests {
  @Test func `Who only follows notices`() async throws {
    try await Cluster.with { cluster in
      let server = cluster.servers[0]
      let (told, reports) = AsyncStream.makeStream(of: (any Error).self)
      func open(_ failure: @escaping @Sendable (any Error) -> Void) async throws -> SharedNumbers {
        let log = try NATSRevisionLog(urls: cluster.urls, name: "list", options: .patient)
        return try await SharedNumbers.open(log, ReplicationOptions(), failure: failure)
      }
      let writer = try await open { _ in }
      let follower = try await open { reports.yield($0) }
      for number in 0..<3 { try await writer.add(number) }
      await server.stop()
      try server.save()
      try server.start()
      try await writer.add(3)
      let revision = await writer.revision
      try await follower.reached(revision)
      await server.stop()
      try server.restore()
      try server.start()
      for await error in told {
        if case ReplicationError.log(.rejected(let reason)) = error {
          #expect(reason.contains("older"))
          break
        }
      }
      guard case .log(.rejected)? = await follower.failure else {
        Issue.record("The source does not say so.")
        return
      }
      #expect(await follower.revision == revision)
      // Opened again, it goes on from the copy.
      let again = try await open { _ in }
      #expect(await again.revision == Revision(3))
    }
  }
}
