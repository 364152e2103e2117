import Diffable
import DiffableSync
import DiffableTesting
import ListSupport
import Testing

/// What a delta or a proposal costs does not depend on what stays.
@Suite struct ExchangeCostTests {
  private typealias Identifier = CountedIdentifier

  /// What comes from another process, and to which list.
  enum Way: CaseIterable {
    case deltaOfList, deltaOfOutline, proposal
    /// Others have written since its base.
    case staleProposal
  }

  @Test(
    "As many identifiers are hashed and compared, however long the list is",
    .enabled(if: !checksInvariants), arguments: Way.allCases)
  func questions(_ way: Way) async throws {
    func questions(_ size: Int) async throws -> Int {
      let counter = IdentifierCounter()
      func item(_ number: Int) -> Identifier { Identifier(number: number, counter: counter) }
      var start = Snapshot<String, Identifier>()
      start.appendSections(["list", "other"])
      if way == .deltaOfOutline {
        var outline = Outline<Identifier>()
        try outline.append((0..<10).map(item))
        try outline.append((10..<size).map(item), to: item(5))
        try start.setOutline(outline, forSection: "list")
      } else {
        try start.appendItems((0..<size).map(item), toSection: "list")
      }
      func next(_ list: Snapshot<String, Identifier>, _ step: Int) throws
        -> Snapshot<String, Identifier>
      {
        var next = list
        try next.insertItems([item(size + step)], beforeItem: item(3))
        try next.moveItem(item(7), afterItem: item(step))
        next.deleteItems([item(40 + step)])
        return next
      }
      var count = 0
      if way == .deltaOfList || way == .deltaOfOutline {
        var sequence = BatchSequence<String, Identifier>()
        let mirror = MirrorSource<UpdateBatch<String, Identifier>>(
          options: SourceOptions(history: 0))
        _ = try sequence.next(start)
        try await mirror.apply(UpdateDelta(sequence.reset()))
        for step in 0..<4 {
          let batch = try sequence.next(next(sequence.snapshot, step))
          counter.reset()
          try await mirror.apply(UpdateDelta(batch))
          count += counter.hashCount + counter.comparisonCount
          #expect(await mirror.snapshot == sequence.snapshot)
        }
        return count
      }
      let source = try DataSourceActor(start)
      for step in 0..<4 {
        let (base, revision) = (await source.snapshot, await source.revision)
        let proposal = Proposal(
          try UpdateBatch(from: base, to: next(base, step)), basedOn: source.token(for: revision))
        if way == .staleProposal {
          try await source.update { try $0.moveItem(item(100 + step), toSection: "other") }
        }
        counter.reset()
        try #require(try await source.accept(proposal, { _, _ in }).acceptance != nil)
        count += counter.hashCount + counter.comparisonCount
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
      return (counter.hashCount, counter.comparisonCount)
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
      return (counter.hashCount, counter.comparisonCount)
    }
    let (few, many) = (try await questions(4), try await questions(400))
    let most = few.hashes + (isDeletion ? 100 : 6 * 400)
    #expect(many.hashes < most, "\(few) beside 4 changes, \(many) beside 400")
    #expect(many.comparisons < few.comparisons + 16 * 400)
  }
}
