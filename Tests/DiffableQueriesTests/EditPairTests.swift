import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("One write with two edits is followed by every operation, and by what is made of two lists")
struct EditPairTests {
  private typealias Derived = DerivedLawTests.Derived
  private typealias Plain = QueryScript.Plain
  private typealias Edit = @Sendable (inout ModelDraft<Folder, Note>) throws -> Void

  /// Three sections, in which some rows name others of their section as parents.
  private static let notes = [
    Note(id: 0, folder: 0), Note(id: 1, folder: 0, title: 1, text: 1),
    Note(id: 2, folder: 0, title: 1, text: 2), Note(id: 3, folder: 1, title: 2, text: 1),
    Note(id: 4, folder: 1, text: 1), Note(id: 5, folder: 2, title: 1),
  ]

  private static let edits: [Edit] = [
    { $0.deleteItems([0]) }, { $0.deleteItems([4]) }, { $0.deleteItems([1, 5]) },
    { $0.snapshot.deleteSections([1]) },
    { try $0.moveItem(0, afterItem: 2) }, { try $0.moveItem(2, beforeItem: 0) },
    { try $0.moveItem(3, beforeItem: 0) }, { try $0.moveItem(1, toSection: 2) },
    { try $0.update(1) { $0.text = 0 } }, { try $0.update(2) { $0.title = 0 } },
    { try $0.update(4) { ($0.title, $0.text) = (3, 2) } },
    { try $0.renameItem(1, to: Note(id: 8, folder: 0, title: 1, text: 1)) },
    { try $0.renameItem(5, to: Note(id: 9, folder: 2, text: 2)) },
    { try $0.insertItems([Note(id: 10, title: 1, text: 1)], beforeItem: 0) },
    { try $0.appendItems([Note(id: 11, folder: 1, title: 2)], toSection: 1) },
    { try $0.snapshot.moveSection(2, beforeSection: 0) },
    { try $0.snapshot.moveSection(0, afterSection: 1) },
    { draft in
      try draft.snapshot.insertSections([3], beforeSection: 1)
      try draft.appendItems([Note(id: 12, folder: 3, title: 1, text: 2)], toSection: 3)
    },
    { $0.appendSections([4]) }, { try $0.setSectionModel("first", for: 0) },
    { try $0.snapshot.reloadSections([1]) },
  ]

  private static let scripts: [[QueryScript.Operation]] = [
    [.filter(mostly: 1)], [.sort(by: .title, ascending: true)],
    [.sortByValue(.text, reverse: true), .filter(mostly: 0)],
    [.group(by: .text, ascending: true), .count], [.groupAlways(by: .text), .sum],
    [.sort(by: .text, ascending: false), .group(by: .title, ascending: false), .window(0..<3)],
    [.window(1..<4)], [.suffix(3)], [.distinct(by: .text)],
    [.sort(by: .title, ascending: true), .distinct(by: .text)],
    [.rank(by: .text, first: nil)], [.omitEmptySections, .rank(by: .title, first: 2)],
    [.map(by: 1), .sort(by: .text, ascending: true)], [.sum, .filter(mostly: 2)],
    // The order is that of what was shown before.
    [.sort(by: .title, ascending: false), .map(by: 1), .group(by: .text, ascending: true)],
    [.sortSections(by: .words, reverse: false)], [.sortSections(by: .count, reverse: true)],
    [.filterSections(.sum, mostly: 2), .shorten(1, says: true)], [.shorten(2, says: true)],
    [.outline(.descent, isExpanded: true, loads: false)],
    [.group(by: .text, ascending: true), .outline(.descent, isExpanded: false, loads: false)],
    [.outline(.descent, isExpanded: true, loads: false), .totals],
    [
      .outline(.descent, isExpanded: false, loads: false),
      .search(mostly: 1, keepsUnloaded: false),
    ],
    [.outline(.any, isExpanded: true, loads: true), .search(mostly: 2, keepsUnloaded: true)],
  ]

  /// A list and what it should show for a state of the first list.
  private struct Case {
    let name: String
    let list: Derived
    let expected: (Plain) -> Plain
    var follower: ProgramFollower

    init(_ name: String, _ list: Derived, _ expected: @escaping (Plain) -> Plain) {
      (self.name, self.list, self.expected) = (name, list, expected)
      follower = ProgramFollower(list)
    }
  }

  private static func name(_ note: Note) -> Int? { note.title > 0 ? note.title : nil }
  private static func join(_ note: Note, _ found: Note?) -> Note {
    var joined = note
    joined.text = note.text + 10 * (found.map { $0.text + 1 } ?? 0)
    return joined
  }

  /// Every query, and lists that are made of the first list and another one, on both sides.
  private static func cases(of base: Notes, _ other: Notes) async -> [Case] {
    let second = Plain(await other.snapshot)
    let queries = scripts.map { operations in
      let script = QueryScript(operations: operations)
      return Case(
        script.description,
        base.derived(options: .strict) { script.query($0, isDeclared: false) },
        { script.evaluate($0) })
    }
    return queries + [
      Case("merged", base.merged(with: other, options: .strict)) { $0.merged(with: second) },
      Case("merged with it", other.merged(with: base, options: .strict)) {
        second.merged(with: $0)
      },
      Case("intersection", base.intersection(other, options: .strict)) {
        $0.selected(by: second, keepsShown: true)
      },
      Case("subtracted", other.subtracting(base, options: .strict)) {
        second.selected(by: $0, keepsShown: false)
      },
      Case("joined", base.joined(with: other, by: { name($0) }, options: .strict) { join($0, $1) })
      { $0.joined(with: second, by: name, join) },
      Case(
        "joined with it",
        other.joined(with: base, by: { name($0) }, options: .strict) { join($0, $1) }
      ) { second.joined(with: $0, by: name, join) },
    ]
  }

  /// Each edit alone, and with each other one in both orders.
  private static var pairs: [(first: Int, second: Int)] {
    edits.indices.flatMap { first in edits.indices.map { (first, $0) } }.enumerated()
      .filter { $1.0 == $1.1 || isInScope($0, usual: 23) }.map(\.element)
  }

  private static func edit(_ base: Notes, _ pair: (first: Int, second: Int)) async throws {
    try await base.update { draft in
      // One that has become impossible does nothing.
      try? edits[pair.first](&draft)
      if pair.second != pair.first { try? edits[pair.second](&draft) }
    }
  }

  private static func makeBase() async throws -> Notes {
    let base = Notes()
    try await base.apply(notes, section: \.folder)
    try await base.setSectionModel("one", for: 1)
    return base
  }

  private static func makeOther() async throws -> Notes {
    let other = Notes()
    try await other.apply(
      [(1, 1), (20, 1), (4, 0), (5, 6), (12, 6)].map {
        Note(id: $0, folder: Folder($1), title: $0 % 6, text: $0 % 3)
      }, section: \.folder)
    try await other.setSectionModel("other", for: 1)
    return other
  }

  @Test("Each edit with each other one, in both orders") func everyPair() async throws {
    let other = try await Self.makeOther()
    for pair in Self.pairs {
      let base = try await Self.makeBase()
      var cases = await Self.cases(of: base, other)
      for index in cases.indices { try await cases[index].follower.follow(cases[index].list) }
      try await Self.edit(base, pair)
      let state = Plain(await base.snapshot)
      for index in cases.indices {
        // A subscriber has it all from the batches.
        try await cases[index].follower.follow(cases[index].list)
        let shown = Plain(cases[index].follower.keeper.snapshot)
        let comment: Comment = "edits \(pair), \(cases[index].name)"
        #expect(shown == cases[index].expected(state), comment)
      }
    }
  }

  private func headers<ItemID>(of state: Snapshot<Folder, ItemID>) -> [Folder: String] {
    state.sectionIdentifiers.reduce(into: [:]) { $0[$1] = state.sectionModel(of: $1) }
  }

  @Test("Also where several rows show one, in the first or the second list", arguments: [0, 1])
  func severalRows(edited: Int) async throws {
    let kinds = [0, 2, 3].map { NestedJoinTests.kinds[$0] }
    let name = NestedJoinTests.name
    for pair in Self.pairs {
      let (base, other) = (try await Self.makeBase(), try await Self.makeOther())
      let (left, right) = edited == 0 ? (base, other) : (other, base)
      let lists = kinds.map { left.joined(withEachOf: right, by: name, $0, options: .strict) }
      let treeList = left.outlined(withEachOf: right, by: name, unmatchedIn: 1, options: .strict)
      let partList = base.flatMapped(options: .strict, PartsTests.takes)
      let shortList = base.abridged(to: 1, options: .strict)
      var joined = lists.map { RowFollower($0) }
      var (tree, parts) = (RowFollower(treeList), RowFollower(partList))
      var abridged = RowFollower(shortList)
      for step in 0..<2 {
        if step == 1 { try await Self.edit(base, pair) }
        let comment: Comment = "edits \(pair), step \(step)"
        let notes = PlainRows<Note>(await base.snapshot)
        let (first, second) = (
          PlainRows<Note>(await left.snapshot), PlainRows<Note>(await right.snapshot)
        )
        for index in kinds.indices {
          let shown = try await joined[index].rows()
          #expect(shown == NestedJoinTests.naive(first, second, kinds[index]), comment)
        }
        let outlined = NestedJoinTests.naive(first, second, .full(unmatchedIn: 1), isTree: true)
        #expect(try await tree.rows() == outlined, comment)
        #expect(try await parts.rows() == PartsTests.naive(notes), comment)
        #expect(try await abridged.rows() == AbridgedTests.naive(notes, 1), comment)
        // Sections have the headers of the list that they are from.
        let (headers, own) = (headers(of: await left.snapshot), headers(of: await base.snapshot))
        for list in lists + [treeList] {
          #expect(self.headers(of: await list.snapshot) == headers, comment)
        }
        #expect(self.headers(of: await partList.snapshot) == own, comment)
        #expect(self.headers(of: await shortList.snapshot) == own, comment)
      }
    }
  }

  @Test("So are totals of the list, of a section, and of what is below a row") func totals()
    async throws
  {
    let aggregate = Aggregate<Note, [Int]>.reduce(of: { [$0.id, $0.text] }, []) { $0 + $1 }
    func words(_ notes: [Note]) -> [Int] { notes.flatMap { [$0.id, $0.text] } }
    let script = QueryScript(operations: [.outline(.descent, isExpanded: false, loads: false)])
    for pair in Self.pairs {
      let base = try await Self.makeBase()
      let tree = base.derived(options: .strict) { script.query($0, isDeclared: false) }
      let (all, section) = (base.total(aggregate), base.total(ofSection: 1, aggregate))
      let below = tree.total(below: 1, aggregate)
      for step in 0..<2 {
        if step == 1 { try await Self.edit(base, pair) }
        let comment: Comment = "edits \(pair), step \(step)"
        let state = Plain(await base.snapshot)
        let notes = state.sections.flatMap(\.notes)
        #expect(await all.value == words(notes), comment)
        #expect(
          await section.value == words(state.sections.first { $0.folder == 1 }?.notes ?? []),
          comment)
        // It follows the row under its other identifier.
        let row = notes.contains { $0.id == 8 } ? 8 : 1
        #expect(await below.value == words(script.evaluate(state).notes(below: row)), comment)
      }
    }
  }
}

extension QueryScript.Plain {
  /// The rows below a row of a tree, hidden ones too.
  fileprivate func notes(below row: Int) -> [Note] {
    for section in sections {
      guard let tree = section.tree, let level = tree.level(of: row) else { continue }
      let notes = section.notes + section.hidden.values
      return tree.items.drop { $0 != row }.dropFirst()
        .prefix { tree.level(of: $0).map { $0 > level } ?? false }
        .compactMap { item in notes.first { $0.id == item } }
    }
    return []
  }
}
