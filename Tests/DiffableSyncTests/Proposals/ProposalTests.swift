import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

/// A proposal does what a merge does, whoever sends it and however often.
@Suite("A proposal is merged, once", .deadline) struct ProposalTests {
  typealias Cards = ModelSource<String, Card>
  typealias CardProposal = Proposal<ModelBatch<String, Card>>

  /// A proposal as it comes out at the other end, by both writers.
  static func sent<Batch>(_ proposal: Proposal<Batch>) throws -> Proposal<Batch>
  where Batch.Delta: Codable {
    let text = try JSONEncoder().encode(proposal)
    let read = try Proposal<Batch>.read(text) { try JSONDecoder().decode(Proposal.self, from: $0) }
    #expect(read.id == proposal.id && read.base == proposal.base && read.name == proposal.name)
    #expect(try JSONEncoder().encode(read).count == text.count)
    return read
  }

  /// An answer as it comes out at the other end.
  static func sent<Batch>(_ answer: ProposalAnswer<Batch>) throws -> ProposalAnswer<Batch>
  where
    Batch.SectionID: Codable, Batch.ItemID: Codable, Batch.Element: Codable, Batch.Delta: Codable
  {
    try JSONDecoder().decode(ProposalAnswer<Batch>.self, from: JSONEncoder().encode(answer))
  }

  /// Lists of models, with outlines and renames; the other side changes some rows as well.
  @Test("Random changes of models", arguments: 0..<rounds(40 as UInt64, least: 8))
  func random(seed: UInt64) async throws {
    var generator = SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { $0 })
    let (merging, accepting, follower) = (Cards(), Cards(), Cards())
    var models = 0
    for step in 0..<rounds(20, least: 8) {
      let comment: Comment = "seed \(seed), step \(step)"
      let base = await merging.snapshot
      let start = await merging.revision
      let token = accepting.token(for: await accepting.revision)
      #expect(await accepting.snapshot == base, comment)
      try await follower.apply(
        base, models: await merging.cards(of: base), presentation: .immediate)
      let before = await follower.revision
      func edit(_ list: Snapshot<String, Int>) -> (Snapshot<String, Int>, [Card]) {
        var edited = list
        for _ in 0..<generator.random.number(below: 3) {
          var next = edited
          if (try? generator.anyEdit(of: edited).apply(to: &next)) != nil { edited = next }
        }
        let cards = edited.everyItem.filter { item in
          !list.containsItem(item) || generator.random.chance(oneIn: 4)
        }.map { item in
          models += 1
          return Card(id: item, text: "\(models)")
        }
        return (edited, cards)
      }
      let (theirs, cards) = edit(base)
      var batches = follower.updates(.every(limit: 10)).makeAsyncIterator()
      _ = await batches.next()
      // A list that is applied in the place of an outline stays an outline.
      guard let reached = try? await follower.apply(theirs, models: cards).revision,
        reached != before, await follower.snapshot == theirs
      else { continue }
      let batch = try #require(await batches.next())
      let (others, otherCards) = edit(base)
      for source in [merging, accepting] {
        _ = try? await source.apply(others, models: otherCards)
      }
      let merged = try await merging.merge(
        theirs, models: cards, basedOn: start)
      let proposal = try Self.sent(CardProposal(batch, basedOn: token))
      let answer = try Self.sent(await accepting.accept(proposal) { _, _ in })
      let acceptance = try #require(answer.acceptance, "\(answer): \(comment)")
      // In which order rows are compared is not promised.
      #expect(Set(acceptance.conflicts) == Set(merged.conflicts), comment)
      #expect(acceptance.conflicts.count == merged.conflicts.count, comment)
      let (one, other) = (await merging.snapshot, await accepting.snapshot)
      #expect(one == other, comment)
      #expect(await merging.cards(of: one) == accepting.cards(of: other), comment)
      let overruled = merged.conflicts.compactMap { conflict in
        if case .item(let item, _) = conflict {
          merged.versions(of: item, as: Card.self)?.theirs
        } else {
          nil
        }
      }
      #expect(Set(acceptance.theirs.map(\.id)) == Set(overruled.map(\.id)), comment)
      #expect(Set(acceptance.theirs.map(\.id)).count == acceptance.theirs.count, comment)
      #expect(overruled.allSatisfy(acceptance.theirs.contains), comment)
    }
  }

  // MARK: Answers

  private func source(_ texts: [String] = ["a", "b", "c"]) async throws -> Cards {
    let source = Cards()
    try await source.apply(texts.enumerated().map { Card(id: $0, text: $1) }, section: { _ in "s" })
    return source
  }

  /// What a follower that holds the live state of a source proposes.
  private func proposal(
    to source: Cards, named name: String? = nil, id: WriteID = WriteID(),
    _ edit: @Sendable (inout ModelDraft<String, Card>) throws -> Void
  ) async throws -> CardProposal {
    let (snapshot, revision) = (await source.snapshot, await source.revision)
    let follower = Cards()
    try await follower.apply(snapshot, models: await source.cards(of: snapshot))
    var batches = follower.updates(.every(limit: 10)).makeAsyncIterator()
    _ = await batches.next()
    try await follower.update(edit)
    return try Self.sent(
      CardProposal(
        try #require(await batches.next()), basedOn: source.token(for: revision), named: name,
        id: id))
  }

  @Test("The same proposal is answered the same, and made once")
  func repeated() async throws {
    let source = try await source()
    let proposal = try await proposal(to: source, named: "Add") {
      try $0.appendItems([Card(id: 9)], toSection: "s")
      $0.setModel(Card(id: 0, text: "mine"))
    }
    try await source.setModel(Card(id: 0, text: "theirs"))
    let id = proposal.id
    let first = try await source.accept(proposal) { change, _ in
      #expect(change.id == id && change.name == "Add")
      #expect(change.conflicts == [.item(0, .changedTwice)])
    }
    let revision = await source.revision
    #expect(source.nextUndo(.named)?.name == "Add")
    // Others go on meanwhile, and the rules have changed.
    try await source.update { $0.snapshot.deleteItems([9]) }
    let second = try await source.accept(proposal) { _, _ in
      throw Refusal(code: "no", reason: "No.")
    }
    for answer in [first, second] {
      let acceptance = try #require(answer.acceptance)
      #expect(acceptance.token == source.token(for: revision))
      #expect(acceptance.conflicts == [.item(0, .changedTwice)])
      #expect(acceptance.theirs == [Card(id: 0, text: "theirs")])
    }
    #expect(await source.snapshot.containsItem(9) == false)
  }

  @Test("An answer has what the follower lacks, unless others have changed much", arguments: 0...2)
  func wholeAnswer(hundreds: Int) async throws {
    let source = try await source()
    let proposal = try await proposal(to: source) {
      try $0.appendItems([Card(id: 9)], toSection: "s")
    }
    // At most 256 changes come with the answer; more than that come with the stream.
    let cards = (0..<hundreds * 150).map { Card(id: 1000 + $0) }
    if !cards.isEmpty { try await source.update { try $0.appendItems(cards, toSection: "s") } }
    let answer = try await source.accept(proposal) { _, _ in }
    let text = String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
    #expect(text.contains(#""delta":"#) == (hundreds < 2))
    // Without the changes of others, the follower knows the state before.
    #expect(text.contains(#""reverse":"#) == (hundreds > 0))
  }

  @Test("A refusal changes nothing, and stays")
  func refusal() async throws {
    let source = try await source()
    let proposal = try await proposal(to: source) { $0.snapshot.deleteItems([1]) }
    let (before, revision) = (await source.snapshot, await source.revision)
    for isAllowed in [false, true] {
      let answer = try await source.accept(proposal) { change, draft in
        #expect(change.changes == [.deleteItem(1, at: ItemPath(section: 0, item: 1))])
        #expect(change.batch.previousModel(for: 1)?.text == "b")
        draft.snapshot.deleteItems([0])
        if !isAllowed { throw Refusal(code: "forbidden", reason: "Not yours.") }
      }
      let refusal = try #require(try Self.sent(answer).refusal)
      #expect(refusal == Refusal(code: "forbidden", reason: "Not yours."))
      #expect(await source.snapshot == before)
      #expect(await source.revision == revision)
      #expect(
        await source.cards(of: before)
          == ["a", "b", "c"].enumerated().map { Card(id: $0, text: $1) })
    }
    struct Fault: Error {}
    let other = try await self.proposal(to: source) { $0.snapshot.deleteItems([1]) }
    await #expect(throws: Fault.self) { try await source.accept(other) { _, _ in throw Fault() } }
    #expect(await source.revision == revision)
    // An error of the server is no answer.
    try #require(try await source.accept(other, { _, _ in }).acceptance != nil)
  }

  @Test("The server alters what it likes, in the same revision")
  func altered() async throws {
    let source = try await source()
    var batches = source.updates(.every(limit: 10)).makeAsyncIterator()
    _ = await batches.next()
    let proposal = try await proposal(to: source) {
      try $0.insertItems([Card(id: -1, text: "new")], beforeItem: 0)
      $0.setModel(Card(id: 1, text: "B"))
    }
    try await source.accept(proposal) { change, draft in
      for case .insertItem(let id, _) in change.changes {
        guard var card = draft.model(for: id) else { continue }
        card.rename(to: 100)
        card.column = "author"
        try draft.renameItem(id, to: card)
      }
    }
    let batch = try #require(await batches.next())
    #expect(batch.snapshot.itemIdentifiers == [100, 0, 1, 2])
    #expect(batch.model(for: 100) == Card(id: 100, column: "author", text: "new"))
    #expect(batch.model(for: 1)?.text == "B")
    #expect("\(batch.difference)" == "+0:0 ~0:2")
    #expect(batch.update.renamedItems == [ItemRename(old: -1, new: 100)])
    #expect(batch.update.proposals == [proposal.id])
    #expect(await source.revision == batch.target)
  }

  @Test("A proposal that changes nothing is a revision, too")
  func nothing() async throws {
    let source = try await source()
    var batches = source.updates(.every(limit: 10)).makeAsyncIterator()
    var mirror = Mirrored<ModelBatch<String, Card>>()
    try await mirror.apply(#require(await batches.next()).delta)
    let proposal = try await proposal(to: source) { $0.setModel(Card(id: 1, text: "x")) }
    try await source.setModel(Card(id: 1, text: "x"))
    try await mirror.apply(#require(await batches.next()).delta)
    let acceptance = try #require(try await source.accept(proposal, { _, _ in }).acceptance)
    let batch = try #require(await batches.next())
    #expect(batch.difference.isEmpty && batch.update.proposals == [proposal.id])
    #expect(batch.token == acceptance.token)
    // A mirror tells its own followers.
    let passed = try #require(await mirror.apply(batch.delta))
    #expect(passed.difference.isEmpty && passed.update.proposals == [proposal.id])
  }

  @Test("A base that nobody knows is an answer, and the proposal can be made again")
  func unknownBase() async throws {
    let source = Cards(options: SourceOptions(history: 1))
    try await source.apply([Card(id: 0)], section: { _ in "s" })
    let id = WriteID()
    let old = try await proposal(to: source, id: id) { $0.setModel(Card(id: 0, text: "x")) }
    for number in 1..<4 {
      try await source.update { try $0.appendItems([Card(id: number)], toSection: "s") }
    }
    guard case .unknownBase = try Self.sent(await source.accept(old, { _, _ in })) else {
      Issue.record("the base is known")
      return
    }
    let new = try await proposal(to: source, id: id) { $0.setModel(Card(id: 0, text: "x")) }
    let acceptance = try #require(try await source.accept(new, { _, _ in }).acceptance)
    #expect(await source.model(for: 0)?.text == "x")
    // Now the old one is answered, too.
    let again = try #require(try await source.accept(old, { _, _ in }).acceptance)
    #expect(again.token == acceptance.token)
    // A token of another source.
    let foreign = try await proposal(to: try await self.source()) {
      $0.setModel(Card(id: 0, text: "y"))
    }
    guard case .unknownBase = try await source.accept(foreign, { _, _ in }) else {
      Issue.record("the base is known")
      return
    }
  }

  @Test("Contradictions that only a later version knows are left out of its answer")
  func laterContradictions() throws {
    let text = #"""
      {"answer":"accepted","token":"AAAA","conflicts":[{"item":1,"contradiction":"paintedTwice"},
      {"item":2,"contradiction":"movedTwice"},{"place":3,"contradiction":"takenTwice"}]}
      """#
    let answer = try JSONDecoder().decode(
      ProposalAnswer<UpdateBatch<String, Int>>.self, from: Data(text.utf8))
    #expect(answer.acceptance?.conflicts == [.item(2, .movedTwice)])
    #expect(answer.acceptance?.token == ResumeToken("AAAA"))
  }

  @Test("A function of the main actor can decide") @MainActor func mainActor() async throws {
    let source = try await source()
    let proposal = try await proposal(to: source) { $0.setModel(Card(id: 1, text: "x")) }
    try await source.accept(proposal) { change, draft in
      #expect(change.changes.count == 1)
      draft.setModel(Card(id: 1, text: "y"))
    }
    #expect(await source.model(for: 1)?.text == "y")
  }

  @Test("A proposal of one changed row has at most 250 bytes beyond its model")
  func size() async throws {
    let source = try await source()
    let card = Card(id: 1, text: "x")
    let proposal = try await proposal(to: source) { $0.setModel(card) }
    let text = try JSONEncoder().encode(proposal)
    #expect(try text.count - JSONEncoder().encode(card).count <= 250)
  }
}

extension ModelSource<String, Card> {
  /// The models of a state, hidden ones included.
  func cards(of snapshot: Snapshot<String, Int>) -> [Card] {
    snapshot.everyItem.compactMap { model(for: $0) }
  }
}

extension Snapshot {
  /// All items, hidden ones included.
  var everyItem: [ItemID] {
    sectionIdentifiers.flatMap { outline(ofSection: $0)?.items ?? itemIdentifiers(inSection: $0) }
  }
}
