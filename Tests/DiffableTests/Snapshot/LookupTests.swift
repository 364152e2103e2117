import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableEngine

@Suite("Items found without a table")
struct ScanTests {
  @Test("A scan finds what the table finds", arguments: 0..<UInt64(rounds(4)))
  func places(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var live = LiveState<Int, Int>()
    _ = try live.apply(generator.snapshot(.uneven(sections: 6, items: 900)), duplicates: .reject)
    let detached = live.snapshot.detached
    var sought = live.snapshot.itemIdentifiers.filter { _ in
      generator.random.chance(oneIn: 40)
    }
    sought.append(-1)
    let places = try #require(detached.scan(for: sought), "seed \(seed)")
    for (item, places) in zip(sought, places) {
      #expect(places == live.snapshot.paths(ofItem: item), "seed \(seed), item \(item)")
    }
    #expect(
      Set(detached.firstPaths(ofItems: sought))
        == Set(sought.compactMap(live.snapshot.itemPath(for:))), "seed \(seed)")
    #expect(detached.base.resolution?.cached == nil, "seed \(seed)")
  }

  @Test("Only a value that is asked often makes a table")
  func seldom() throws {
    var live = LiveState<Int, Int>()
    _ = try live.apply(Snapshot(contents: [(0, Array(0..<1_000))]), duplicates: .reject)
    let detached = live.snapshot.detached
    #expect(detached.itemPath(for: 998) == ItemPath(section: 0, item: 998))
    #expect(!detached.containsItem(1_000) && detached.base.resolution?.cached == nil)
    for item in 0..<100 {
      #expect(detached.itemPath(for: item) == ItemPath(section: 0, item: item))
    }
    #expect(detached.base.resolution?.cached != nil)
  }

  @Test("What a writer has made asks the table of the live state, as the state itself does")
  func made() throws {
    var live = LiveState<Int, Int>()
    let start = live.snapshot
    let new = Snapshot<Int, Int>(contents: [(0, Array(0..<1_000))])
    let made = try #require(try live.apply(new, duplicates: .reject)).snapshot
    let replay = Replay(from: start, to: made, .init())
    for item in 0..<1_000 {
      #expect(replay.result.itemPath(for: item) == ItemPath(section: 0, item: item))
      #expect(!replay.result.containsItem(-1 - item))
    }
    #expect(replay.result.base.resolution?.cached == nil)
  }

  @Test("An array that is not hashed yet is not scanned")
  func arrays() {
    let snapshot = Snapshot<Int, Int>(contents: [(0, Array(0..<1_000))])
    #expect(snapshot.scan(for: [3]) == nil)
    #expect(snapshot.itemPath(for: 3) == ItemPath(section: 0, item: 3))
  }
}

@Suite("A lookup table that goes on from an earlier state answers like one made anew")
struct ContinuationTests {
  typealias List = Snapshot<Int, Int>

  private func expectAnswers(
    of state: List, like plain: List, asking items: Set<Int>, _ comment: Comment
  ) {
    #expect(state == plain, comment)
    #expect(state.faults(asking: items) == [], comment)
  }

  @Test("along the states of one list, and to one of another", arguments: SnapshotChange.allCases)
  func continuation(change: SnapshotChange) async throws {
    for seed in 0..<scoped(usual: 2, wide: 6 as UInt64) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let first = generator.snapshot(.uneven(sections: 5, items: seed % 2 == 0 ? 30 : 300))
      let source = try DataSourceActor<Int, Int>(first)
      var live = await source.snapshot
      var shown = live.resolved(continuing: List())
      var items = Set(first.itemIdentifiers)
      for step in 0..<4 {
        let new = generator.changing(live, by: change)
        items.formUnion(new.itemIdentifiers)
        try await source.apply(new)
        live = await source.snapshot
        // Half of the steps share no storage with what is shown.
        let next = step % 2 == 0 ? live : new.detached
        shown = next.resolved(continuing: shown)
        #expect(shown.base.itemTable != nil)
        expectAnswers(of: shown, like: new, asking: items, "\(change), seed \(seed), step \(step)")
      }
      let stranger = generator.snapshot(.anyOf(sections: 5, items: 30))
      items.formUnion(stranger.itemIdentifiers)
      expectAnswers(
        of: stranger.resolved(continuing: shown), like: stranger, asking: items,
        "\(change), seed \(seed), another list")
    }
  }

  @Test("A table that is there already is not made again, and nothing is taken from no table")
  func existing() throws {
    var list = List()
    list.appendSections([0])
    try list.appendItems(0..<9)
    let resolved = list.resolved(continuing: List())
    #expect(resolved.itemPath(for: 8) == ItemPath(section: 0, item: 8))
    #expect(resolved.resolved(continuing: list).itemPath(for: 8) != nil)
    var twice = list
    twice.appendSections([0])
    #expect(twice.resolved(continuing: resolved).itemPath(for: 8) == ItemPath(section: 0, item: 8))
  }
}

/// A state shares what it has looked up with its copies; a copy that is edited must not.
@Suite struct EditedLookupTests {
  private static let edits: [(name: String, edit: @Sendable (inout List) throws -> Void)] = [
    ("a rename by path", { $0 = $0.naming([(ItemPath(section: 0, item: 0), 10)]) }),
    ("a rename of a hidden row", { $0.rename(ItemRename(old: 2, new: 20)) }),
    (
      "another outline",
      { state in
        guard var outline = state.outline(ofSectionAt: 0) else { return }
        try outline.append([4], to: 3)
        state.exchangeOutline(outline, ofSectionAt: 0)
      }
    ),
    ("a list", { $0.exchangeRows(.list([3, 4]), ofSectionAt: 0) }),
    ("an expanded row", { $0.expandItems([1]) }),
    ("a moved row", { try $0.moveItem(3, beforeItem: 1) }),
    ("a deleted row", { $0.deleteItems([1]) }),
    ("an inserted row", { try $0.insertItems([4], afterItem: 1) }),
    ("a list instead of the outline", { try $0.removeOutline(ofSection: "tree") }),
  ]

  @Test("Lookups see the edited rows", arguments: edits.indices, [false, true])
  func lookups(edit: Int, isAskedBefore: Bool) throws {
    let outline = try Outline([1, 2, 3], levels: [0, 1, 0])
    let state = try List(outline, in: "tree")
    // A state of a history has no table; the first lookups make one for all its copies.
    let shown = state.detached
    if isAskedBefore { _ = shown.resolved }
    var edited = shown
    try Self.edits[edit].edit(&edited)
    let name = Self.edits[edit].name
    if !isAskedBefore { _ = shown.resolved }
    #expect(shown.resolved == state, "\(name)")
    #expect(edited.resolved == edited, "\(name)")
    #expect(edited.resolved.itemIdentifiers == edited.itemIdentifiers, "\(name)")
    let rows = edited.outline(ofSection: "tree")?.items ?? edited.itemIdentifiers
    for item in 1...20 {
      #expect(edited.resolved.containsItem(item) == rows.contains(item), "\(name): \(item)")
    }
  }
}

@Suite("States between two stages have no tables until they are asked")
struct PostponedTableTests {
  private func list(_ sections: some Sequence<Int> & SendableMetatype) throws -> Snapshot<Int, Int>
  {
    var list = Snapshot<Int, Int>()
    list.appendSections(sections)
    for section in list.sectionIdentifiers { try list.appendItems([section], toSection: section) }
    return list
  }

  @Test(.enabled(if: !checksInvariants, "the checks ask"))
  func `So stages do not take room for all sections each`() throws {
    let sections = 0..<150
    let batch = try UpdateBatch(from: list(sections), to: list(sections.reversed()))
    let stages = batch.stages(for: .sequential)
    #expect(stages.count == 149)
    #expect(
      stages.dropLast().allSatisfy {
        $0.snapshot.base.sectionTable.isPostponed && $0.snapshot.base.itemTable == nil
      })
    var view = ListSimulator(showing: try list(sections), profile: .sequential)
    #expect(view.perform(stages).isEmpty)
    for stage in stages.indices where stage.isMultiple(of: 37) {
      let state = stages[stage].snapshot
      for (index, section) in state.sectionIdentifiers.enumerated() {
        #expect(state.indexOfSection(section) == index)
        #expect(state.itemPath(for: section) == ItemPath(section: index, item: 0))
      }
      #expect(!state.containsSection(150))
    }
  }

  @Test("A state that is edited and asked in turns is like any other", arguments: [20, 300])
  func edits(count: Int) throws {
    for seed in 0..<rounds(20 as UInt64) {
      var random = SplitMix64(seed: seed)
      var eager = try list(0..<count)
      var postponed = Snapshot<Int, Int>(eager.base.unfiled)
      var next = count
      for step in 0..<60 {
        let sections = eager.sectionIdentifiers
        let (one, other) = (random.element(of: sections), random.element(of: sections))
        guard let one, let other, one != other else { continue }
        let kind = random.number(below: 4)
        for isEager in [true, false] {
          var list = isEager ? eager : postponed
          switch kind {
          case 0: try list.moveSection(one, afterSection: other)
          case 1: list.deleteSections([one])
          case 2: list.appendSections([next])
          default: list.moveSection(at: 0, to: list.numberOfSections - 1)
          }
          if isEager { eager = list } else { postponed = list }
        }
        next += 1
        #expect(eager == postponed, "seed \(seed), step \(step)")
        guard random.chance(oneIn: 3) else { continue }
        for section in [one, other, next - 1] {
          #expect(
            eager.indexOfSection(section) == postponed.indexOfSection(section),
            "seed \(seed), step \(step)")
        }
      }
    }
  }
}
