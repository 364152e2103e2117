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

  @Test("Of a section that is there twice, all rows are told that go with it, hidden ones too")
  func duplicateSections() async throws {
    var outline = try Outline([1, 2])
    try outline.append([11, 12], to: 1)
    try outline.append([121], to: 12)
    try outline.append([21], to: 2)
    outline.expand([1])
    for (policy, isTreeLast) in [(DuplicatePolicy.keepFirst, true), (.keepLast, false)] {
      let rows: [State.Rows] =
        isTreeLast ? [.list([90]), .outline(outline)] : [.outline(outline), .list([90])]
      let twice = State(State.makeKernels(), sections: rows.map { (7, $0) })
      let source = DataSourceActor<Int, Int>(options: SourceOptions(duplicates: policy))
      var batches = source.updates(.every(limit: 9)).makeAsyncIterator()
      _ = await batches.next()
      try await source.apply(twice)
      let batch = try #require(await batches.next())
      #expect(batch.snapshot.itemIdentifiers == [90] && batch.droppedSections == [7])
      #expect(Set(batch.droppedItems) == Set(outline.items), "\(policy)")
      #expect(batch.droppedItems.count == outline.count, "\(policy)")
    }
  }
}
