import DiffableTesting
import Testing
import TestScope

@testable import Diffable

@Suite("A derived tree is made of the rows of the base, each below the one that it names")
struct TreeLawTests {
  typealias Derived = DerivedSource<ModelBatch<Folder, Note>, ModelBatch<Folder, Note>>
  typealias Query = QueryScript.Query

  /// A query that ends with a tree, or has none.
  struct Script: CustomStringConvertible {
    var rows: QueryScript
    var relation: Relation
    var isTree = true
    var isExpanded: Bool

    enum Relation: CaseIterable {
      /// Parents have smaller identifiers.
      case descent
      /// Rows may name each other in a circle.
      case any
    }

    var description: String { "\(rows) \(relation) \(isTree) \(isExpanded)" }

    func query(_ start: Query) -> Query {
      let query = rows.query(start, isDeclared: true)
      guard isTree else { return query }
      return query.outlined(
        id: relation, by: { [relation] in Self.parent(of: $0, relation) }, isExpanded: isExpanded)
    }

    static func parent(of note: Note, _ relation: Relation) -> Int? {
      guard note.title > 0 else { return nil }
      return switch relation {
      case .descent: note.id / (note.title + 1)
      case .any: (note.id * note.title + note.text) % 17
      }
    }

    static func random(_ random: inout SplitMix64) -> Script {
      // A window and a group now and then; the order of the rows is what a tree rests on.
      Script(
        rows: .random(&random), relation: random.chance(oneIn: 3) ? .any : .descent,
        isTree: !random.chance(oneIn: 5), isExpanded: random.chance(oneIn: 2))
    }

    /// The trees of some rows, from scratch.
    func trees(
      of list: QueryScript.Plain, _ flags: [Int: Bool]
    ) throws -> [Folder: Outline<Int>] {
      var trees: [Folder: Outline<Int>] = [:]
      for section in rows.evaluate(list).sections {
        let parents = Self.parents(of: section.notes, relation)
        var outline = Outline<Int>()
        func add(below parent: Int?) throws {
          for note in section.notes where parents[note.id] == parent {
            try outline.append([note.id], to: parent)
            try add(below: note.id)
          }
        }
        try add(below: nil)
        outline.expand(outline.items.filter { flags[$0] ?? isExpanded })
        trees[section.folder] = outline
      }
      return trees
    }

    /// The parent of each row that has one among the rows.
    private static func parents(of notes: [Note], _ relation: Relation) -> [Int: Int] {
      let numbers = Dictionary(uniqueKeysWithValues: notes.enumerated().map { ($1.id, $0) })
      var named: [Int: Int] = [:]
      for note in notes {
        guard let parent = parent(of: note, relation), parent != note.id, numbers[parent] != nil
        else { continue }
        named[note.id] = parent
      }
      var parents = named
      for note in notes {
        var circle = [note.id]
        while let last = circle.last, let next = named[last], next != note.id,
          circle.count <= notes.count
        { circle.append(next) }
        guard let last = circle.last, named[last] == note.id else { continue }
        if circle.allSatisfy({ numbers[$0, default: 0] >= numbers[note.id, default: 0] }) {
          parents[note.id] = nil
        }
      }
      return parents
    }
  }

  @Test(
    "At every revision, whatever is expanded, and for who is slow",
    arguments: 1...rounds(30 as UInt64))
  func equalsScratch(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    var generator = SnapshotGenerator<Folder, Int>(
      seed: seed, section: { Folder($0) }, item: { $0 })
    let base = Notes(history: 200)
    var script = Script.random(&random)
    let derived = base.derived { script.query($0) }
    var follower = NoteFollower(derived)
    var flags: [Int: Bool] = [:]
    for step in 0..<40 {
      try await DerivedLawTests.change(base, &generator, &random)
      switch random.number(below: 6) {
      case 0:
        script = .random(&random)
        try await derived.setQuery { script.query($0) }
      case 1, 2:
        let items = random.sample(await base.snapshot.itemIdentifiers, oneIn: 5)
        let isExpanded = random.chance(oneIn: 2)
        for item in items { flags[item] = isExpanded }
        try await isExpanded ? derived.expandItems(items) : derived.collapseItems(items)
      default: break
      }
      if random.chance(oneIn: 3) { continue }
      let comment: Comment = "seed \(seed), step \(step), \(script)"
      let plain = QueryScript.Plain(await base.snapshot)
      let trees = script.isTree ? try script.trees(of: plain, flags) : nil
      let state = await derived.snapshot
      check(state, trees, script.rows.evaluate(plain), comment)
      try await follower.follow(derived, comment)
      check(follower.keeper.snapshot, trees, script.rows.evaluate(plain), comment)
    }
  }

  private func check(
    _ state: Snapshot<Folder, Int>, _ trees: [Folder: Outline<Int>]?, _ plain: QueryScript.Plain,
    _ comment: Comment
  ) {
    guard let trees else {
      #expect(QueryScript.Plain(state) == plain, comment)
      #expect(state.sectionIdentifiers.allSatisfy { state.outline(ofSection: $0) == nil }, comment)
      return
    }
    #expect(state.sectionIdentifiers == plain.sections.map(\.folder), comment)
    for section in plain.sections {
      #expect(state.outline(ofSection: section.folder) == trees[section.folder], comment)
      #expect(state.sectionModel(of: section.folder) == section.header, comment)
      let shown = section.notes.map { state.model(of: $0.id, as: Note.self) }
      #expect(shown == section.notes.map { .some($0) }, comment)
    }
  }
}

@Suite("A derived tree is folded by itself")
struct TreeTests {
  private static func makeBase() async throws -> Notes {
    let base = Notes()
    // A chain: each below the one before.
    try await base.apply((0..<6).map { Note(id: $0, title: $0) }, section: \.folder)
    return base
  }

  private static func chain(
    _ query: QueryScript.Query
  ) -> QueryScript.Query { query.outlined { $0.id == 0 ? nil : $0.id - 1 } }

  @Test("Two sources fold one base in two ways, and the base does not know")
  func twoWays() async throws {
    let base = try await Self.makeBase()
    let sources = [base.derived(Self.chain), base.derived(Self.chain)]
    let before = await base.revision
    try await sources[0].collapseItems([2])
    #expect(await sources[0].snapshot.itemIdentifiers == [0, 1, 2])
    #expect(await sources[1].snapshot.itemIdentifiers == Array(0..<6))
    #expect(await base.revision == before)
    try await sources[0].expandItems([2])
    #expect(await sources[0].snapshot.itemIdentifiers == Array(0..<6))
  }

  @Test("What is folded stays folded, through another query and when a row comes again")
  func remembered() async throws {
    let base = try await Self.makeBase()
    let derived = base.derived(Self.chain)
    try await derived.collapseItems([2])
    try await derived.setQuery { Self.chain($0.filter { $0.id != 4 }) }
    #expect(await derived.snapshot.itemIdentifiers == [0, 1, 2, 5])
    try await base.update { $0.snapshot.deleteItems([2]) }
    #expect(await derived.snapshot.itemIdentifiers == [0, 1, 3, 5])
    try await base.update { try $0.appendItems([Note(id: 2)], toSection: Folder(0)) }
    #expect(await derived.snapshot.itemIdentifiers == [0, 1, 2, 5])
  }

  @Test("A follower gets what is folded as a batch, also where it waits for one")
  func batches() async throws {
    let base = try await Self.makeBase()
    let derived = base.derived(Self.chain)
    var batches = derived.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.numberOfItems == 6)
    let next = Task { [batches] in
      var batches = batches
      return await batches.next()
    }
    try await wait { derived.metrics.waitingSubscribers != 0 }
    try await derived.collapseItems([0])
    let batch = try #require(await next.value)
    #expect(batch.difference.itemDeletes.count == 5)
    #expect(batch.snapshot.itemIdentifiers == [0])
  }

  @Test("A source that has finished folds nothing") func finished() async throws {
    let derived = try await Self.makeBase().derived(Self.chain)
    await derived.finish()
    await #expect(throws: DataSourceError.finished) { try await derived.expandItems([1]) }
  }

  @Test("A circle is opened at its first row, and closed again") func circle() async throws {
    let base = Notes()
    try await base.apply((0..<4).map { Note(id: $0, title: $0) }, section: \.folder)
    let derived = base.derived { $0.outlined { $0.text == 0 ? nil : $0.text - 1 } }
    func outline() async -> String {
      await derived.snapshot.outline(ofSection: Folder(0))?.description ?? ""
    }
    _ = await outline()
    // 1 below 2, 2 below 3, 3 below 1.
    try await base.setModels([
      Note(id: 1, text: 3), Note(id: 2, text: 4), Note(id: 3, text: 2),
    ])
    #expect(await outline() == "▾ 0\n▾ 1\n  ▾ 3\n    ▾ 2")
    try await base.setModels([Note(id: 3, text: 1)])
    #expect(await outline() == "▾ 0\n  ▾ 3\n    ▾ 2\n      ▾ 1")
  }
}
