import Foundation
import Synchronization

/// A process of `nats-server`, which ends with this process at the latest.
///
/// The environment variable `NATS_SERVER` names another program than the one that is installed.
public final class Server: Sendable {
  /// The name in the cluster.
  public let name: String
  /// The address for clients.
  public var url: String { "nats://127.0.0.1:\(port)" }

  let port: Int
  let monitoringPort: Int
  private let folder: URL
  private let process = Mutex<Running?>(nil)

  /// A process and what tells of its end.
  private struct Running {
    /// Of `nats-server`.
    var id: Int32
    /// Of a shell that kills the server when nobody has the other end of its input any more.
    var guardian: Int32
    var input: Pipe
    var ended: AsyncStream<Never>
  }

  /// Writes the configuration, without starting.
  init(
    name: String, port: Int, monitoringPort: Int, cluster: String, folder: URL, settings: String,
    storage: String
  ) throws {
    (self.name, self.port, self.monitoringPort) = (name, port, monitoringPort)
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = """
      server_name: \(name)
      listen: "127.0.0.1:\(port)"
      http: "127.0.0.1:\(monitoringPort)"
      log_file: "\(folder.path)/log.txt"
      jetstream { store_dir: "\(folder.path)/store", \(storage) }
      \(cluster)
      \(settings)
      """
    try Data(text.utf8).write(to: folder.appendingPathComponent("server.conf"))
  }

  /// Starts the process, and does not wait until the server can be asked.
  public func start() throws {
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let program = ProcessInfo.processInfo.environment["NATS_SERVER"] ?? "nats-server"
    server.arguments = [program, "-c", folder.appendingPathComponent("server.conf").path]
    server.standardInput = FileHandle.nullDevice
    // A server that panics writes there, and not into its log.
    let errors = folder.appendingPathComponent("errors.txt")
    try Data().write(to: errors)
    server.standardError = try FileHandle(forWritingTo: errors)
    let (ended, continuation) = AsyncStream.makeStream(of: Never.self)
    server.terminationHandler = { _ in continuation.finish() }
    try server.run()

    // It gets end of file when this process ends, however it ends.
    let (guardian, input) = (Process(), Pipe())
    guardian.executableURL = URL(fileURLWithPath: "/bin/sh")
    guardian.arguments = ["-c", "read -r _; kill -9 $0", "\(server.processIdentifier)"]
    guardian.standardInput = input
    guardian.standardError = FileHandle.nullDevice
    try guardian.run()
    process.withLock {
      $0 = Running(
        id: server.processIdentifier, guardian: guardian.processIdentifier, input: input,
        ended: ended)
    }
  }

  /// Kills the process, and waits until it has ended.
  public func kill() async { await end(SIGKILL) }

  /// Lets the process end in order, and waits until it has.
  public func stop() async { await end(SIGTERM) }

  private func end(_ last: Int32) async {
    guard let running = process.withLock({ $0.take() }) else { return }
    signal(last, running.id)
    signal(SIGCONT, running.id)
    for await _ in running.ended {}
    signal(SIGKILL, running.guardian)
  }

  /// Stops the process without ending it: connections stay, and nobody answers.
  ///
  /// Waits until it has stopped, since the system may let it run a little longer.
  public func freeze() async throws {
    guard let id = process.withLock({ $0?.id }) else { return }
    signal(SIGSTOP, id)
    try await eventually("\(name) has stopped") {
      let state = try String(
        contentsOf: URL(fileURLWithPath: "/proc/\(id)/status"), encoding: .utf8)
      return state.contains("State:\tT")
    }
  }

  /// Lets a frozen process go on.
  public func thaw() {
    if let id = process.withLock({ $0?.id }) { signal(SIGCONT, id) }
  }

  /// Copies what the server has stored while it does not run, as a backup does.
  public func save() throws { try copy("store", to: "saved") }

  /// Puts the last copy back while the server does not run.
  public func restore() throws { try copy("saved", to: "store") }

  private func copy(_ old: String, to new: String) throws {
    let (old, new) = (folder.appendingPathComponent(old), folder.appendingPathComponent(new))
    try? FileManager.default.removeItem(at: new)
    try FileManager.default.copyItem(at: old, to: new)
  }

  private func signal(_ signal: Int32, _ id: Int32) {
    _ = Foundation.kill(id, signal)
  }

  /// What the server has logged, and written before it has crashed.
  public var log: String {
    ["log.txt", "errors.txt"].map { name in
      let file = folder.appendingPathComponent(name)
      return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }
    .joined()
  }
}

/// What went wrong with servers.
public struct ServerError: Error, CustomStringConvertible {
  /// A sentence for people.
  public let description: String

  /// Creates an error.
  public init(_ description: String) {
    self.description = description
  }
}
