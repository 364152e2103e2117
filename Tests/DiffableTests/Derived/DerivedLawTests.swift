import DiffableTesting
import Testing
import TestScope

@testable import Diffable

@Suite("A derived source is its query, worked out on the state of the base that it names")
struct DerivedLawTests {
  typealias Derived = DerivedSource<ModelBatch<Folder, Note>, ModelBatch<Folder, Note>>

  @Test(
    "At every revision, for every subscriber, whatever the query and whoever is slow",
    arguments: 1...rounds(25 as UInt64))
  func equalsScratch(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    var generator = SnapshotGenerator<Folder, Int>(
      seed: seed, section: { Folder($0) }, item: { $0 })
    let base = Notes(history: 200)
    var script = QueryScript.random(&random)
    let isDeclared = random.chance(oneIn: 2)
    let derived = base.derived { script.query($0, isDeclared: isDeclared) }
    let policies: [UpdatePolicy] = [.coalesced, .every(limit: 3), .coalesced]
    var followers = policies.map { NoteFollower(derived, $0) }
    for step in 0..<30 {
      try await Self.change(base, &generator, &random)
      if random.chance(oneIn: 6) {
        script = .random(&random)
        try await derived.setQuery { script.query($0, isDeclared: isDeclared) }
      } else if isDeclared, random.chance(oneIn: 8), !script.operations.isEmpty {
        // The beginning stays.
        script.operations[script.operations.count - 1] = .filter(mostly: random.number(below: 4))
        try await derived.setQuery { script.query($0, isDeclared: isDeclared) }
      }
      let comment: Comment = "seed \(seed), step \(step), \(script)"
      // Whoever asks may be cancelled at that moment.
      if random.chance(oneIn: 3) { await readingWhileCancelled(derived) }
      let live = await base.snapshot
      let expected = script.evaluate(.init(live))
      for index in followers.indices where random.chance(oneIn: index + 1) {
        let state = await derived.snapshot
        #expect(QueryScript.Plain(state) == expected, comment)
        try await followers[index].follow(derived, comment) { check($0, comment) }
        let keeper = followers[index].keeper
        #expect(QueryScript.Plain(keeper.snapshot) == expected, comment)
        #expect(keeper.models.count == keeper.snapshot.numberOfItems, comment)
        #expect(
          keeper.snapshot.itemIdentifiers.allSatisfy {
            keeper.models[$0] == keeper.snapshot.model(of: $0, as: Note.self)
          }, comment)
      }
      try await checkOrigin(derived, base, script, comment)
    }
  }

  /// Lets a task that is cancelled read the state.
  private func readingWhileCancelled(_ derived: Derived) async {
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = await derived.snapshot
    }.value
  }

  /// The revision that a state names is the one that it shows.
  private func checkOrigin(
    _ derived: Derived, _ base: Notes, _ script: QueryScript, _ comment: Comment
  ) async throws {
    let state = await derived.snapshot
    let revision = try #require(await derived.baseRevision(of: await derived.revision), comment)
    let origin = try #require(base.snapshot(at: revision), comment)
    #expect(QueryScript.Plain(state) == script.evaluate(.init(origin)), comment)
  }

  /// What shows something else is reconfigured.
  private func check(_ batch: ModelBatch<Folder, Note>, _ comment: Comment) {
    let update = batch.update
    guard update.previousSnapshot != nil else { return }
    let map = PositionMap(update.difference)
    let shown = Set(update.difference.itemReconfigures)
      .union(map.newPaths(forOld: update.difference.itemReloads))
    for item in update.snapshot.itemIdentifiers {
      guard let path = update.snapshot.itemPath(for: item), map.oldPath(forNew: path) != nil else {
        continue
      }
      let differs = batch.model(for: item) != batch.previousModel(for: item)
      let isShown =
        shown.contains(path)
        || map.newSections(forOld: update.difference.sectionReloads).contains(path.section)
      #expect(!differs || isShown, comment)
    }
  }

  /// Makes a random change of the base.
  static func change(
    _ base: Notes, _ generator: inout SnapshotGenerator<Folder, Int>, _ random: inout SplitMix64
  ) async throws {
    let state = await base.snapshot
    func note(_ id: Int) -> Note {
      Note(
        id: id, folder: Folder(random.number(below: 3)), title: random.number(below: 5),
        text: random.number(below: 3))
    }
    switch random.number(below: 6) {
    case 0 where state.numberOfItems < 60:
      let next = generator.snapshot(.uneven(sections: 3, items: 20))
      try await base.apply(next, models: next.itemIdentifiers.map(note))
    case 1, 2:
      let kind = random.element(of: SnapshotChange.allCases) ?? .mixed
      let next = generator.changing(state, by: kind)
      // Hidden rows of outlines need models, too.
      let items = (0..<next.numberOfSections).flatMap { index in
        next.outline(ofSectionAt: index)?.items ?? Array(next.items(inSectionAt: index))
      }
      let new = items.filter { !state.containsItem($0) || random.chance(oneIn: 9) }
      try await base.apply(next, models: new.map(note))
    case 3:
      let (items, sections) = (state.itemIdentifiers, state.sectionIdentifiers)
      let (item, anchor) = (random.element(of: items), random.element(of: items))
      let (section, other) = (random.element(of: sections), random.element(of: sections))
      let choice = random.number(below: 4)
      let new = note(generator.newItem())
      let marked = random.sample(items, oneIn: 10)
      // Some edits do not fit outlines, and change nothing.
      _ = try? await base.update { draft in
        guard let item, let anchor, let section, let other else { return }
        switch choice {
        case 0: try draft.snapshot.moveItem(item, beforeItem: anchor)
        case 1: try draft.snapshot.moveSection(section, afterSection: other)
        case 2:
          draft.snapshot.deleteItems([item])
          try draft.appendItems([new], toSection: section)
        default:
          try draft.snapshot.reconfigureItems(marked)
          try draft.snapshot.reloadSections([section])
        }
      }
    case 4:
      guard let section = random.element(of: state.sectionIdentifiers) else { break }
      try await base.setSectionModel(
        random.chance(oneIn: 3) ? nil : "title \(random.number(below: 3))", for: section)
    default:
      let some = random.sample(state.itemIdentifiers, oneIn: 6)
      try await base.setModels(some.map(note))
    }
  }
}
