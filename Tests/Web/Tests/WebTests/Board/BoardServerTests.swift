import Diffable
import DiffableSync
import Foundation
import Testing

@testable import WebLists

/// What the server answers to proposals for the board.
@Suite("The server of the board", .timeLimit(.minutes(5))) struct BoardServerTests {
  /// A page without a browser.
  private struct Client {
    let address: URL
    let headers: [String: String]

    /// The token of the state that a new page gets.
    func token() async throws -> String {
      let reply = try await HTTPReply.to(address, headers: headers) {
        !$0.text.contains("\ndata:")
      }
      return String(try #require(reply.text.firstMatch(of: /id: (\S+)\nevent: delta/)?.1))
    }

    func post(_ text: String, _ more: [String: String] = [:]) async throws -> HTTPReply {
      try await HTTPReply.to(
        address, method: "POST", headers: headers.merging(more) { $1 }, body: Data(text.utf8))
    }

    /// What is answered to a change of the first state, or `reason` if it is refused.
    func answer(_ fields: String, id: WriteID = WriteID()) async throws -> String {
      let base = try await token()
      let reply = try await post(#"{"format":1,"id":"\#(id)","base":"\#(base)",\#(fields)}"#)
      #expect(reply.status == 200)
      return try Answer(reply).said
    }
  }

  private struct Answer: Decodable, Equatable {
    let answer: String
    let token: String?
    let code: String?
    let reason: String?

    init(_ reply: HTTPReply) throws {
      self = try JSONDecoder().decode(Self.self, from: Data(reply.text.utf8))
    }

    var said: String { reason ?? answer }
  }

  private func serving(_ body: (BoardSource, Client) async throws -> Void) async throws {
    let source = try await BoardSource.sample()
    try await WebTests.serving([.board(source), .rows(RowSource())]) { address in
      let url = try address.plain("/lists/board")
      try await body(source, Client(address: url, headers: address.cookie()))
    }
  }

  @Test("makes a change once, and answers it twice")
  func repeated() async throws {
    try await serving { source, client in
      let text = """
        {"format":1,"id":"\(WriteID())","base":"\(try await client.token())",\
        "difference":{"itemInserts":[[1,1,2]]},"items":["new"],\
        "models":[{"id":"new","title":"  Oil\\n the  gate ","isDone":false}]}
        """
      let replies = [try await client.post(text), try await client.post(text)]
      #expect(try Answer(replies[0]) == Answer(replies[1]))
      #expect(try Answer(replies[0]).said == "accepted")
      #expect(replies[0].header("Content-Type") == "application/json")
      #expect(await source.snapshot.items(inSection: "Doing").elementsEqual(["fence", "new"]))
      // Titles are tidied.
      #expect(await source.model(for: "new")?.title == "Oil the gate")
    }
  }

  @Test("keeps both, if one page ticks a card and another one gives it a title")
  func bothFields() async throws {
    try await serving { source, client in
      try await source.setModel(BoardCard(id: "lamp", title: "Buy two lamps"))
      let base = try await client.token()
      try await source.setModel(BoardCard(id: "lamp", title: "Buy three lamps"))
      let reply = try await client.post(
        """
        {"format":1,"id":"\(WriteID())","base":"\(base)",\
        "models":[{"id":"lamp","title":"Buy two lamps","isDone":true}]}
        """)
      #expect(try Answer(reply).said == "accepted")
      let card = await source.model(for: "lamp")
      #expect(card == BoardCard(id: "lamp", title: "Buy three lamps", isDone: true))
    }
  }

  @Test("refuses what breaks a rule, with a reason, and changes nothing")
  func refusals() async throws {
    func insert(_ id: String, _ title: String) -> String {
      #""difference":{"itemInserts":[[0,0,1]]},"items":["\#(id)"],"#
        + #""models":[{"id":"\#(id)","title":"\#(title)","isDone":false}]"#
    }
    let expected = [
      (insert("new", " "), "A card needs a title."),
      (
        insert("new", String(repeating: "x", count: 101)),
        "A title has at most 100 characters, not 101."
      ),
      // One character.
      (
        insert("new", "x" + String(repeating: "\u{301}", count: 200)),
        "A title has at most 400 bytes."
      ),
      (insert("new", "\u{200B} \u{2060}\u{FE0F}"), "A card needs a title."),
      (insert("new", "\u{3164}\u{115F}\u{2800}\u{AD}"), "A card needs a title."),
      (insert("new", "\u{202E}\u{301}"), "A card needs a title."),
      (insert("a_b", "Oil the gate"), "The card has a name that cannot be used."),
      (#""models":[{"id":"lamp","title":"","isDone":false}]"#, "A card needs a title."),
      (
        #""difference":{"sectionInserts":[[3,4]]},"sections":[{"id":"Later"}]"#,
        "There is no column “Later”."
      ),
      (
        #""difference":{"sectionDeletes":[[0,1]]}"#,
        "The columns of this board cannot be changed."
      ),
      (
        #""difference":{"sectionMoves":[{"from":0,"to":2}]}"#,
        "The columns of this board cannot be changed."
      ),
      // A card that nobody sees, below another one.
      (
        #""difference":{"outlineChanges":[[1,2]]},"outlines":[{"outline":[{"id":"fence"},"#
          + #"{"id":"_","level":1}]}],"models":[{"id":"_","title":"","isDone":false}]"#,
        "The columns of this board cannot be changed."
      ),
    ]
    try await serving { source, client in
      let before = await source.snapshot
      for (fields, reason) in expected {
        #expect(try await client.answer(fields) == reason)
      }
      let misfit = try await client.answer(#""difference":{"itemDeletes":[[0,2,9]]}"#)
      #expect(misfit.hasSuffix("Nothing was changed."))
      for text in ["", "[]", "{\"format\":1}", String(repeating: "[", count: 1_000)] {
        let answer = try Answer(try await client.post(text))
        #expect(answer.answer == "refused" && answer.code != nil)
      }
      let other = try await client.post(
        #"{"format":1,"id":"\#(WriteID())","base":"another","models":[]}"#)
      #expect(try Answer(other).said == "unknownBase")
      #expect(await source.snapshot == before)
    }
  }

  @Test("tells a terminal that its address is wrong, or that there is no board")
  func terminals() async throws {
    func fault(_ address: String) async throws -> BoardServerError? {
      let server = try #require(BoardServer(address))
      do {
        _ = try await server.events(after: nil)
        return nil
      } catch let error as BoardServerError {
        return error
      }
    }
    let source = try await BoardSource.sample()
    try await WebTests.serving([.board(source)]) { address in
      #expect(try await fault(address.absoluteString) == nil)
      let wrong = address.absoluteString.replacing(/ticket=.*/, with: "ticket=a")
      let error = try await fault(wrong)
      #expect(error?.status == 401 && error?.isFinal == true)
    }
    try await WebTests.serving([.rows(RowSource())]) { address in
      let error = try await fault(address.absoluteString)
      #expect(error?.status == 404 && error?.isFinal == true)
    }
  }

  @Test("takes nothing for a list that can only be read, from strangers, or from other sites")
  func access() async throws {
    try await serving { _, client in
      let board = client.address
      let rows = try #require(URL(string: "rows", relativeTo: board)?.absoluteURL)
      let nothing = try #require(URL(string: "nothing", relativeTo: board)?.absoluteURL)
      let expected = [
        (board, ["Cookie": "lists-0=no"], 401), (board, ["Origin": "http://example.org"], 403),
        (rows, [:], 405), (nothing, [:], 404), (board, [:], 200),
      ]
      for (address, headers, status) in expected {
        let reply = try await HTTPReply.to(
          address, method: "POST", headers: client.headers.merging(headers) { $1 },
          body: Data("{}".utf8))
        #expect(reply.status == status, "\(address)")
      }
      let search = try #require(URL(string: "\(board)?page=a&search=door"))
      #expect(try await HTTPReply.to(search, headers: client.headers).status == 400)
    }
  }
}
