import Diffable
import DiffableSync
import Foundation
import Testing

/// A board that is kept in a file, while its server is killed.
@Suite("A board in a file", .timeLimit(.minutes(2)))
struct KeptBoardTests {
  /// A page that follows the board, without a browser.
  private struct Page {
    let address: URL
    let ticket: String

    init(_ address: URL) throws {
      let parts = try #require(URLComponents(url: address, resolvingAgainstBaseURL: false))
      ticket = try #require(parts.queryItems?.first { $0.name == "ticket" }?.value)
      self.address = try #require(
        URL(string: "http://127.0.0.1:\(address.port ?? 0)/lists/board"))
    }

    private var headers: [String: String] { ["Authorization": "Bearer \(ticket)"] }

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

  @Test("No page resets, no change is lost, and none is made twice, although the server is killed")
  func killed() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("board-\(UUID().uuidString)").path
    defer {
      for end in ["", "-wal", "-shm", "-secrets"] {
        try? FileManager.default.removeItem(atPath: path + end)
      }
    }
    var server = try WebCommand(["--board", path])
    let address = try await server.address()
    let port = try #require(address.port)
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
}
