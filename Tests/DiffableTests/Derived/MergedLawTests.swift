import DiffableTesting
import Testing
import TestScope

@testable import Diffable

@Suite("Two merged sources are one list: the first, then what only the second has")
struct MergedLawTests {
  @Test(
    "At every revision, whichever changes, and below a query",
    arguments: 1...rounds(20 as UInt64))
  func equalsScratch(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    // Both know the same identifiers, so that much is in both.
    var generator = SnapshotGenerator<Folder, Int>(
      seed: seed, section: { Folder($0) }, item: { $0 })
    let sources = [Notes(), Notes()]
    let merged = sources[0].merged(with: sources[1])
    let script = QueryScript.random(&random)
    let derived = merged.derived { script.query($0, isDeclared: true) }
    var follower = NoteFollower(merged)
    for step in 0..<40 {
      let comment: Comment = "seed \(seed), step \(step), \(script)"
      try await Self.change(
        sources[random.number(below: 2)], &generator, &random, isFirst: step == 0)
      if random.chance(oneIn: 3) { continue }
      let expected = Self.merge(
        .init(await sources[0].snapshot), .init(await sources[1].snapshot))
      #expect(QueryScript.Plain(await merged.snapshot) == expected, comment)
      try await follower.follow(merged, comment)
      #expect(QueryScript.Plain(follower.keeper.snapshot) == expected, comment)
      let shown = QueryScript.Plain(await derived.snapshot)
      #expect(shown == script.evaluate(expected), comment)
      let revisions = await merged.baseRevisions(of: merged.revision)
      let live = [await sources[0].revision, await sources[1].revision]
      #expect(revisions == live, comment)
    }
  }

  @Test("It ends when both have ended") func ends() async throws {
    let sources = [Notes(), Notes()]
    try await sources[0].apply([Note(id: 1)], section: \.folder)
    let merged = sources[0].merged(with: sources[1])
    var batches = merged.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.itemIdentifiers == [1])
    await sources[0].finish()
    try await sources[1].apply([Note(id: 2)], section: \.folder)
    #expect(await batches.next()?.snapshot.itemIdentifiers == [1, 2])
    await sources[1].finish()
    #expect(await batches.next() == nil)
  }

  /// The first list, then what only the second has.
  static func merge(
    _ first: QueryScript.Plain, _ second: QueryScript.Plain
  ) -> QueryScript.Plain {
    var merged = first
    let known = Set(first.sections.flatMap(\.notes).map(\.id))
    for section in second.sections {
      let notes = section.notes.filter { !known.contains($0.id) }
      if let index = merged.sections.firstIndex(where: { $0.folder == section.folder }) {
        merged.sections[index].notes += notes
      } else {
        merged.sections.append(.init(folder: section.folder, header: section.header, notes: notes))
      }
    }
    return merged
  }

  static func change(
    _ source: Notes, _ generator: inout SnapshotGenerator<Folder, Int>,
    _ random: inout SplitMix64, isFirst: Bool
  ) async throws {
    let state = await source.snapshot
    func note(_ id: Int) -> Note {
      Note(
        id: id, folder: Folder(random.number(below: 3)), title: random.number(below: 5),
        text: random.number(below: 3))
    }
    switch isFirst ? 0 : random.number(below: 5) {
    case 0:
      let next = generator.snapshot(.anyOf(sections: 4, items: 24))
      try await source.apply(next, models: next.itemIdentifiers.map(note))
    case 1:
      let (items, sections) = (state.itemIdentifiers, state.sectionIdentifiers)
      let (item, anchor) = (random.element(of: items), random.element(of: items))
      let (section, other) = (random.element(of: sections), random.element(of: sections))
      let choice = random.number(below: 4)
      let new = note(random.number(below: 24))
      try await source.update { draft in
        guard let item, let anchor, let section, let other else { return }
        switch choice {
        case 0: try draft.snapshot.moveItem(item, beforeItem: anchor)
        case 1: try draft.snapshot.moveSection(section, afterSection: other)
        case 2: draft.snapshot.deleteItems([item])
        default:
          guard !draft.snapshot.containsItem(new.id) else { return }
          try draft.appendItems([new], toSection: section)
        }
      }
    case 2:
      guard let section = random.element(of: state.sectionIdentifiers) else { break }
      let title = random.chance(oneIn: 3) ? nil : "title \(random.number(below: 3))"
      let deletes = random.chance(oneIn: 4)
      try await source.update { draft in
        if deletes {
          draft.snapshot.deleteSections([section])
        } else {
          try draft.setSectionModel(title, for: section)
        }
      }
    default:
      let some = random.sample(state.itemIdentifiers, oneIn: 5)
      try await source.setModels(some.map(note))
    }
  }
}
