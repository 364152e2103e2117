import Diffable
import DiffableQueries
import DiffableSync
import ListSupport
import TestScope
import Testing

@Suite("Derived sources say which rows are unconfirmed", .deadline) struct UnconfirmedDerivedTests {
  typealias Batch = ModelBatch<String, Card>

  @Test("Rows stay unconfirmed when a row that the query hides gets another identifier")
  func renamedHidden() async throws {
    let link = try await ProposalLink.started(0..<3)
    await link.will(.waits)
    let list = try await link.editable()
    let derived = list.derived { $0.filter { $0.text != "hidden" } }
    try await list.update { draft in
      draft.setModel(Card(id: 0, text: "x"))
      draft.setModel(Card(id: 1, text: "hidden"))
    }
    await #expect(derived.unconfirmed == [0])
    try await list.update { try $0.renameItem(1, to: Card(id: 10, text: "hidden")) }
    await #expect(derived.unconfirmed == [0])
    try await link.sending(1)
    await link.release()
  }

  private struct Part: Identifiable, Equatable { let id: Int }

  @Test("Of one list its own, of two lists those of either, and all rows that show such a row")
  func combinations() async throws {
    let link = try await ProposalLink.started(0..<3)
    await link.will(.waits)
    let list = try await link.editable()
    let other = ModelSource<String, Card>()
    try await other.apply([Card(id: 50), Card(id: 51)], section: { _ in "other" })
    let merged = (list.merged(with: other), other.merged(with: list))
    let same = ModelSource<String, Card>()
    try await same.apply([Card(id: 0)], section: { _ in "other" })
    let common = (list.merged(with: same), same.merged(with: list))
    let folded = ModelSource<String, Card>()
    try await folded.update { draft in
      let outline = try Outline([60, 0], levels: [0, 1])
      draft.appendSections(["other"])
      try draft.snapshot.setOutline(outline, forSection: "other")
      draft.setModels([Card(id: 60), Card(id: 0)])
    }
    let unfolded = folded.merged(with: list)
    let (rest, all) = (list.subtracting(other), other.subtracting(list))
    let looking = (
      other.joined(with: list, by: { $0.id - 50 }) { card, _ in card },
      same.joined(with: list, by: { $0.id }) { card, _ in card }
    )
    let joined = (
      list.joined(withEachOf: other, by: { _ in 0 }),
      other.joined(withEachOf: list, by: { $0.id == 2 ? nil : 50 })
    )
    let parts = list.flatMapped { card in (0..<2 - card.id).map { Part(id: $0) } }
    let abridged = list.abridged(to: 1)
    let filtered = list.derived { $0.filter { $0.id != 1 } }
    let sorted = list.derived { $0.sorted(by: { $0.text > $1.text }) }
    let grouped = list.derived { $0.grouped(by: \.column, order: <) }
    try await list.update { draft in
      for id in 0..<2 { draft.setModel(Card(id: id, text: "x")) }
    }
    for isPending in [true, false] {
      await #expect(list.unconfirmed == (isPending ? [0, 1] : []))
      await #expect(merged.0.unconfirmed == (isPending ? [0, 1] : []))
      await #expect(merged.1.unconfirmed == (isPending ? [0, 1] : []))
      // A row of both is that of the first.
      await #expect(common.0.unconfirmed == (isPending ? [0, 1] : []))
      await #expect(common.1.unconfirmed == (isPending ? [1] : []))
      // The first one hides its row.
      await #expect(unfolded.unconfirmed == (isPending ? [0, 1] : []))
      await #expect(rest.unconfirmed == (isPending ? [0, 1] : []))
      // Rows that look up others, or are looked up in them, are their own, whatever their names.
      await #expect(all.unconfirmed == [])
      await #expect(looking.0.unconfirmed == [])
      await #expect(looking.1.unconfirmed == [])
      await #expect(
        joined.0.unconfirmed == (isPending ? [.right(50), .right(51), .left(1)] : []))
      await #expect(joined.1.unconfirmed == (isPending ? [.right(0), .right(1)] : []))
      let ids = [PartID(whole: 0, part: 0), PartID(whole: 0, part: 1), PartID(whole: 1, part: 0)]
      await #expect(parts.unconfirmed == (isPending ? Set(ids) : []))
      await #expect(abridged.unconfirmed == (isPending ? [.row(0)] : []))
      await #expect(filtered.unconfirmed == (isPending ? [0] : []))
      await #expect(sorted.unconfirmed == (isPending ? [0, 1] : []))
      await #expect(grouped.unconfirmed == (isPending ? [0, 1] : []))
      guard isPending else { return }
      try await link.sending(1)
      await link.release()
      try await wait { await link.server.model(for: 0)?.text == "x" }
      try await link.deliverAll()
    }
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
    try await link.sending(1)
    await link.release()
    try await wait { await link.server.model(for: 0)?.text == "x" }
    try await link.deliverAll()
    let confirmed = try #require(await batches.next())
    #expect(confirmed.update.unconfirmedItems == [] && "\(confirmed.difference)" == "~0:2")
  }
}

extension ListSource {
  /// The unconfirmed items that a new subscriber gets.
  fileprivate var unconfirmed: Set<ItemID>? {
    get async {
      var batches = updates().makeAsyncIterator()
      return await batches.next()?.update.unconfirmedItems
    }
  }
}
