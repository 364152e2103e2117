import Diffable
import DiffableNATS
import DiffableSync
import DiffableTesting
import Foundation
import Servers
import SharedNumbers

/// Participants that write one list on three servers, while servers and operators do their worst.
struct Chaos {
  let cluster: Cluster
  let record = ChaosRecord()
  let end: ContinuousClock.Instant
  /// Whether all servers are started again if they do not become ready by themselves.
  let restartsServers: Bool

  /// What is done to the servers, one at a time.
  enum Disturbance: CaseIterable {
    /// A server is killed and started again.
    case kill
    /// A server ends in order and is started again.
    case stop
    /// A server does not run for some time.
    case pause
    /// An operator deletes all entries.
    case purge
    /// Somebody publishes what is no entry.
    case foreign
    /// A server is killed, and another one while the first one starts.
    case killTwo
    /// Somebody else fills the storage of all servers, for some time.
    case fullDisk
  }

  static var options: ReplicationOptions {
    var options = ReplicationOptions()
    options.revisionsPerState = 100
    options.revisionsKept = 200
    options.timeLimit = .seconds(20)
    options.checkInterval = .seconds(1)
    return options
  }

  func log() throws -> NATSRevisionLog {
    var options = NATSRevisionLog.Options()
    options.replicas = 3
    return try NATSRevisionLog(urls: cluster.urls, name: "list", options: options)
  }

  /// Opens the list, however long that takes.
  func open() async throws -> SharedNumbers {
    try await eventually("the list can be opened", within: .seconds(90)) {
      try await SharedNumbers.open(self.log(), Self.options) { self.record.report($0) }
    }
  }

  /// How many writes must be made before the list is judged, however slow the machine is.
  static let enoughWrites = 20

  /// Writes until the end, or until enough is written, and opens the list again if the log has lost
  /// entries of it.
  ///
  /// - Returns: The list that it has at the end.
  func write(_ writer: Int) async throws -> SharedNumbers {
    var list = try await open()
    var following = Task { [list] in await record.follow(list) }
    var number = writer * 1_000_000
    while ContinuousClock.now < end || record.count(.made) < Self.enoughWrites {
      number += 1
      do {
        try await list.add(number)
        record.record(number, .made)
      } catch ReplicationError.unknownFate {
        record.record(number, .unknown)
      } catch {
        record.record(number, .notMade)
        // A list that the log refuses for some time goes on by itself.
        if case ReplicationError.forked = error {
          await list.finish()
          await following.value
          list = try await open()
          following = Task { [list] in await record.follow(list) }
        }
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    following.cancel()
    return list
  }

  /// Disturbs the servers until the end, one after another.
  func disturb(_ seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    while ContinuousClock.now < end {
      guard let next = Disturbance.allCases.randomElement(using: &random),
        let server = cluster.servers.randomElement(using: &random),
        let other = cluster.servers.first(where: { $0 !== server })
      else { return }
      let time = Duration.milliseconds(Int.random(in: 100...2_000, using: &random))
      switch next {
      case .kill:
        await server.kill()
        try await Task.sleep(for: time)
        try server.start()
      case .stop:
        await server.stop()
        try await Task.sleep(for: time)
        try server.start()
      case .pause:
        try await server.freeze()
        try await Task.sleep(for: time)
        server.thaw()
      case .purge:
        _ = try? RawClient.request("$JS.API.STREAM.PURGE.list", to: server)
      case .foreign:
        try? RawClient.publish("no entry", to: "list.log.entry", of: server)
      case .killTwo:
        await server.kill()
        try server.start()
        await other.kill()
        try await Task.sleep(for: time)
        try other.start()
      case .fullDisk:
        fillStorage(of: server)
        try await Task.sleep(for: time)
        _ = try? RawClient.request("$JS.API.STREAM.DELETE.filler", to: server)
      }
      do {
        try await recover()
      } catch {
        throw ServerError("After \(next), seed \(seed): \(error)")
      }
      try await Task.sleep(for: time / 2)
    }
  }

  /// Waits until the servers are ready again.
  private func recover() async throws {
    do {
      try await cluster.waitUntilReady()
    } catch {
      guard restartsServers else { throw error }
      // Old servers can wait for each other for ever; an operator starts them again then.
      for server in cluster.servers { await server.kill() }
      for server in cluster.servers { try server.start() }
      try await cluster.waitUntilReady()
    }
  }
}

extension Chaos {
  /// What each server may store: more than the list ever takes, and soon filled.
  static let storage = "max_file_store: 24MB"

  /// Publishes to a stream of its own until the servers take no more.
  private func fillStorage(of server: Server) {
    let settings = #"{"name":"filler","subjects":["filler"],"num_replicas":3}"#
    _ = try? RawClient.request("$JS.API.STREAM.CREATE.filler", settings, to: server)
    let megabyte = String(repeating: "x", count: 1_000_000)
    for _ in 0..<40 {
      guard let answer = try? RawClient.request("filler", megabyte, to: server),
        !answer.contains("error")
      else { return }
    }
  }
}
