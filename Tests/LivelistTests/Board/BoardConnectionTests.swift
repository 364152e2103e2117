#if os(Linux) || os(macOS)
import Diffable
import DiffableSync
import Foundation
import TestScope
import Testing

@testable import livelist

@Suite("The connections of livelist board", .deadline) struct BoardConnectionTests {
  private static func head(_ status: Int, type: String) -> String {
    "HTTP/1.1 \(status) -\r\nContent-Type: \(type)\r\n"
  }

  /// The beginning of a response that does not end.
  private static func response(_ status: Int, type: String = "text/event-stream") -> String {
    head(status, type: type) + "Transfer-Encoding: chunked\r\n\r\n5\r\n: ok\n\r\n"
  }

  @Test("are closed as soon as nobody reads what comes", arguments: [200, 401, 503])
  func leaving(_ status: Int) async throws {
    let server = try RawServer()
    let hangup = server.answer(Self.response(status))
    let board = try #require(BoardServer("http://127.0.0.1:\(server.port)/?ticket=a"))
    do {
      let body = try #require(try await board.events(after: nil))
      #expect(try await body.first { _ in true } == Data(": ok\n".utf8) && status == 200)
    } catch let error as BoardServerError {
      #expect(error.status == status)
    }
    try await ended { for await _ in hangup {} }
  }

  @Test("are none to a page, such as that of a network that asks its users to sign in")
  func page() async throws {
    let server = try RawServer()
    let hangup = server.answer(Self.response(200, type: "text/html"))
    let board = try #require(BoardServer("http://127.0.0.1:\(server.port)/?ticket=a"))
    await #expect(throws: BoardServerError(status: 0)) { _ = try await board.events(after: nil) }
    #expect(BoardServer.words(for: BoardServerError(status: 0)) == "what answers is no board")
    try await ended { for await _ in hangup {} }
  }

  @Test("are given up when an answer is longer than any that a board gives")
  func longAnswer() async throws {
    typealias Body = AsyncThrowingStream<Data, any Error>
    let short = Body { pieces in
      for _ in 0..<2 { pieces.yield(Data(count: 100)) }
      pieces.finish()
    }
    #expect(try await BoardServer.text(of: short, upTo: 200) == Data(count: 200))
    // It does not end by itself.
    let (long, pieces) = Body.makeStream()
    for _ in 0..<3 { pieces.yield(Data(count: 100)) }
    await #expect(throws: BoardServerError(status: 0)) {
      _ = try await BoardServer.text(of: long, upTo: 200)
    }
  }
}
#endif
