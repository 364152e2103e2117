import Diffable
import DiffableSync
import Foundation
import Testing

@testable import WebLists

/// Whatever clients do with their connections, the next one is served.
///
/// The server has room for one connection. So a client that is served shows that the one before it was
/// closed.
@Suite("A client that keeps the server waiting", .timeLimit(.minutes(5)))
struct ConnectionTests {
  private let source = RowSource()

  private func serving(
    rows: Int = 20, request: Duration = .milliseconds(500),
    _ body: (_ port: Int, _ headers: [String: String]) async throws -> Void
  ) async throws {
    try await source.fill(rows)
    var options = WebServer.Options.forTests()
    options.connections = 1
    options.events.heartbeat = .milliseconds(100)
    options.limits.request = request
    options.limits.reading = .milliseconds(500)
    try await WebTests.serving([.rows(source)], options) { address in
      let cookie = try await reply(address).header("Set-Cookie")
      let value = try #require(cookie?.split(separator: ";").first)
      let port = address.port ?? 0
      try await body(port, ["Host": "127.0.0.1:\(port)", "Cookie": String(value)])
    }
  }

  /// The head of a request.
  private func head(
    _ path: String, _ headers: [String: String], method: String = "GET"
  ) -> String {
    "\(method) \(path) HTTP/1.1\r\n" + headers.map { "\($0): \($1)\r\n" }.joined()
  }

  /// What the server replies at last; a client that waits for its turn may be too late itself.
  private func reply(_ url: URL, _ headers: [String: String] = [:]) async throws -> HTTPReply {
    while true {
      if let reply = try? await HTTPReply.to(url, headers: headers) { return reply }
      try Task.checkCancellation()
    }
  }

  /// Checks that a new client is served.
  private func check(_ port: Int, _ headers: [String: String]) async throws {
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/diffable/list.js"))
    #expect(try await reply(url, headers).status == 200)
  }

  @Test("by saying nothing")
  func silent() async throws {
    try await serving { port, headers in
      let clients = [try await RawClient.connect(to: port), try await RawClient.connect(to: port)]
      try await check(port, headers)
      for client in clients { #expect(try await client.end() == "") }
    }
  }

  @Test("by never coming to the end of a request")
  func slow() async throws {
    try await serving { port, headers in
      let client = try await RawClient.connect(to: port)
      // On a busy machine the server may have closed the connection already.
      try? await client.send(head("/diffable/list.js", headers) + "X-More: a")
      try await check(port, headers)
      #expect(try await client.end() == "")
    }
  }

  @Test("by staying after a response")
  func idle() async throws {
    try await serving { port, headers in
      var answer = ""
      while answer.isEmpty {
        let client = try await RawClient.connect(to: port)
        // On a busy machine the request may be too late itself.
        try? await client.send(head("/diffable/list.js", headers) + "\r\n")
        try await check(port, headers)
        answer = try await client.end()
      }
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test("by not reading the list that it has asked for")
  func stalled() async throws {
    // More than has room in the buffers of both sides. Only what is not read ends this connection, however
    // busy the machine is.
    try await serving(rows: 60_000, request: .seconds(60)) { port, headers in
      let client = try await RawClient.connect(to: port, reads: false)
      try await client.send(head("/lists/rows?page=a", headers) + "\r\n")
      try await check(port, headers)
      client.close()
    }
  }

  @Test("by sending a body", arguments: ["Content-Length: 9", "Transfer-Encoding: chunked"])
  func bodies(field: String) async throws {
    // Only what is wrong ends these requests, however busy the machine is.
    try await serving(request: .seconds(60)) { port, headers in
      let client = try await RawClient.connect(to: port)
      try await client.send(head("/lists/rows?page=a", headers) + field + "\r\n\r\n")
      #expect(try await client.end().hasPrefix("HTTP/1.1 413 "))
      try await check(port, headers)
    }
  }

  @Test(
    "by posting a body that is too long, or does not say how long it is",
    arguments: ["Content-Length: 262145", "Content-Length: x", "Transfer-Encoding: chunked"])
  func postedBodies(field: String) async throws {
    try await serving(request: .seconds(60)) { port, headers in
      let client = try await RawClient.connect(to: port)
      try await client.send(head("/lists/rows", headers, method: "POST") + field + "\r\n\r\n")
      // The parser of the server refuses a length that is no number.
      let status = field.hasSuffix("x") ? "400" : "413"
      #expect(try await client.end().hasPrefix("HTTP/1.1 \(status) "))
      try await check(port, headers)
    }
  }

  @Test("by never coming to the end of a body")
  func slowBody() async throws {
    try await serving { port, headers in
      let client = try await RawClient.connect(to: port)
      let path = "/lists/rows"
      // On a busy machine the server may have closed the connection already.
      try? await client.send(head(path, headers, method: "POST") + "Content-Length: 9\r\n\r\na")
      try await check(port, headers)
      _ = try await client.end()
    }
  }

  @Test("is closed although it follows a list, if it is one that reads, only when it goes")
  func reading() async throws {
    try await serving { port, headers in
      let url = try #require(URL(string: "http://127.0.0.1:\(port)/lists/rows?page=a"))
      func goesOn(_ reply: HTTPReply?) -> Bool {
        (reply?.text.matches(of: /event: heartbeat/).count ?? 0) < 8
      }
      // On a busy machine a client may ask or read too late itself. One that is always cut gets no end.
      var reply: HTTPReply?
      while goesOn(reply) {
        try Task.checkCancellation()
        reply = try? await HTTPReply.to(url, headers: headers, while: goesOn)
      }
      #expect(reply?.text.contains("event: delta") == true)
      try await check(port, headers)
    }
  }
}
