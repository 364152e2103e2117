import Diffable
import DiffableSync
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite("Models that several participants change", .deadline) struct ModelContradictionTests {
  typealias Replica = ReplicatedSource<ModelBatch<String, Card>>

  static let handler: @Sendable (Card, Card, Card) -> Card = { base, theirs, mine in
    var merged = mine
    if mine.column == base.column { merged.column = theirs.column }
    if mine.text == base.text { merged.text = theirs.text }
    return merged
  }

  @Test("A merge that loses the race says whose models it overrules")
  func merging() async throws {
    for hasHandler in [false, true] {
      let log = MemoryLog()
      let mine = try await Replica(
        cards: log.participant(), mergeHandler: hasHandler ? Self.handler : nil)
      let other = try await Replica(cards: log.participant())
      try await mine.apply([Card(id: 1, text: "0")], section: { _ in "s" })
      try await other.reached(Revision(1))
      let order = await mine.snapshot
      let theirs = Card(id: 1, column: "b", text: "0")
      // The participant has not heard of it when it merges, or has.
      try await other.setModel(theirs)
      let edited = Card(id: 1, text: "x")
      let merged = try await mine.merge(
        order, models: [edited], basedOn: Revision(1), named: "Mine")
      #expect(merged.change?.name == "Mine" && mine.nextUndo()?.name == "Mine")
      #expect(merged.conflicts == (hasHandler ? [] : [.item(1, .changedTwice)]))
      #expect(
        merged.versions(of: 1, as: Card.self)
          == (hasHandler
            ? nil : ModelVersions(base: Card(id: 1, text: "0"), theirs: theirs, mine: edited)))
      let expected = hasHandler ? Card(id: 1, column: "b", text: "x") : edited
      #expect(await mine.element(for: 1) == expected)
      try await other.reached(merged.target)
      #expect(await other.element(for: 1) == expected)
    }
  }

  @Test("Models take the place of the revision that their writer expects, or of none")
  func expected() async throws {
    let mine = try await Replica(cards: MemoryLog().participant())
    let first = try await mine.apply(
      [Card(id: 1)], section: { _ in "s" }, ifRevision: Revision.empty)
    await #expect(throws: DataSourceError.conflict(expected: .empty, actual: first.revision)) {
      try await mine.apply([Card(id: 2)], section: { _ in "s" }, ifRevision: Revision.empty)
    }
    try await mine.apply(
      [Card(id: 2)], section: { _ in "t" }, sections: ["u", "t"], ifRevision: first.revision)
    #expect(await "\(mine.snapshot)" == "u[] t[2]")
  }

  /// An edit that gives a model says what it overrules; one that changes what is there does not.
  @Test("An optimistic edit is compared with what others have done since", arguments: 0..<4)
  func optimistic(kind: Int) async throws {
    let hasHandler = kind == 3
    let log = MemoryLog()
    let near = log.participant()
    let mine = try await Replica(cards: near, mergeHandler: hasHandler ? Self.handler : nil)
    let other = try await Replica(cards: log.participant())
    try await mine.apply([Card(id: 1, text: "0"), Card(id: 2)], section: { _ in "s" })
    try await other.reached(Revision(1))
    let list = await mine.optimistic()
    near.disturb { $0 == .append ? .loseRequest : nil }
    let edited = Card(id: 1, text: "x")
    let write = try await list.update { draft in
      switch kind {
      case 0, 3: draft.setModel(edited)
      case 1:
        guard var card = draft.model(for: 1) else { return }
        card.text = "x"
        draft.setModel(card)
      default: draft.snapshot.deleteItems([1])
      }
    }
    let theirs = Card(id: 1, column: "b", text: "0")
    let revision = try await other.setModel(theirs).revision
    try await mine.reached(revision)
    let merged = Card(id: 1, column: "b", text: "x")
    let expected = [edited, merged, nil, merged][kind]
    // It is shown as it will be.
    #expect(await list.snapshot.containsItem(1) == (expected != nil))
    near.heal()
    let made = try #require(await write.outcome.acceptance)
    #expect(
      made.conflicts
        == [[.item(1, .changedTwice)], [], [.item(1, .deletedButChanged)], []][kind])
    #expect(made.versions(of: 1, as: Card.self)?.theirs == [theirs, nil, theirs, nil][kind])
    #expect(await mine.element(for: 1) == expected)
  }
}
