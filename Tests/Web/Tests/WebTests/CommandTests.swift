import Foundation
import Testing

@testable import WebLists

/// The command as a shell starts and ends it.
@Suite("The command", .timeLimit(.minutes(5))) struct CommandTests {
  /// Starts the command, with a client that has asked for a list and reads only its beginning.
  private func withStalledClient(
    _ arguments: [String], _ body: (WebCommand) async throws -> Void
  ) async throws {
    // Their first event, of 6 MB, is more than the system keeps for a client that does not read (4 MB).
    let command = try WebCommand(["--rows", "120000"] + arguments)
    let address = try await command.address()
    let cookie = try #require(try await address.cookie()["Cookie"])
    let client = try await RawClient.connect(to: address.port ?? 0, reads: false)
    try await client.send(
      """
      GET /lists/rows?page=a HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookie)\r\n\r\n
      """)
    // A connection without a response under way ends at the first signal.
    try await client.readFirstEvent()
    try await body(command)
    client.close()
  }

  @Test("ends at the first signal", arguments: [SIGTERM, SIGINT])
  func ending(signal: Int32) async throws {
    let command = try WebCommand([])
    _ = try await command.address()
    command.send(signal)
    #expect(await command.end() == 0)
  }

  @Test("ends streams at the first signal, and not in the middle of an event")
  func endingStreams() async throws {
    let command = try WebCommand(["--interval", "0.05", "--ending", "60"])
    let address = try await command.address()
    let cookie = try #require(try await address.cookie()["Cookie"])
    let head =
      " HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookie)\r\n\r\n"
    var clients: [RawClient] = []
    for list in ["rows?page=a", "gallery?page=b", "processes", "board"] {
      let client = try await RawClient.connect(to: address.port ?? 0)
      try await client.send("GET /lists/\(list)" + head)
      try await client.readFirstEvent()
      clients.append(client)
    }
    command.send(SIGTERM)
    for client in clients {
      // The last chunk comes after a whole event, and says that the body ends.
      #expect(try await client.end().hasSuffix("\n\n\r\n0\r\n\r\n"))
    }
    #expect(await command.end() == 0)
  }

  @Test("ends a while after the first signal, although a client does not read")
  func stalledEnding() async throws {
    try await withStalledClient(["--ending", "0.5"]) { command in
      command.send(SIGTERM)
      #expect(await command.end() == 0)
    }
  }

  @Test("ends at the second signal at once")
  func secondSignal() async throws {
    try await withStalledClient(["--ending", "3600"]) { command in
      command.send(SIGTERM)
      command.send(SIGINT)
      let status = try #require(await command.end())
      #expect([128 + SIGTERM, 128 + SIGINT].contains(status))
    }
  }

  @Test("says in plain words that a port is in use, or that an address is not there")
  func complaints() async throws {
    let first = try WebCommand([])
    let port = try await first.address().port ?? 0
    let expected = [
      (["--port", "\(port)"], 1, "another program listens at port \(port) of 127.0.0.1"),
      (["--host", "192.0.2.1"], 1, "192.0.2.1 is no address of this machine"),
      (["--host", "none.invalid"], 64, "there is no host “none.invalid”"),
    ]
    for (arguments, status, words) in expected {
      let second = try WebCommand(arguments)
      #expect(await second.end().map(Int.init) == status)
      let complaint = await second.complaint()
      #expect(complaint.hasPrefix("web: \(words)"), "\(complaint)")
    }
  }

  @Test("says how many files its connections need, and raises the limit where it may")
  func openFiles() async throws {
    let refused = try WebCommand(["--connections", "200"], after: "ulimit -n 250")
    #expect(await refused.end() == 64)
    let complaint = await refused.complaint()
    #expect(complaint.contains("need 300 open files, and the system allows 250"), "\(complaint)")
    let raised = try WebCommand(["--connections", "200"], after: "ulimit -Hn 300; ulimit -Sn 250")
    _ = try await raised.address()
    raised.send(SIGTERM)
    #expect(await raised.end() == 0)
  }

  @Test("does not overwrite secrets that it cannot read, and says where they are")
  func secrets() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "secrets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let board = folder.appending(path: "board")
    let secrets = URL(fileURLWithPath: board.path + "-secrets")
    for bytes in [Data([0xFF, 0xFE, 0x00]), Data("no secrets".utf8)] {
      try bytes.write(to: secrets)
      let command = try WebCommand(["--board", board.path])
      #expect(await command.end() == 1)
      #expect(await command.complaint().contains(secrets.path))
      #expect(try Data(contentsOf: secrets) == bytes)
    }
    let nowhere = folder.appending(path: "none/secrets").path
    let fault = #expect(throws: SecretFault.self) { try Secret.kept(at: nowhere, count: 2) }
    #expect("\(try #require(fault))".contains("cannot be written to \(nowhere)"))
  }

  @Test("makes no secrets for a board that is refused, and leaves those that were there")
  func refusedBoard() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "refused-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let board = folder.appending(path: "board")
    let text = Data("This is no board, but what somebody wrote.".utf8)
    try text.write(to: board)
    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }
    func refuse(_ board: String) async throws {
      let command = try WebCommand(["--board", board])
      #expect(await command.end() == 1)
      #expect(await command.complaint().hasPrefix("web: "))
    }
    try await refuse(board.path)
    try await refuse(folder.appending(path: "none/board").path)
    #expect(try files() == ["board"])
    let secrets = Data(String(repeating: String(repeating: "a", count: 32) + "\n", count: 2).utf8)
    try secrets.write(to: URL(fileURLWithPath: board.path + "-secrets"))
    try await refuse(board.path)
    #expect(try files() == ["board", "board-secrets"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: board.path + "-secrets")) == secrets)
    #expect(try Data(contentsOf: board) == text)
  }

  /// Whether this machine has the address `::1`; some containers do not.
  private static var hasIPv6: Bool {
    (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.contains(" lo\n") ?? false
  }

  @Test(
    "prints an address that can be opened",
    arguments: ["127.0.0.1", "localhost", "0.0.0.0"] + (hasIPv6 ? ["::1", "::"] : []))
  func addresses(host: String) async throws {
    let command = try WebCommand(["--host", host])
    let address = try await command.address()
    let authority = try #require(
      address.absoluteString.split(separator: "/").dropFirst().first.map(String.init))
    #expect(try await HTTPReply.to(address, headers: ["Host": authority]).status == 303)
  }

  @Test("answers by other names that it is given, behind a proxy as well")
  func names() async throws {
    let command = try WebCommand(["--name", "Lists.example.org", "--name", "::7"])
    let address = try await command.address()
    #expect(address.host == "lists.example.org")
    let port = try #require(address.port)
    let plain = try #require(URL(string: "http://127.0.0.1:\(port)/?\(address.query ?? "")"))
    let expected = [
      ("lists.example.org", "https://lists.example.org", 303),
      ("LISTS.example.org:\(port)", "http://LISTS.example.org:\(port)", 303),
      ("[::7]:80", "http://[::7]:80", 303), ("127.0.0.1", "http://127.0.0.1", 303),
      ("example.org", "http://example.org", 403),
      ("lists.example.org", "https://example.org", 403),
    ]
    for (host, origin, status) in expected {
      let reply = try await HTTPReply.to(plain, headers: ["Host": host, "Origin": origin])
      #expect(reply.status == status, "\(host), \(origin)")
    }
  }
}
