import Diffable
import DiffableSync
import Foundation
import Testing

@testable import WebLists

/// A board that is kept in a file, while its server is killed.
@Suite("A board in a file", .timeLimit(.minutes(5)))
struct KeptBoardTests {
  /// A page that follows the board, without a browser.
  private struct Page {
    let address: URL
    let headers: [String: String]

    init(_ address: URL) throws {
      self.address = try address.plain("/lists/board")
      headers = address.bearer
    }

    /// The first delta after a state, and the token of the state that it leads to.
    func delta(after token: String?) async throws -> (text: String, token: String) {
      let more = token.map { ["Last-Event-ID": $0] } ?? [:]
      let reply = try await HTTPReply.to(address, headers: headers.merging(more) { $1 }) {
        $0.text.firstMatch(of: /\ndata:.*\n\n/) == nil
      }
      let found = try #require(reply.text.firstMatch(of: /id: (\S+)\nevent: delta\ndata: ?(.*)\n/))
      return (String(found.2), String(found.1))
    }

    /// Proposes a new card in the first column.
    func add(_ card: String, id: WriteID, to token: String) async throws -> HTTPReply {
      let text = """
        {"format":1,"id":"\(id)","base":"\(token)","difference":{"itemInserts":[[0,0,1]]},\
        "items":["\(card)"],"models":[{"id":"\(card)","title":"Title of \(card)","isDone":false}]}
        """
      return try await HTTPReply.to(
        address, method: "POST", headers: headers, body: Data(text.utf8))
    }
  }

  /// A path for a board, whose files go afterwards.
  private func withFile(_ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("board-\(UUID().uuidString)").path
    defer {
      for end in ["", "-wal", "-shm", "-secrets"] {
        try? FileManager.default.removeItem(atPath: path + end)
      }
    }
    try await body(path)
  }

  @Test("No page resets, no change is lost, and none is made twice, although the server is killed")
  func killed() async throws {
    try await withFile { try await kill($0) }
  }

  private func kill(_ path: String) async throws {
    let port = try await WebCommand.lastingPort()
    var server = try WebCommand(["--port", "\(port)", "--board", path])
    let address = try await server.address()
    let page = try Page(address)
    var (first, token) = try await page.delta(after: nil)
    #expect(first.contains(#""presentation":"reset""#))
    for round in 0..<5 {
      let id = WriteID()
      let card = "card-\(round)"
      #expect(try await page.add(card, id: id, to: token).text.contains(#""accepted""#))
      server.send(SIGKILL)
      _ = await server.end()
      server = try WebCommand(["--port", "\(port)", "--board", path])
      // The address is the one that the page knows.
      #expect(try await server.address() == address)
      // A page without an answer sends its proposal again.
      #expect(try await page.add(card, id: id, to: token).text.contains(#""accepted""#))
      // It gets what it does not have.
      let next = try await page.delta(after: token)
      #expect(!next.text.contains("reset"), "\(next.text)")
      #expect(next.text.contains(#""base":"\#(token)""#))
      #expect(next.text.contains("Title of \(card)") && !next.text.contains("fence"))
      token = next.token
    }
    first = try await page.delta(after: nil).text
    for round in 0..<5 {
      #expect(first.components(separatedBy: "Title of card-\(round)").count == 2)
    }
  }

  /// Opens the board in two browsers, whose server is killed now and then.
  private func killBeforeBrowsers(_ path: String) async throws {
    // The cookie of a browser is for a port.
    let port = try await WebCommand.lastingPort()
    var server = try WebCommand(["--port", "\(port)", "--board", path])
    _ = try await server.address()
    func startAgain() async throws -> URL {
      server.send(SIGKILL)
      _ = await server.end()
      server = try WebCommand(["--port", "\(port)", "--board", path])
      return try await server.address().showing("board")
    }
    let address = try await startAgain()
    let sample = try await BoardSource.sample().text
    try await ChromeDriver.withBrowsers(2) { pages in
      for page in pages {
        try await page.open(address)
        try await page.wait(forBoard: sample)
      }
      var text = sample
      for round in 0..<3 {
        func edit(_ page: Browser, _ edit: String) async throws {
          #expect(try await page.value(of: "view.proposer.edits.add(\(edit))"))
        }
        // Nobody waits for the answer.
        let card = "{ id: \"card-\(round)\", title: \"Card \(round)\", isDone: false }"
        let last = round == 0 ? "door" : "card-\(round - 1)"
        let place = "{ section: \"Done\", after: \"\(last)\" }"
        try await edit(pages[0], "{ item: \"card-\(round)\", model: \(card), place: \(place) }")
        server.send(SIGKILL)
        for page in pages {
          try await page.wait(until: "!document.querySelector(\".banner\").hidden")
        }
        try await edit(pages[0], "{ item: \"card-\(round)\", fields: { isDone: true } }")
        try await edit(pages[1], "{ item: \"lamp\", fields: { title: \"Buy \(round) lamps\" } }")
        #expect(try await startAgain() == address)
        let old = round == 0 ? "Buy a lamp for the stairs" : "Buy \(round - 1) lamps"
        text = text.replacing(old, with: "Buy \(round) lamps") + ",Card \(round)*"
        for page in pages { try await page.wait(forBoard: text) }
      }
      for page in pages {
        #expect(try await page.value(of: "follower.resets") == 1)
        #expect(try await page.value(of: "follower.connections > 3"))
      }
      // The server has nothing but the file.
      _ = try await startAgain()
      try await pages[0].open(address)
      try await pages[0].wait(forBoard: text)
    }
  }

  @Test(
    "No browser resets, and what waited in it is saved once, although the server is killed",
    .enabled(if: ChromeDriver.isInstalled))
  func killedBeforeBrowsers() async throws {
    try await withFile { try await killBeforeBrowsers($0) }
  }
}
