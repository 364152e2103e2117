import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("What two parts of one change come to, or a change and a new query", .deadline)
struct FollowedChangeTests {
  private typealias Edit = @Sendable (inout ModelDraft<Folder, Note>) throws -> Void

  @Test("A row with many others shows them all, whichever of its own and of another's have changed")
  func joinedWithMany() async throws {
    let edits: [(Edit, Edit)] = [
      [{ $0.deleteItems([10]) }, { try $0.update(10) { $0.text = 4 } }]
        + [{ try $0.update(10) { $0.title = 2 } }],
      [{ $0.deleteItems([20]) }, { try $0.update(20) { $0.text = 5 } }]
        + [{ try $0.appendItems([Note(id: 22, title: 2, text: 6)], toSection: 0) }],
    ].pairs()
    for (number, (first, second)) in edits.enumerated() {
      let (orders, lines) = (Notes(), Notes())
      try await orders.apply([Note(id: 1), Note(id: 2)], section: \.folder)
      try await lines.apply(
        [10, 11, 20, 21].map { Note(id: $0, title: $0 / 10, text: $0 % 10 + 1) },
        section: \.folder)
      let joined = orders.joined(withMany: lines, by: \.title, options: .strict) { order, lines in
        Note(id: order.id, text: lines.reduce(0) { 10 * $0 + $1.text })
      }
      #expect(await joined.elements.map(\.text) == [12, 12])
      try await lines.update {
        try first(&$0)
        try second(&$0)
      }
      let all = await lines.elements
      let expected = (1...2).map { order in
        all.filter { $0.title == order }.reduce(0) { 10 * $0 + $1.text }
      }
      #expect(await joined.elements.map(\.text) == expected, "edits \(number)")
    }
  }

  @Test("A row that comes to a section that is reloaded comes once")
  func reloadedSection() async throws {
    let base = Notes()
    try await base.apply((0..<4).map { Note(id: $0) }, section: \.folder)
    let lists = [
      base.derived(options: .strict) { $0.filter { $0.id != 0 } },
      base.derived(options: .strict) { $0.sorted { $0.id < $1.id }.filter { $0.id != 0 } },
    ]
    for list in lists { #expect(await list.snapshot.itemIdentifiers == [1, 2, 3]) }
    try await base.update { draft in
      try draft.appendItems([Note(id: 9)], toSection: 0)
      try draft.snapshot.reloadSections([0])
    }
    for list in lists { #expect(await list.snapshot.itemIdentifiers == [1, 2, 3, 9]) }
  }

  @Test("Groups that another query makes have the models that it gives them, or none")
  func groupModels() async throws {
    let base = Notes()
    try await base.apply((0..<4).map { Note(id: $0, title: $0 % 2) }, section: \.folder)
    func groups(_ query: QueryScript.Query) -> QueryScript.Query {
      query.grouped(by: { Folder($0.title) }, order: <)
    }
    let derived = base.derived { groups($0).sectionModels { "\($0): \($1)" } }
    #expect(await derived.snapshot.sectionModel(of: 1) == "1: 2")
    try await derived.setQuery { groups($0) }
    #expect(await derived.snapshot.sectionModel(of: 1) == nil)
    try await derived.setQuery { groups($0).sectionModels { "\($1) in \($0)" } }
    #expect(await derived.snapshot.sectionModel(of: 1) == "2 in 1")
  }

  @Test("A group of which no row is shown is left out, if empty ones are", arguments: 0...2)
  func shortened(count: Int) async throws {
    let base = Notes()
    try await base.apply((0..<6).map { Note(id: $0, title: $0 % 2) }, section: \.folder)
    let derived = base.derived {
      $0.grouped(by: { Folder($0.title) }, order: <).prefix(ofEachSection: count)
    }
    let kept = base.derived {
      $0.grouped(by: { Folder($0.title) }, order: <).keepingEmptySections()
        .prefix(ofEachSection: count)
    }
    #expect(await derived.snapshot.sectionIdentifiers == (count == 0 ? [] : [0, 1]))
    #expect(await kept.snapshot.sectionIdentifiers == [0, 1])
    #expect(await derived.snapshot.numberOfItems == 2 * count)
  }

  @Test("What is marked just after another query was set is shown again", arguments: 0..<4)
  func marks(number: Int) async throws {
    typealias Query = ListQuery<UpdateBatch<Int, Int>, UpdateBatch<Int, Int>>
    let queries: [@Sendable (Query) -> Query] = [
      { $0.filter { $0 != 7 } }, { $0.outlined { $0 > 1 ? $0 / 2 : nil }.searched { $0 > 0 } },
      { $0.grouped(by: { $0 % 3 }, order: <).prefix(ofEachSection: 50) },
      { $0.sorted(by: >).grouped(by: { $0 % 3 }, order: <).outlined { $0 > 9 ? $0 - 9 : nil } },
    ]
    let base = DataSourceActor<Int, Int>()
    try await base.update { list in
      list.appendSections([0])
      try list.appendItems(1..<100, toSection: 0)
    }
    let derived = base.derived(queries[number])
    var batches = derived.updates().makeAsyncIterator()
    _ = await batches.next()
    // Another query is worked out from scratch, also if it does the same.
    try await derived.setQuery(queries[number])
    try await base.update { try $0.reloadItems([4]) }
    let batch = try #require(await batches.next())
    #expect(
      batch.difference.itemReloads.map { batch.previousSnapshot?.itemIdentifier(for: $0) } == [4])
  }

  @Test("What was said of a row before it came is forgotten when it goes")
  func early() async throws {
    let base = Notes()
    // The title of a row is the name of its parent.
    try await base.apply(
      [Note(id: 1), Note(id: 11, title: 1), Note(id: 2), Note(id: 12, title: 2)],
      section: \.folder)
    let tree = base.derived { $0.outlined { $0.title == 0 ? nil : $0.title } }
    #expect(await tree.snapshot.itemIdentifiers == [1, 11, 2, 12])
    try await tree.collapseItems([9])
    func rename(_ row: Int, child: Int) async throws {
      try await base.update { draft in
        try draft.renameItem(row, to: Note(id: 9))
        try draft.update(child) { $0.title = 9 }
      }
    }
    try await rename(1, child: 11)
    #expect(await tree.snapshot.itemIdentifiers == [9, 2, 12])
    try await base.update { $0.deleteItems([9, 11]) }
    #expect(await tree.snapshot.itemIdentifiers == [2, 12])
    try await rename(2, child: 12)
    #expect(await tree.snapshot.itemIdentifiers == [9, 12])
  }

  @Test("A heap of rows gives them in their order, whichever have gone before")
  func heaps() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var heaps = RowHeaps<Int>()
      let group = heaps.make()
      var rows = Array(0..<16)
      for row in random.shuffled(rows) { heaps.insert(row, in: group, <) }
      for row in random.sample(rows, oneIn: 3) {
        heaps.remove(row, from: group, <)
        rows.removeAll { $0 == row }
      }
      var found: [Int] = []
      while let first = heaps.first(of: group), found.count < 16 {
        found.append(first)
        heaps.remove(first, from: group, <)
      }
      #expect(found == rows, "seed \(seed)")
    }
  }
}

extension [[@Sendable (inout ModelDraft<Folder, Note>) throws -> Void]] {
  /// Each element of the first list with each of the last.
  fileprivate func pairs() -> [(Element.Element, Element.Element)] {
    (first ?? []).flatMap { first in (last ?? []).map { (first, $0) } }
  }
}
