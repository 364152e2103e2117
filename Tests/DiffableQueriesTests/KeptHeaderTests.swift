import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

/// A query may leave a section out for a while: it comes back as what it is by then.
@Suite("Sections that a query shows have the models that they have", .deadline)
struct KeptHeaderTests {
  private typealias Derived = DerivedLawTests.Derived
  private typealias Query = QueryScript.Query
  private typealias Plain = QueryScript.Plain

  /// A query, and whether it shows a section.
  private struct Case: Sendable {
    let name: String
    let query: @Sendable (Query) -> Query
    let shows: @Sendable (Plain.Section) -> Bool
  }

  @Sendable private static func hasRows(_ section: Plain.Section) -> Bool { !section.notes.isEmpty }
  @Sendable private static func hasFound(_ section: Plain.Section) -> Bool {
    section.notes.contains { $0.text > 0 }
  }
  @Sendable private static func isThere(_ section: Plain.Section) -> Bool { true }

  private static let cases = [
    Case(name: "filter", query: { $0.filter { $0.text > 0 } }, shows: isThere),
    Case(
      name: "found", query: { $0.omittingEmptySections().filter { $0.text > 0 } }, shows: hasFound),
    Case(
      name: "sorted",
      query: { $0.omittingEmptySections().filter { $0.text > 0 }.sorted { $0.id > $1.id } },
      shows: hasFound),
    Case(
      name: "distinct",
      query: { $0.omittingEmptySections().filter { $0.text > 0 }.distinct(by: \.id) },
      shows: hasFound),
    Case(name: "window", query: { $0.window(0..<100) }, shows: hasRows),
    Case(name: "search", query: { $0.searched { $0.text > 0 } }, shows: isThere),
    Case(
      name: "what is found",
      query: { $0.omittingEmptySections().searched { $0.text > 0 } }, shows: hasFound),
    Case(name: "full", query: { $0.filterSections(.count) { $0 > 0 } }, shows: hasRows),
    Case(
      name: "worth",
      query: { $0.filterSections(.sum(of: \.text)) { $0 > 0 }.prefix(ofEachSection: 1) },
      shows: hasFound),
    Case(
      name: "by their sums", query: { $0.sectionsSorted(by: .sum(of: \.text)) }, shows: isThere),
  ]

  /// Edits a list in one or two ways; one that is not possible does nothing.
  private static func edit(
    _ draft: inout ModelDraft<Folder, Note>, _ random: inout SplitMix64, areTrees: Bool
  ) {
    for _ in 0...random.number(below: 2) {
      let section = Folder(random.number(below: 3))
      let item = random.number(below: 5)
      switch random.number(below: 16) {
      case 0...5: try? draft.update(item) { $0.text = 1 - $0.text }
      case 6:
        guard !draft.snapshot.containsItem(item) else { continue }
        try? draft.appendItems([Note(id: item, text: item % 2)], toSection: section)
      case 7: draft.deleteItems([item])
      case 8: try? draft.moveItem(item, toSection: section)
      case 9, 10: try? draft.setSectionModel("\(random.number(below: 3))", for: section)
      case 11: try? draft.setSectionModel(nil, for: section)
      case 12:
        guard let first = draft.snapshot.sectionIdentifiers.first else { continue }
        try? draft.snapshot.moveSection(section, beforeSection: first)
      case 13: return draft.snapshot.deleteSections([section])
      default: append(section, to: &draft, areTrees: areTrees)
      }
    }
  }

  private static func append(
    _ section: Folder, to draft: inout ModelDraft<Folder, Note>, areTrees: Bool
  ) {
    guard !draft.snapshot.containsSection(section) else { return }
    draft.appendSections([section])
    if areTrees { try? draft.snapshot.setOutline(Outline(), forSection: section) }
  }

  private static func makeBase(areTrees: Bool) async throws -> Notes {
    let base = Notes()
    try await base.update { draft in
      for section: Folder in [0, 1, 2] { append(section, to: &draft, areTrees: areTrees) }
      for item in 0..<5 {
        try draft.appendItems([Note(id: item, text: item / 3)], toSection: Folder(item % 3))
      }
      for section: Folder in [0, 1] { try draft.setSectionModel("first", for: section) }
    }
    return base
  }

  private static func edit(_ base: Notes, seed: UInt64, areTrees: Bool) async throws {
    try await base.update { draft in
      var random = SplitMix64(seed: seed)
      edit(&draft, &random, areTrees: areTrees)
    }
  }

  /// Sections by what their rows come to, and otherwise as they are.
  private static func sorted(_ sections: [Plain.Section]) -> [Plain.Section] {
    let sums = sections.map { $0.notes.reduce(0) { $0 + $1.text } }
    return sections.indices.sorted { (sums[$0], $0) < (sums[$1], $1) }.map { sections[$0] }
  }

  @Test(arguments: 0..<UInt64(rounds(48)))
  func `Rows, models and sections change, and sections come and go`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let areTrees = seed.isMultiple(of: 2)
    let base = try await Self.makeBase(areTrees: areTrees)
    let lists = Self.cases.map { base.derived(options: .strict, $0.query) }
    let streams = lists.map { $0.updates() }
    for step in 0..<30 {
      try await Self.edit(base, seed: random.next(), areTrees: areTrees)
      let sections = Plain(await base.snapshot).sections
      for (list, kind) in zip(lists, Self.cases) {
        var expected = sections.filter(kind.shows)
        if kind.name == "by their sums" { expected = Self.sorted(expected) }
        let (state, comment) = (
          await list.snapshot, "seed \(seed), step \(step), \(kind.name)" as Comment
        )
        #expect(state.sectionIdentifiers == expected.map(\.folder), comment)
        #expect(
          expected.map(\.header) == expected.map { state.sectionModel(of: $0.folder) }, comment)
        guard step.isMultiple(of: 4) else { continue }
        let made = await base.derived(kind.query).snapshot
        #expect(Plain(state) == Plain(made), comment)
      }
    }
    withExtendedLifetime(streams) {}
  }

  /// The models of the sections that a list of any rows shows.
  private static func headers<Item>(_ state: Snapshot<Folder, Item>) -> [String] {
    state.sectionIdentifiers.map { "\($0): \(state.sectionModel(of: $0) ?? "none")" }
  }

  @Test("Lists of other rows have those of the list, too", arguments: 0..<UInt64(rounds(16)))
  func made(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let base = try await Self.makeBase(areTrees: false)
    let other = try await Notes.of([Note(id: 1, title: 1), Note(id: 2, title: 9)])
    let abridged = base.abridged(to: 1, options: .strict)
    let parts = base.flatMapped(options: .strict) { [$0] }
    let tree = base.outlined(withEachOf: other, by: \.title, options: .strict)
    for step in 0..<20 {
      let expected = Self.headers(await base.snapshot)
      let comment: Comment = "seed \(seed), step \(step)"
      #expect(Self.headers(await abridged.snapshot) == expected, comment)
      #expect(Self.headers(await parts.snapshot) == expected, comment)
      #expect(Self.headers(await tree.snapshot) == expected, comment)
      try await Self.edit(base, seed: random.next(), areTrees: false)
    }
  }
}
