import Diffable
import Foundation
import Synchronization
import Testing

@testable import WebLists

/// What pages need that show the same is worked out once.
@Suite("Bytes that pages share", .timeLimit(.minutes(5))) struct SharedBytesTests {
  /// A row that counts how many times rows become text.
  private struct Row: Identifiable, Codable, Equatable {
    static let texts = Mutex(0)

    let id: Int
    var title: String

    init(id: Int, title: String) { (self.id, self.title) = (id, title) }

    func encode(to encoder: any Encoder) throws {
      Self.texts.withLock { $0 += 1 }
      var fields = encoder.container(keyedBy: CodingKeys.self)
      try fields.encode(id, forKey: .id)
      try fields.encode(title, forKey: .title)
    }
  }

  @Test("A list and a change become text once, however many pages ask for them")
  func once() async throws {
    let source = ModelSource<String, Row>()
    try await source.apply(
      [Row(id: 1, title: "one"), Row(id: 2, title: "two")], section: { _ in "rows" })
    let served = ServedList("rows", source) { _, _ in }
    try await serving([served]) { address in
      let headers = try await address.cookie()
      /// The first delta of a page, and the token of the state that it leads to.
      func delta(of page: String, after token: String? = nil) async throws -> [String] {
        let url = try address.plain("/lists/rows?page=\(page)")
        let more = token.map { ["Last-Event-ID": $0] } ?? [:]
        let reply = try await HTTPReply.to(url, headers: headers.merging(more) { $1 }) {
          $0.text.firstMatch(of: /\ndata:.*\n\n/) == nil
        }
        let event = try #require(
          reply.text.firstMatch(of: /id: (\S+)\nevent: delta\ndata: ?(.*)\n/))
        return [String(event.1), String(event.2)]
      }
      let whole = try await delta(of: "a")
      #expect(Row.texts.withLock { $0 } == 2)
      for page in ["b", "c"] { #expect(try await delta(of: page) == whole) }
      #expect(Row.texts.withLock { $0 } == 2)

      try await source.setModel(Row(id: 2, title: "2"))
      let change = try await delta(of: "a", after: whole[0])
      #expect(change[1].contains(#""base":"\#(whole[0])""#) && !change[1].contains("one"))
      for page in ["b", "c"] { #expect(try await delta(of: page, after: whole[0]) == change) }
      #expect(Row.texts.withLock { $0 } == 3)
    }
  }
}
