import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable
@testable import DiffableQueries

/// A row of a list with trees.
private struct TreeNote: Identifiable, Equatable, Sendable {
  let id: Int
  var parent: Int?
  var group = 0
  var value = 0
}

@Suite("Trees that a query makes, folds and searches", .deadline)
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

  private typealias Rows = ModelSource<Int, TreeNote>
  private typealias Derived = DerivedSource<ModelBatch<Int, TreeNote>, ModelBatch<Int, TreeNote>>

  private static func makeRows(_ notes: [TreeNote]) async throws -> Rows {
    let rows = Rows()
    try await rows.apply(notes, section: { _ in 0 })
    return rows
  }

  @Test(arguments: [0, 1])
  func `A row and its parent that pass each other are one tree where they meet`(
    section: Int
  ) async throws {
    let rows = Rows()
    // Enough rows that changes are followed one by one.
    try await rows.apply(
      [TreeNote(id: 0), TreeNote(id: 1), TreeNote(id: 2, parent: 1)]
        + (3..<60).map { TreeNote(id: $0) },
      section: { $0.id == 2 ? section : 1 - section }, sections: [0, 1])
    let tree = rows.derived { $0.outlined(by: \.parent) }
    #expect(await tree.snapshot.outline(ofSection: section)?.items == [2])
    try await rows.update { draft in
      try draft.moveItem(1, afterItem: 2)
      try draft.moveItem(2, afterItem: 0)
    }
    #expect(await tree.snapshot.outline(ofSection: section)?.items == [1])
    try await rows.update { try $0.moveItem(1, afterItem: 0) }
    #expect(await tree.snapshot.outline(ofSection: 1 - section)?.children(of: 1) == [2])
  }

  @Test(arguments: [false, true])
  func `A tree has the new header of a section, which is reloaded or not`(isReloaded: Bool)
    async throws
  {
    let notes = Notes()
    try await notes.apply([Note(id: 1), Note(id: 2)], section: \.folder)
    let trees = [
      notes.derived { $0.searched { $0.id > 0 } },
      notes.derived { $0.countingDescendants { note, _ in note } },
    ]
    for tree in trees { #expect(await tree.snapshot.sectionModel(of: 0) == nil) }
    for header in ["first", "second"] {
      try await notes.update { draft in
        try draft.setSectionModel(header, for: 0)
        if isReloaded { try draft.snapshot.reloadSections([0]) }
      }
      for tree in trees { #expect(await tree.snapshot.sectionModel(of: 0) == header) }
    }
  }

  @Test func `A search leaves out empty sections where the query does`() async throws {
    let rows = try await Self.makeRows([TreeNote(id: 1), TreeNote(id: 2, group: 1)])
    let found = rows.derived { query in
      query.grouped(by: \.group).outlined(by: \.parent).searched { $0.value == 1 || $0.id == 1 }
    }
    let omitted = rows.derived { query in query.omittingEmptySections().searched { $0.value == 1 } }
    let kept = rows.derived { query in
      query.grouped(by: \.group).keepingEmptySections().outlined(by: \.parent)
        .searched { $0.value == 1 }
    }
    #expect(await found.snapshot.description == "0[1]")
    #expect(await omitted.snapshot.description == "∅")
    #expect(await kept.snapshot.description == "0[] 1[]")
    try await rows.update { try $0.update(2) { $0.value = 1 } }
    #expect(await found.snapshot.description == "0[1] 1[2]")
    #expect(await omitted.snapshot.description == "0[2]")
    #expect(await kept.snapshot.description == "0[] 1[2]")
    try await rows.update { try $0.update(2) { $0.value = 0 } }
    #expect(await found.snapshot.description == "0[1]")
    #expect(await omitted.snapshot.description == "∅")
    #expect(await kept.snapshot.description == "0[] 1[]")
  }

  @Test func `A row that a search shows and the list hides is dragged, and refused`() async throws {
    let rows = try await Self.makeRows([TreeNote(id: 1), TreeNote(id: 2)])
    var tree = try Outline([1])
    try tree.append([2], to: 1)
    try await rows.update { [tree] in try $0.snapshot.setOutline(tree, forSection: 0) }
    let found = rows.derived { $0.searched { $0.id == 2 } }
    for source in [found, found.derived { $0 }] {
      for item in [1, 2] {
        var drag = try #require(try await source.beginReorder([item]))
        _ = try drag.proposed(to: .end(of: 0))
        #expect(drag.refusal == .tree)
        var cancelled = drag
        _ = cancelled.cancel()
        #expect(cancelled.refusal == nil && cancelled.destination == nil)
        #expect(try await drag.commit() == nil)
      }
      await #expect(throws: DataSourceError.self) { try await source.beginReorder([3]) }
    }
  }

  @Test(
    "One more section costs what it is, not what the list is",
    .enabled(if: NodeVisits.areCounted && !checksInvariants, "the checks visit all nodes"),
    arguments: ["a search", "totals"])
  func costOfOneMore(name: String) async throws {
    let calls = CallCounter()
    var counts: [Int] = []
    // Below a thousand sections there are fewer levels of nodes than elsewhere.
    try await expectSameVisits(name, sizes: [4_000, 40_000]) { size in
      let rows = try await Self.makeRows(
        (0..<size).map {
          TreeNote(
            id: $0, parent: $0 % 10 == 0 ? nil : $0 / 10 * 10, group: $0 / 10,
            value: $0 % 10 == 3 ? 1 : 0)
        })
      let derived: Derived = rows.derived { query in
        let trees = query.grouped(by: \.group).outlined(by: \.parent)
        return name == "totals"
          ? trees.aggregatingDescendants(
            .sum { note in
              calls.count()
              return note.value
            },
            { note, count, _ in TreeNote(id: note.id, group: note.group, value: count) })
          : trees.searched { note in
            calls.count()
            return note.value == 1
          }
      }
      var batches = derived.updates().makeAsyncIterator()
      _ = await batches.next(isolation: nil)
      let before = calls.value
      defer { counts.append(calls.value - before) }
      return try await NodeVisits.counted {
        for group in [size, -1] {
          try await rows.update { draft in
            try draft.appendItems(
              [
                TreeNote(id: size * 10 + group * 2, group: group),
                TreeNote(id: size * 10 + group * 2 + 3, group: group, value: 1),
              ], toSection: 0)
          }
          _ = await batches.next(isolation: nil)
        }
      }
    }
    #expect(counts.count == 2 && counts[0] == counts[1] && counts[0] > 0)
  }
}
