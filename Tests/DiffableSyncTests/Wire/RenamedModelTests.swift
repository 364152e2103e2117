import Diffable
import DiffableSync
import Testing

@Suite struct RenamedModelTests {
  @Test func `Models follow to another process`() async throws {
    let source = ModelSource<String, Message>()
    try await source.apply([Message(id: 1, text: "a"), Message(id: 2, text: "b")]) { _ in "chat" }
    var batches = source.updates().makeAsyncIterator()
    var list = Mirrored<ModelBatch<String, Message>>()
    for step in 0..<2 {
      let batch = try #require(await batches.next())
      let read = try DeltaLawTests.sent(ModelDelta(batch))
      let shown = try #require(await list.apply(read))
      if step == 1 { #expect(shown.difference == batch.difference) }
      #expect(shown.update.renamedItems == batch.update.renamedItems)
      if step == 0 {
        try await source.update { try $0.renameItem(2, to: Message(id: 20, text: "c")) }
      }
    }
    #expect(await list.mirror.element(for: 20)?.text == "c")
    #expect(await list.mirror.element(for: 2) == nil)
  }

  private struct Message: Identifiable, Equatable, Codable, Sendable {
    let id: Int
    var text: String
  }
}
