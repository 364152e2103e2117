import Diffable
import Foundation
import Testing

@testable import WebLists

/// What those see who run the server.
@Suite("The port for those who run the server", .timeLimit(.minutes(5))) struct OperationsTests {
  private let source = RowSource()

  /// Runs a server and what watches it.
  private func watching(
    _ change: (inout WebServer.Options) -> Void = { _ in },
    _ body: (_ address: URL, _ watch: URL) async throws -> Void
  ) async throws {
    try await source.fill(20)
    var options = WebServer.Options.forTests()
    change(&options)
    let server = WebServer([.rows(source)], options)
    try await running({ server.watch(port: 0, running: $0) }) { watch in
      // Nobody can connect yet.
      for method in ["GET", "HEAD"] {
        let reply = try await HTTPReply.to(watch.appending(path: "health"), method: method)
        #expect(reply.status == 503)
      }
      try await running({ server.application(running: $0) }) { address in
        try await body(address, watch)
      }
    }
  }

  /// The numbers of a server by their names, labels included.
  private func numbers(_ watch: URL) async throws -> [String: Double] {
    let reply = try await HTTPReply.to(watch.appending(path: "metrics"))
    #expect(reply.status == 200)
    #expect(reply.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
    return try Self.read(reply.text)
  }

  /// Reads the text format as strictly as it is described.
  private static func read(_ text: String) throws -> [String: Double] {
    #expect(text.hasSuffix("\n"))
    var numbers: [String: Double] = [:]
    var (helped, typed): (Substring?, Substring?)
    for line in text.split(separator: "\n") {
      if let match = line.wholeMatch(of: /# HELP ([a-z_]+) .+/) {
        helped = match.1
      } else if let match = line.wholeMatch(of: /# TYPE ([a-z_]+) (gauge|counter)/) {
        // Names say whether they only go up.
        #expect(match.1 == helped && match.1.hasSuffix("_total") == (match.2 == "counter"))
        #expect(match.1 != typed)
        typed = match.1
      } else {
        let match = try #require(
          line.wholeMatch(
            of: /([a-z_]+)(\{(?:[a-z]+="(?:[^"\\]|\\[\\"n])*",?)+\})? ([0-9.e+-]+)/), "\(line)")
        #expect(match.1 == typed)
        let key = String(match.1 + (match.2 ?? ""))
        #expect(numbers.updateValue(try #require(Double(match.3)), forKey: key) == nil)
      }
    }
    return numbers
  }

  @Test("says that the server is well, and counts what it does")
  func counting() async throws {
    try await watching { address, watch in
      #expect(try await HTTPReply.to(watch.appending(path: "health")).text == "ok\n")
      let before = try await numbers(watch)
      #expect(before["lists_streams{list=\"rows\"}"] == 0)
      #expect(before["lists_connections_limit"] == 256 && before["lists_views_limit"] == 64)
      let refused = try address.plain("/")
      for _ in 0..<3 { #expect(try await HTTPReply.to(refused).status == 401) }
      let cookie = try await address.cookie()
      let url = try address.plain("/lists/rows?page=a")
      _ = try await HTTPReply.to(url, headers: cookie) { reply in
        guard reply.text.contains("\ndata:") else { return true }
        let now = try await numbers(watch)
        #expect(now["lists_streams{list=\"rows\"}"] == 1)
        #expect(now["lists_views"] == 1)
        #expect(now["lists_connections"] ?? 0 >= 1)
        #expect(now["lists_responses_total{status=\"401\"}"] == 3)
        #expect(now["lists_responses_total{status=\"303\"}"] == 1)
        #expect(now["lists_responses_total{status=\"200\"}"] == 1)
        let taken = try #require(now["lists_stream_bytes_total{list=\"rows\"}"])
        #expect(taken >= Double(reply.text.utf8.count))
        // A view is a subscriber.
        #expect(now["lists_subscribers{list=\"rows\"}"] == 1)
        return false
      }
      let writes = "lists_writes_total{list=\"rows\",outcome="
      let old = try await numbers(watch)
      try await source.update { $0.snapshot.deleteItems([3]) }
      try await source.update { _ in }
      let new = try await numbers(watch)
      #expect(new["\(writes)\"changed\"}"] == (old["\(writes)\"changed\"}"] ?? 0) + 1)
      #expect(new["\(writes)\"unchanged\"}"] == (old["\(writes)\"unchanged\"}"] ?? 0) + 1)
      #expect(
        new["lists_write_seconds_total{list=\"rows\"}"] ?? 0
          > old["lists_write_seconds_total{list=\"rows\"}"] ?? 0)
      #expect(new["lists_coalesced_revisions_total{list=\"rows\"}"] != nil)
      // The stream has ended.
      while try await numbers(watch)["lists_streams{list=\"rows\"}"] != 0 {}
      while try await numbers(watch)["lists_connections"] != 0 {}
    }
  }

  @Test("answers HEAD as GET, without the body")
  func heads() async throws {
    try await watching { _, watch in
      for name in ["health", "metrics"] {
        let page = try await HTTPReply.to(watch.appending(path: name))
        let head = try await HTTPReply.to(watch.appending(path: name), method: "HEAD")
        #expect(head.status == 200 && head.text.isEmpty)
        for field in ["Content-Type", "Cache-Control", "Content-Length"] {
          #expect(head.header(field) == page.header(field), "\(field) of \(name)")
        }
      }
    }
  }

  @Test("answers when all connections to the lists are in use")
  func full() async throws {
    try await watching {
      $0.connections = 1
    } _: { address, watch in
      let client = try await RawClient.connect(to: address.port ?? 0)
      while try await numbers(watch)["lists_connections"] != 1 {}
      #expect(try await HTTPReply.to(watch.appending(path: "health")).status == 200)
      client.close()
      while try await numbers(watch)["lists_connections"] != 0 {}
    }
  }

  @Test("writes labels that any text may be")
  func labels() throws {
    var numbers = Exposition()
    numbers.add("a_total", .counter, "As.", by: "of", [("\"", 1), ("\\", 2), ("b\nc", 3)])
    numbers.add("b", .gauge, "Bs.", 0.5)
    #expect(
      numbers.text == #"""
        # HELP a_total As.
        # TYPE a_total counter
        a_total{of="\""} 1
        a_total{of="\\"} 2
        a_total{of="b\nc"} 3
        # HELP b Bs.
        # TYPE b gauge
        b 0.5

        """#)
    #expect(try Self.read(numbers.text).count == 4)
  }

  @Test("is there if the command is asked for it, and ends with it")
  func command() async throws {
    let command = try WebCommand(["--watch-port", "0", "--connections", "7", "--views", "3"])
    let watch = try await command.address(after: "Watch")
    while try await HTTPReply.to(watch.appending(path: "health")).status != 200 {}
    let numbers = try await numbers(watch)
    #expect(numbers["lists_connections_limit"] == 7 && numbers["lists_views_limit"] == 3)
    for list in ["board", "gallery", "processes", "rows"] {
      #expect(numbers["lists_streams{list=\"\(list)\"}"] == 0)
    }
    command.send(SIGTERM)
    #expect(await command.end() == 0)
    await #expect(throws: (any Error).self) { try await HTTPReply.to(watch) }
  }
}

/// The file that says how a container is made.
@Suite("The container file", .timeLimit(.minutes(5))) struct ContainerTests {
  private let lines: [String]

  init() throws {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { package.deleteLastPathComponent() }
    lines = try String(contentsOf: package.appending(path: "Containerfile"), encoding: .utf8)
      .replacing("\\\n", with: " ").split(separator: "\n").map(String.init)
  }

  private func arguments(of instruction: String) throws -> String {
    let line = try #require(lines.last { $0.hasPrefix(instruction + " ") })
    return String(line.dropFirst(instruction.count + 1))
  }

  @Test("copies what the command needs, starts it, and sees whether it is well")
  func running() async throws {
    let copies = lines.compactMap { line in line.firstMatch(of: /cp -R (.*) \/app/) }
    let copied = try #require(copies.first).1.split(separator: " ")
    let folder = try WebCommand.executable().deletingLastPathComponent()
    for name in copied {
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: String(name)).path))
    }
    let entry = try JSONDecoder().decode(
      [String].self, from: Data(arguments(of: "ENTRYPOINT").utf8))
    #expect(entry.first == "/app/web")
    // Tests take the ports that are free.
    let command = try WebCommand(entry.dropFirst().map { Int($0) == nil ? $0 : "0" })
    let watch = try await command.address(after: "Watch")
    while try await HTTPReply.to(watch.appending(path: "health")).status != 200 {}
    let healthCheck = try arguments(of: "HEALTHCHECK")
    let match = try #require(healthCheck.firstMatch(of: /CMD (.*)/))
    let check = String(match.1).replacing("/9100", with: "/\(watch.port ?? 0)")
    #expect(try await Self.status(of: check) == 0)
    command.send(SIGTERM)
    #expect(await command.end() == 0)
    #expect(try await Self.status(of: check) != 0)
  }

  /// What the shell of the container says of a command.
  private static func status(of command: String) async throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", command]
    process.standardError = FileHandle.nullDevice
    let (statuses, continuation) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = {
      continuation.yield($0.terminationStatus)
      continuation.finish()
    }
    try process.run()
    return await statuses.first { _ in true } ?? -1
  }
}
