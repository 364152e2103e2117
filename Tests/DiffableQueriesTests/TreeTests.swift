import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("A derived tree is folded by itself", .deadline)
struct TreeTests {
  private static func chain(
    _ query: QueryScript.Query
  ) -> QueryScript.Query { query.outlined { $0.id == 0 ? nil : $0.id - 1 } }

  @Test("A follower gets what is folded as a batch, also where it waits for one")
  func batches() async throws {
    let base = try await Notes.of(.titled(6))
    let derived = base.derived(Self.chain)
    var batches = derived.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.numberOfItems == 6)
    let next = Task { [batches] in
      var batches = batches
      return await batches.next()
    }
    try await wait { derived.metrics.waitingSubscribers != 0 }
    try await derived.collapseItems([0])
    let taken = try await ended { await next.value }
    let batch = try #require(taken)
    #expect(batch.difference.itemDeletes.count == 5)
    #expect(batch.snapshot.itemIdentifiers == [0])
  }

  /// Lists are long enough that changes are followed one by one.
  @Test("It follows any change of rows, sections and parents", arguments: 0..<UInt64(rounds(80)))
  func scripts(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let base = Notes()
    // A row names one before it, or none; some name rows that are not there.
    func note(_ id: Int) -> Note {
      Note(id: id, folder: Folder(id % 2), text: id < 4 ? 0 : random.number(below: id))
    }
    try await base.apply((0..<40).map(note), section: \.folder)
    let query = { (query: QueryScript.Query) in query.outlined { $0.text == 0 ? nil : $0.text } }
    let derived = base.derived(query)
    for step in 0..<12 {
      let ids = (0..<60).map { $0 }
      let changed = random.sample(ids, oneIn: 10).map(note)
      let gone = Set(random.sample(ids, oneIn: 20))
      let (moved, anchor) = (random.number(below: 60), random.number(below: 60))
      let isNewSection = random.chance(oneIn: 4)
      try await base.update { draft in
        for note in changed {
          if draft.snapshot.containsItem(note.id) {
            draft.setModel(note)
          } else {
            try draft.appendItems([note], toSection: note.folder)
          }
        }
        draft.snapshot.deleteItems(gone.sorted())
        if draft.snapshot.containsItem(moved), draft.snapshot.containsItem(anchor) {
          try draft.snapshot.moveItem(moved, beforeItem: anchor)
        }
        if isNewSection {
          try draft.snapshot.insertSections([Folder(10 + step)], beforeSection: Folder(1))
        }
      }
      let (shown, expected) = (await derived.snapshot, await base.derived(query).snapshot)
      let comment: Comment = "seed \(seed), step \(step)"
      #expect(shown.sectionIdentifiers == expected.sectionIdentifiers, comment)
      for section in expected.sectionIdentifiers {
        #expect(
          shown.outline(ofSection: section)?.description
            == expected.outline(ofSection: section)?.description, comment)
        #expect(expected.outline(ofSection: section) != nil, comment)
      }
    }
  }

  @Test("A circle is opened at its first row, and closed again") func circle() async throws {
    let base = try await Notes.of(.titled(4))
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
