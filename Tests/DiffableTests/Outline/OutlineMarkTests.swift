import DiffableTesting
import Testing
import TestScope

@testable import Diffable

@Suite("What goes with the rows of outlines, and what comes with them")
struct OutlineMarkTests {
  private typealias State = Snapshot<Int, Int>

  @Test("No edit leaves marks of items that are gone", arguments: 0..<UInt64(rounds(40)))
  func marks(seed: UInt64) {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var state = generator.snapshot(.even(sections: 2, itemsEach: 3))
    for step in 0..<60 {
      let items = state.sectionIdentifiers.flatMap { section in
        state.outline(ofSection: section)?.items ?? state.itemIdentifiers(inSection: section)
      }
      // Hidden rows as well: an edit that does not fit changes nothing.
      for item in generator.random.sample(items, oneIn: 3) {
        if generator.random.chance(oneIn: 2) {
          try? state.reloadItems([item])
        } else {
          try? state.reconfigureItems([item])
        }
      }
      let edit = generator.outlineEdit(of: state)
      try? edit.apply(to: &state)
      let marked = state.reloadedItemIdentifiers + state.reconfiguredItemIdentifiers
      let gone = marked.filter { !state.containsItem($0) }
      #expect(gone == [], "seed \(seed), step \(step): \(edit)")
      #expect(Set(marked).count == marked.count, "seed \(seed), step \(step): marked twice")
    }
  }

  /// A list, and a tree with rows of every kind.
  private func example() throws -> State {
    var outline = try Outline([1, 2, 3])
    try outline.append([11, 12], to: 1)
    try outline.append([121], to: 12)
    try outline.append([21], to: 2)
    outline.expand([1])
    var state = State()
    state.appendSections([0, 1])
    try state.appendItems([90, 91, 92], toSection: 0)
    try state.setOutline(outline, forSection: 1)
    return state
  }

  @Test("Between an outline and a list, an item goes beside its anchor, in both directions")
  func moves() throws {
    let state = try example()
    let (list, tree) = (state.itemIdentifiers(inSection: 0), state.itemIdentifiers(inSection: 1))
    for isBefore in [true, false] {
      func move(_ item: Int, _ anchor: Int) throws -> State {
        var moved = state
        if isBefore {
          try moved.moveItem(item, beforeItem: anchor)
        } else {
          try moved.moveItem(item, afterItem: anchor)
        }
        try moved.validate()
        return moved
      }
      for (place, anchor) in list.enumerated() {
        for item in [1, 2, 3, 11, 12, 121, 21] {
          var expected = list
          expected.insert(item, at: place + (isBefore ? 0 : 1))
          let moved = try move(item, anchor)
          let comment: Comment = "\(item), \(anchor), \(isBefore)"
          #expect(moved.itemIdentifiers(inSection: 0) == expected, comment)
          let below = state.outline(ofSection: 1)?.outline(of: item, includingParent: true).items
          let rest = moved.outline(ofSection: 1)?.items ?? []
          #expect(Set(rest).isDisjoint(with: below ?? []), "what is below it goes")
        }
      }
      for anchor in tree {
        for item in list {
          let moved = try move(item, anchor)
          #expect(moved.itemIdentifiers(inSection: 0) == list.filter { $0 != item })
          let outline = try #require(moved.outline(ofSection: 1))
          #expect(outline.parent(of: item) == state.outline(ofSection: 1)?.parent(of: anchor))
          let siblings = outline.parent(of: item).map(outline.children(of:)) ?? outline.rootItems
          let (own, other) = (siblings.firstIndex(of: item), siblings.firstIndex(of: anchor))
          let comment: Comment = "\(item), \(anchor), \(isBefore)"
          #expect(own == other.map { isBefore ? $0 - 1 : $0 + 1 }, comment)
        }
      }
    }
  }

  @Test("Of a section that is there twice, all rows are told that go with it, hidden ones too")
  func duplicateSections() async throws {
    let outline = try #require(try example().outline(ofSection: 1))
    for (policy, isTreeLast) in [(DuplicatePolicy.keepFirst, true), (.keepLast, false)] {
      let rows: [State.Rows] =
        isTreeLast ? [.list([90]), .outline(outline)] : [.outline(outline), .list([90])]
      let twice = State(State.makeKernels(), sections: rows.map { (7, $0) })
      let source = DataSourceActor<Int, Int>(options: SourceOptions(duplicates: policy))
      var batches = source.updates(.every(limit: 9)).makeAsyncIterator()
      _ = await batches.next()
      try await source.apply(twice)
      let batch = try #require(await batches.next())
      #expect(batch.snapshot.itemIdentifiers == [90])
      #expect(batch.droppedSections == [7])
      #expect(Set(batch.droppedItems) == Set(outline.items), "\(policy)")
      #expect(batch.droppedItems.count == outline.count, "\(policy)")
    }
  }
}
