import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One server, or three that agree with each other, on this machine.
public final class Cluster: Sendable {
  /// The servers.
  public let servers: [Server]
  /// The addresses of all servers.
  public var urls: [String] { servers.map(\.url) }

  private let folder: URL

  private init(size: Int, settings: String, storage: String) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cluster-\(UUID().uuidString)")
    let ports = try Ports.free(size * 3)
    let routes = (0..<size).map { "\"nats://127.0.0.1:\(ports[size * 2 + $0])\"" }
    servers = try (0..<size).map { [folder] index in
      let cluster = """
        cluster { name: test, listen: "127.0.0.1:\(ports[size * 2 + index])",
          routes: [\(routes.joined(separator: ", "))] }
        """
      return try Server(
        name: "s\(index)", port: ports[index], monitoringPort: ports[size + index],
        cluster: size > 1 ? cluster : "", folder: folder.appendingPathComponent("s\(index)"),
        settings: settings, storage: storage)
    }
  }

  /// Runs a function with servers that are ready, and ends them afterwards.
  ///
  /// - Parameters:
  ///   - size: The number of servers.
  ///   - settings: Lines for the configuration of each.
  ///   - storage: The limits of what each may store.
  public static func with<Result>(
    size: Int = 1, settings: String = "", storage: String = "",
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Cluster) async throws -> Result
  ) async throws -> Result {
    let cluster = try Cluster(size: size, settings: settings, storage: storage)
    do {
      for server in cluster.servers { try server.start() }
      try await cluster.waitUntilReady()
      let result = try await body(cluster)
      await cluster.end()
      return result
    } catch {
      for server in cluster.servers { print(server.log) }
      await cluster.end()
      throw error
    }
  }

  private func end() async {
    for server in servers { await server.kill() }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Waits until all servers know each other, and have a leader.
  public func waitUntilReady() async throws {
    try await eventually("the servers are ready") {
      for server in self.servers {
        guard try await server.isHealthy() else { return false }
      }
      guard self.servers.count > 1 else { return true }
      for server in self.servers {
        let meta = try await server.report("jsz").meta_cluster
        if meta?.leader == server.name, let replicas = meta?.replicas,
          replicas.count == self.servers.count - 1, replicas.allSatisfy(\.current)
        {
          return true
        }
      }
      return false
    }
  }

  /// The server that leads a stream.
  public func leader(ofStream stream: String) async throws -> Server {
    try await eventually("the stream \(stream) has a leader") {
      for server in self.servers {
        let accounts = try? await server.report("jsz?streams=true").account_details
        let details = (accounts ?? []).flatMap { $0.stream_detail ?? [] }
        let leader = details.first { $0.name == stream }?.cluster?.leader
        if let found = self.servers.first(where: { $0.name == leader }) { return found }
      }
      return nil
    }
  }
}

/// Waits until a server says something, since there is nothing that tells of it.
public func eventually<Result>(
  _ what: String, within limit: Duration = .seconds(60),
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result?
) async throws -> Result {
  let end = ContinuousClock.now + limit
  var failure: (any Error)?
  while true {
    do {
      if let result = try await body() { return result }
    } catch { failure = error }
    guard ContinuousClock.now < end else { break }
    try await Task.sleep(for: .milliseconds(20))
  }
  throw ServerError(
    "It never happened that \(what). \(failure.map { "\($0)" } ?? "")")
}

/// Waits until a server says that something holds.
public func eventually(
  _ what: String, within limit: Duration = .seconds(60),
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Bool
) async throws {
  try await eventually(what, within: limit) { try await body() ? () : nil }
}
