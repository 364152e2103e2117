import Diffable
import Foundation
import Hummingbird
import Testing

@testable import WebLists

/// Who may read what, and how much.
@Suite("The server", .timeLimit(.minutes(5))) struct AccessTests {
  private let source = RowSource()

  /// Serves some rows; hands over the address without a ticket, and the cookie that opens it.
  private func serving(
    _ options: WebServer.Options = .forTests(),
    _ body: (_ address: URL, _ cookie: [String: String]) async throws -> Void
  ) async throws {
    try await source.fill(20)
    try await WebTests.serving([.rows(source)], options) { address in
      let reply = try await HTTPReply.to(address)
      #expect(reply.status == 303)
      #expect(reply.header("Location") == "/")
      let cookie = try #require(reply.header("Set-Cookie"))
      #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
      let value = try #require(cookie.split(separator: ";").first)
      try await body(address.plain(), ["Cookie": String(value)])
    }
  }

  private static let paths = [
    "", "/", "/index.html", "/main.js", "/diffable/list.js", "/lists/rows", "/nothing",
  ]

  @Test("lets nobody read without a ticket", arguments: paths)
  func refusal(path: String) async throws {
    try await serving { address, _ in
      let secret = Secret().text
      for wrong in ["", "?ticket=", "?ticket=\(secret)", "?ticket=\(secret.dropLast())"] {
        let url = try #require(URL(string: "\(address)\(path)\(wrong)"))
        let reply = try await HTTPReply.to(url, headers: ["Cookie": "lists-0=\(secret)"])
        #expect(reply.status == 401)
        #expect(!reply.text.contains("<") && !reply.text.contains("delta"))
      }
    }
  }

  @Test("says what to do on a page, to those who have opened an address, and no more")
  func faultPages() async throws {
    try await serving { address, cookie in
      func reply(_ path: String, _ headers: [String: String]) async throws -> HTTPReply {
        let url = try #require(URL(string: "\(address)\(path)"))
        let accepting = ["Accept": "text/html,*/*;q=0.8"]
        return try await HTTPReply.to(url, headers: accepting.merging(headers) { $1 })
      }
      let expected: [(path: String, headers: [String: String], status: Int, words: String)] = [
        ("", [:], 401, "Open the address that the server has printed."),
        ("/?ticket=no", [:], 401, "Open the address that the server has printed."),
        ("/lists/rows", [:], 401, "Open the address that the server has printed."),
        ("", ["Host": "example.org"], 403, "This server has another name."),
        ("/lists/%3Cb%3E", cookie, 404, "There is nothing here"),
      ]
      for (path, headers, status, words) in expected {
        let reply = try await reply(path, headers)
        #expect(reply.status == status, "\(path)")
        #expect(reply.header("Content-Type") == "text/html; charset=utf-8")
        #expect(reply.header("Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
        #expect(reply.text.contains(words) && !reply.text.contains("<b>"), "\(reply.text)")
      }
      #expect(try await reply("", [:]).header("WWW-Authenticate") == "Bearer")
      // Whoever asks for something else than a page gets none.
      for accepted in ["*/*", "text/event-stream", "text/css,*/*;q=0.1"] {
        let reply = try await reply("", ["Accept": accepted])
        #expect(reply.status == 401 && !reply.text.contains("<"), "\(accepted)")
      }
    }
  }

  @Test("lets programs in that send the ticket in a field")
  func programs() async throws {
    try await source.fill(20)
    try await WebTests.serving([.rows(source)]) { address in
      let ticket = try #require(address.query?.split(separator: "=").last)
      let url = try address.plain("/diffable/list.js")
      for (field, status) in [
        ("Bearer \(ticket)", 200), ("Bearer ", 401), ("Bearer \(Secret().text)", 401),
        ("bearer \(ticket)", 200), ("BEARER   \(ticket)", 200), ("Bearer\(ticket)", 401),
        ("Basic \(ticket)", 401), ("\(ticket)", 401), (" ", 401), ("Bearer", 401),
      ] {
        let reply = try await HTTPReply.to(url, headers: ["Authorization": field])
        #expect(reply.status == status, "\(field)")
      }
    }
  }

  @Test("knows its own secret from all that differ from it in one character")
  func secrets() {
    let secret = Secret()
    #expect(secret.matches(secret.text) && secret.text.count == 32)
    for index in secret.text.indices {
      for digit in "0123456789abcdef" where digit != secret.text[index] {
        let other = secret.text.replacingCharacters(in: index...index, with: String(digit))
        if secret.matches(other) { Issue.record("\(other) for \(secret.text)") }
      }
    }
    #expect(!secret.matches("") && !secret.matches(secret.text + "0"))
  }

  @Test("answers only those who ask for it by a name of its own, from its own page")
  func names() async throws {
    try await serving { address, cookie in
      let port = address.port ?? 0
      let expected = [
        ("Accept", "*/*", 200),
        ("Host", "localhost:\(port)", 200),
        ("Host", "example.org", 403),
        ("Host", "127.0.0.1.example.org:\(port)", 403),
        ("Origin", "http://127.0.0.1:\(port)", 200),
        ("Origin", "http://example.org", 403),
        ("Origin", "null", 403),
      ]
      for (name, value, status) in expected {
        let reply = try await HTTPReply.to(address, headers: cookie.merging([name: value]) { $1 })
        #expect(reply.status == status, "\(name): \(value)")
      }
    }
  }

  @Test("serves no request that names another host beside its own")
  func otherNames() async throws {
    try await serving { address, cookie in
      let own = "127.0.0.1:\(address.port ?? 0)"
      let fields = "Connection: close\r\nCookie: \(cookie["Cookie"] ?? "")\r\n\r\n"
      for (head, status) in [
        ("GET / HTTP/1.1\r\nHost: \(own)", 200),
        ("GET / HTTP/1.1\r\nHost: \(own)\r\nHost: example.org", 400),
        ("GET / HTTP/1.1\r\nHost: example.org\r\nHost: \(own)", 400),
        ("GET / HTTP/1.1\r\nHost: \(own)\r\nHost: \(own)", 400),
        ("GET http://example.org/ HTTP/1.1\r\nHost: \(own)", 400),
        ("GET http://\(own)/ HTTP/1.1\r\nHost: example.org", 400),
      ] {
        let client = try await RawClient.connect(to: address.port ?? 0)
        try await client.send(head + "\r\n" + fields)
        let answer = try await client.end()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(head): \(answer.prefix(40))")
      }
    }
  }

  @Test("sends those who have a ticket to no other server")
  func otherServers() {
    for (path, location) in [
      ("/", "/"), ("", "/"), ("/lists/rows", "/lists/rows"),
      ("//other.example/", "/other.example/"),
      ("///other.example", "/other.example"), ("/\\other.example/", "/other.example/"),
      ("/\t/other.example/", "/other.example/"),
    ] {
      #expect(Gate<BasicRequestContext>.location(of: path) == location, "\(path)")
    }
  }

  @Test("refuses what it has not, and what is too much")
  func limits() async throws {
    var options = WebServer.Options.forTests()
    options.views = 2
    try await serving(options) { address, cookie in
      func status(_ path: String) async throws -> Int {
        let url = try #require(URL(string: "\(address)/lists/\(path)"))
        return try await HTTPReply.to(url, headers: cookie) { _ in false }.status
      }
      let expected = [
        ("nothing", 404), ("rows?search=oak", 400), ("rows?page=a_b", 400),
        ("rows?page=" + String(repeating: "a", count: 41), 400),
        ("rows?page=a&search=" + String(repeating: "x", count: 101), 400),
        // One character.
        ("rows?page=a&search=x" + String(repeating: "%CC%81", count: 200), 400),
        // A page that has gone makes room for another one.
        ("rows?page=a", 200), ("rows?page=b", 200), ("rows?page=c", 200), ("rows?page=d", 200),
      ]
      for (path, code) in expected {
        let found = try await status(path)
        #expect(found == code, "\(path)")
      }
      // Two that stay do not.
      let url = try #require(URL(string: "\(address)/lists/rows?page=e"))
      let other = try #require(URL(string: "\(address)/lists/rows?page=f"))
      _ = try await HTTPReply.to(url, headers: cookie) { _ in
        _ = try await HTTPReply.to(other, headers: cookie) { _ in
          let third = try await status("rows?page=g")
          #expect(third == 503)
          return false
        }
        return false
      }
    }
  }

  @Test("sends events, from where the client was")
  func events() async throws {
    try await serving { address, cookie in
      let url = try #require(URL(string: "\(address)/lists/rows?page=a"))
      let first = try await HTTPReply.to(url, headers: cookie) { !$0.text.contains("\ndata:") }
      #expect(first.header("Content-Type") == "text/event-stream")
      #expect(first.header("Cache-Control") == "no-cache")
      #expect(first.header("X-Accel-Buffering") == "no")
      let token = try #require(first.text.firstMatch(of: /id: (\S+)\nevent: delta/)?.1)
      try await source.update { $0.snapshot.deleteItems([3]) }
      let header = ["Last-Event-ID": String(token)]
      let next = try await HTTPReply.to(url, headers: cookie.merging(header) { $1 }) {
        !$0.text.contains("\ndata:")
      }
      #expect(next.text.contains("\"base\":\"\(token)\""))
      let query = try #require(URL(string: "\(url)&after=\(token)"))
      let same = try await HTTPReply.to(query, headers: cookie) { !$0.text.contains("\ndata:") }
      #expect(same.text.contains("\"base\":\"\(token)\""))
    }
  }

  @Test("tells clients when a list has ended")
  func ending() async throws {
    try await serving { address, cookie in
      let url = try #require(URL(string: "\(address)/lists/rows?page=a"))
      let reply = try await HTTPReply.to(url, headers: cookie) { reply in
        if reply.text.contains("event: delta") { await source.finish() }
        return true
      }
      #expect(reply.text.hasSuffix("event: end\ndata: \n\n"))
      #expect(try await HTTPReply.to(url, headers: cookie).status == 204)
    }
  }

  @Test("forgets a view that nobody has followed for a while")
  func forgetting() async throws {
    var options = WebServer.Options.forTests()
    options.idleTime = .zero
    try await serving(options) { address, cookie in
      let url = try #require(URL(string: "\(address)/lists/rows?page=a"))
      func token() async throws -> Substring? {
        let reply = try await HTTPReply.to(url, headers: cookie) { !$0.text.contains("\ndata:") }
        return reply.text.firstMatch(of: /id: (\S+)\nevent: delta/)?.1
      }
      // Another view has another epoch.
      let first = try #require(try await token())
      while try await token() == first {}
    }
  }
}
