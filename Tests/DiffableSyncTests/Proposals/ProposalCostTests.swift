import Diffable
import DiffableSync
import DiffableTesting
import ListSupport
import Synchronization
import Testing

/// What a proposal costs does not depend on what stays.
@Suite struct ProposalCostTests {
  @Test(
    "As many identifiers are hashed and compared, however long the list is",
    .enabled(if: !checksInvariants), arguments: [false, true])
  func questions(isStale: Bool) async throws {
    func questions(_ size: Int) async throws -> Int {
      let counter = IdentifierCounter()
      func item(_ number: Int) -> CountedIdentifier {
        CountedIdentifier(number: number, counter: counter)
      }
      var snapshot = Snapshot<String, CountedIdentifier>()
      snapshot.appendSections(["list", "other"])
      try snapshot.appendItems((0..<size).map(item), toSection: "list")
      let source = try DataSourceActor(snapshot)
      var count = 0
      for step in 0..<4 {
        let (base, revision) = (await source.snapshot, await source.revision)
        var next = base
        try next.insertItems([item(size + step)], beforeItem: item(3))
        try next.moveItem(item(7), afterItem: item(step))
        next.deleteItems([item(40 + step)])
        let proposal = Proposal(
          try UpdateBatch(from: base, to: next), basedOn: source.token(for: revision))
        if isStale {
          try await source.update { snapshot in
            try snapshot.moveItem(item(100 + step), toSection: "other")
          }
        }
        counter.reset()
        try #require(try await source.accept(proposal, { _, _ in }).acceptance != nil)
        count +=
          counter.hashes.load(ordering: .relaxed) + counter.comparisons.load(ordering: .relaxed)
        #expect(await source.snapshot.containsItem(item(size + step)))
      }
      return count
    }
    let (few, many) = (try await questions(500), try await questions(20_000))
    #expect(many < few * 2 + 200, "\(few) for 500 items, \(many) for 20,000")
  }

  struct Row: Identifiable, Equatable {
    let id: CountedIdentifier
    var title = ""
  }

  @Test(
    "What others have changed since the base costs a few comparisons each",
    .enabled(if: !checksInvariants))
  func questionsMeanwhile() async throws {
    func questions(_ others: Int) async throws -> (hashes: Int, comparisons: Int) {
      let counter = IdentifierCounter()
      func row(_ number: Int, _ title: String = "") -> Row {
        Row(id: CountedIdentifier(number: number, counter: counter), title: title)
      }
      let source = ModelSource<String, Row>(options: SourceOptions(history: 1_000))
      let follower = ModelSource<String, Row>()
      for list in [source, follower] {
        try await list.apply((0..<4_000).map { row($0) }, section: { _ in "list" })
      }
      let token = source.token(for: await source.revision)
      var batches = follower.updates(.every(limit: 10)).makeAsyncIterator()
      _ = await batches.next()
      try await follower.update {
        $0.setModel(row(7, "mine"))
        try $0.insertItems([row(5_000)], beforeItem: row(30).id)
      }
      let proposal = Proposal(try #require(await batches.next()), basedOn: token)
      for number in 0..<others { try await source.setModel(row(9 * number + 10, "theirs")) }
      counter.reset()
      try #require(try await source.accept(proposal, { _, _ in }).acceptance != nil)
      #expect(await source.model(for: row(7).id)?.title == "mine")
      #expect(await source.snapshot.containsItem(row(5_000).id))
      return (counter.hashes.load(ordering: .relaxed), counter.comparisons.load(ordering: .relaxed))
    }
    let (few, many) = (try await questions(4), try await questions(400))
    #expect(many.hashes < few.hashes + 200, "\(few) beside 4 changes, \(many) beside 400")
    #expect(many.comparisons < few.comparisons + 16 * 400)
  }

  @Test(
    "What others have deleted since the base is not looked up, and what they have moved a few times",
    .enabled(if: !checksInvariants), arguments: [false, true])
  func questionsAboutMoves(isDeletion: Bool) async throws {
    /// How many identifiers are hashed and compared for a proposal, after changes by others.
    func questions(_ others: Int) async throws -> (hashes: Int, comparisons: Int) {
      let counter = IdentifierCounter()
      func item(_ number: Int) -> CountedIdentifier {
        CountedIdentifier(number: number, counter: counter)
      }
      var base = Snapshot<String, CountedIdentifier>()
      base.appendSections(["list", "other"])
      try base.appendItems((0..<4_000).map(item), toSection: "list")
      let source = try DataSourceActor(base, options: SourceOptions(history: 1_000))
      let token = source.token(for: await source.revision)
      func proposal(_ number: Int) throws -> Proposal<UpdateBatch<String, CountedIdentifier>> {
        var next = base
        if isDeletion {
          next.deleteItems([item(number)])
        } else {
          try next.moveItem(item(number), toSection: number.isMultiple(of: 2) ? "list" : "other")
        }
        return Proposal(try UpdateBatch(from: base, to: next), basedOn: token)
      }
      for number in 0..<others { try await source.accept(proposal(9 * number + 10)) { _, _ in } }
      let last = try proposal(8)
      counter.reset()
      let acceptance = try #require(try await source.accept(last, { _, _ in }).acceptance)
      #expect(acceptance.conflicts.isEmpty)
      return (counter.hashes.load(ordering: .relaxed), counter.comparisons.load(ordering: .relaxed))
    }
    let (few, many) = (try await questions(4), try await questions(400))
    let most = few.hashes + (isDeletion ? 100 : 6 * 400)
    #expect(many.hashes < most, "\(few) beside 4 changes, \(many) beside 400")
    #expect(many.comparisons < few.comparisons + 16 * 400)
  }
}
