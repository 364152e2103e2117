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

  @Test("Each edit with each other one, in both orders") func pairs() async throws {
    let other = Notes()
    try await other.apply(
      [(1, 1), (20, 1), (4, 0), (5, 6), (12, 6)].map {
        Note(id: $0, folder: Folder($1), title: $0 % 6, text: $0 % 3)
      }, section: \.folder)
    try await other.setSectionModel("other", for: 1)
    for first in Self.edits.indices {
      for second in Self.edits.indices
      where first == second || isInScope(first * Self.edits.count + second, usual: 23) {
        let base = Notes()
        try await base.apply(Self.notes, section: \.folder)
        try await base.setSectionModel("one", for: 1)
        var cases = await Self.cases(of: base, other)
        for index in cases.indices {
          try await cases[index].follower.follow(cases[index].list)
        }
        try await base.update { draft in
          // One that has become impossible does nothing.
          try? Self.edits[first](&draft)
          if second != first { try? Self.edits[second](&draft) }
        }
        let state = Plain(await base.snapshot)
        for index in cases.indices {
          let (name, list) = (cases[index].name, cases[index].list)
          let comment: Comment = "edits \(first) and \(second), \(name)"
          // A subscriber has it all from the batches.
          try await cases[index].follower.follow(list)
          let shown = Plain(cases[index].follower.keeper.snapshot)
          #expect(shown == cases[index].expected(state), comment)
        }
      }
    }
  }
}
