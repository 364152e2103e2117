import Diffable
import DiffableQueries
import DiffableSync
import ListSupport
import TestScope
import Testing

@Suite("Derived sources say which rows are unconfirmed", .deadline) struct UnconfirmedDerivedTests {
  typealias Batch = ModelBatch<String, Card>

  @Test("Filtered, sorted and grouped rows, and those of two sources", arguments: 0..<4)
  func queries(kind: Int) async throws {
    let link = try await ProposalLink.started(0..<3)
    await link.will(.waits)
    let list = try await link.editable()
    let other = ModelSource<String, Card>()
    try await other.apply([Card(id: 50)], section: { _ in "other" })
    let derived: any ListSource<String, Int> =
      switch kind {
      case 0: list.derived { $0.filter { $0.text != "hidden" } }
      case 1: list.derived { $0.sorted(by: { $0.text > $1.text }) }
      case 2: list.derived { $0.grouped(by: \.column, order: <) }
      default: list.merged(with: other)
      }
    try await list.update { draft in
      draft.setModel(Card(id: 0, column: "b", text: "x"))
      draft.setModel(Card(id: 1, text: "hidden"))
    }
    let expected: Set = kind == 0 ? [0] : [0, 1]
    await #expect(derived.unconfirmed == expected)
    await link.sending(1)
    await link.release()
    while await link.server.model(for: 0)?.text != "x" { await Task.yield() }
    try await link.deliverAll()
    await #expect(derived.unconfirmed == [])
  }

  @Test("A subscriber is told when a row becomes confirmed, and nothing else changes")
  func confirmation() async throws {
    let link = try await ProposalLink.started(0..<3)
    await link.will(.waits)
    let list = try await link.editable()
    let derived = list.derived { $0.sorted(by: { $0.id > $1.id }) }
    var batches = derived.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.itemIdentifiers == [2, 1, 0])
    try await list.update { $0.setModel(Card(id: 0, text: "x")) }
    let edited = try #require(await batches.next())
    #expect(edited.update.unconfirmedItems == [0] && "\(edited.difference)" == "~0:2")
    await link.sending(1)
    await link.release()
    while await link.server.model(for: 0)?.text != "x" { await Task.yield() }
    try await link.deliverAll()
    let confirmed = try #require(await batches.next())
    #expect(confirmed.update.unconfirmedItems == [] && "\(confirmed.difference)" == "~0:2")
  }
}

extension ListSource where ItemID == Int {
  /// The unconfirmed items that a new subscriber gets.
  fileprivate var unconfirmed: Set<Int> {
    get async {
      var batches = updates().makeAsyncIterator()
      return await batches.next()?.update.unconfirmedItems ?? [-1]
    }
  }
}
