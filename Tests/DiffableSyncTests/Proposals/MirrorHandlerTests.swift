import Diffable
import DiffableSync
import ListSupport
import TestScope
import Testing

@Suite("The app's handlers of an editable mirror", .deadline) struct MirrorHandlerTests {
  @Test("A handler that merges shows what that of the owner will make")
  func merge() async throws {
    let link = try await ProposalLink.started(0..<1)
    await link.will(.waits)
    let list = try await link.mirror.editable(mergeHandler: { _, theirs, mine in
      Card(id: mine.id, column: theirs.column, text: mine.text)
    }) { proposal in
      try await link.send(proposal)
    }
    try await list.update { try $0.update(0) { $0.text = "mine" } }
    try await link.sending(1)
    try await link.server.update { try $0.update(0) { $0.column = "theirs" } }
    try await link.deliverAll()
    #expect(await list.element(for: 0) == Card(id: 0, column: "theirs", text: "mine"))
    await link.release()
  }

  private final class Heard: Sendable {
    private let all = Lock<[String]>([])
    var words: [String] { all.withLock { $0 } }
    func note(_ word: String) { all.withLock { $0.append(word) } }

    var handlers: ReorderingHandlers<String, Int> {
      ReorderingHandlers(
        canReorder: { [self] _, destination, _ in
          if destination != nil { note("asked") }
          return true
        }, didReorder: { [self] _ in note("told") })
    }
  }

  @Test("Handlers of reordering are asked before a drop, and told of it, with models or without")
  func reordering() async throws {
    func drop(in list: some WritableListSource<String, Int>) async throws {
      var drag = try #require(try await list.beginReorder([0]))
      _ = try drag.proposed(to: .after(1))
      _ = try await drag.commit()
    }
    let link = try await ProposalLink.started(0..<2)
    let (first, second) = (Heard(), Heard())
    let list = try await link.mirror.editable(reordering: first.handlers) { _ in
      throw ProposalLink.Cut()
    }
    let plain = MirrorSource<UpdateBatch<String, Int>>()
    try await plain.apply(UpdateDelta(UpdateBatch(showing: link.server.snapshot)))
    let order = try await plain.editable(reordering: second.handlers) { _ in
      throw ProposalLink.Cut()
    }
    try await drop(in: list)
    try await drop(in: order)
    #expect(await order.snapshot.itemIdentifiers == [1, 0])
    for heard in [first, second] {
      #expect(heard.words.first == "asked" && heard.words.filter { $0 == "told" }.count == 1)
    }
  }
}
