import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable
@testable import DiffableQueries

@Suite("Operations of a query, one by one", .deadline) struct OperatorTests {
  @Test func `The last rows are those at the end, whatever comes and goes`() async throws {
    let base = try await Notes.of(.some)
    let tail = base.derived { $0.sorted(by: \.id).suffix(4) }
    #expect(await tail.snapshot.description == "1[5 7 9 11]")
    try await base.update { $0.deleteItems([7, 11, 0]) }
    #expect(await tail.snapshot.description == "1[1 3 5 9]")
    try await base.update { $0.deleteItems([1, 3]) }
    #expect(await tail.snapshot.description == "0[8 10] 1[5 9]")
    #expect(await base.derived { $0.suffix(-1) }.snapshot.numberOfItems == 0)
    #expect(await base.derived { $0.suffix(.max) }.snapshot.numberOfItems == 7)
  }

  @Test func `A row is read as the query shows it, and not at all if it hides it`() async throws {
    let base = try await Notes.of(.some)
    let shown = base.derived { $0.filter { $0.id > 5 }.map { Note(id: $0.id, text: -$0.text) } }
    #expect(await shown.element(for: 8)?.text == -2)
    #expect(await shown.element(for: 5) == nil)
    try await base.update { try $0.update(8) { $0.text = 7 } }
    #expect(await shown.element(for: 8)?.text == -7)
  }

  @Test func `Of rows with equal keys the first stays, and then the next one`() async throws {
    let base = try await Notes.of(.some)
    let distinct = base.derived { $0.sorted(by: \.id, reverse: true).distinct(by: \.text) }
    var batches = distinct.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.description == "0[10 8 6] 1[]")
    try await base.update { $0.deleteItems([10]) }
    let batch = try #require(await batches.next())
    #expect(batch.snapshot.description == "0[8 6 4] 1[]")
    #expect(batch.difference.description == "-0:0 +0:2")
    // The order of the sections decides, too.
    try await base.update { try $0.snapshot.moveSection(1, beforeSection: 0) }
    #expect(await batches.next()?.snapshot.description == "1[11 9 7] 0[]")
  }

  @Test func `Groups that are always there stay when their last row leaves, in their order`()
    async throws
  {
    let base = try await Notes.of(.some)
    let board = base.derived { $0.grouped(by: \.folder, sections: [1, 4, 0, 1]) }
    var batches = board.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.description == "1[1 3 5 7 9 11] 4[] 0[0 2 4 6 8 10]")
    // Rows of other groups are left out.
    try await base.update { draft in
      for id in 1..<12 where !id.isMultiple(of: 2) { try draft.update(id) { $0.folder = 9 } }
    }
    #expect(await batches.next()?.snapshot.description == "1[] 4[] 0[0 2 4 6 8 10]")
    let order = DataSourceActor<String, Int>()
    try await order.update { draft in
      draft.appendSections(["all"])
      try draft.appendItems(0..<5)
    }
    let parities = order.derived { $0.grouped(by: { $0 % 2 }, sections: [2, 1, 0]) }
    #expect(await parities.snapshot.description == "2[] 1[1 3] 0[0 2 4]")
  }

  @Test func `Values, operators and closures sort alike`() async throws {
    let base = DataSourceActor<String, Int>()
    try await base.update { order in
      order.appendSections(["a", "b"])
      try order.appendItems([2, 9, 4], toSection: "a")
      try order.appendItems([3, 1], toSection: "b")
    }
    #expect(await base.derived { $0.sorted(by: >) }.snapshot.description == "a[9 4 2] b[3 1]")
    #expect(
      await base.derived { $0.sorted(by: { $0 }, reverse: true) }.snapshot.description
        == "a[9 4 2] b[3 1]")
    let parities: [DerivedSource<UpdateBatch<String, Int>, UpdateBatch<Int, Int>>] = [
      base.derived { $0.grouped(by: { $0 % 2 }, order: >) },
      base.derived { $0.grouped(by: { $0 % 2 }, reverse: true) },
      base.derived { $0.grouped(by: { $0 % 2 }) { $0 > $1 } },
    ]
    for derived in parities { #expect(await derived.snapshot.description == "1[9 3 1] 0[2 4]") }
    let all = base.derived { $0.sorted(by: <).ungrouped() }
    #expect(await all.snapshot.description == "all[1 2 3 4 9]")
  }

  @Test func `Groups in the other direction are another operation`() async throws {
    let base = DataSourceActor<String, Int>()
    try await base.update { order in
      order.appendSections(["a"])
      try order.appendItems([2, 3, 4])
    }
    let parities = base.derived { $0.grouped(id: 0, by: { $0 % 2 }) }
    #expect(await parities.snapshot.description == "0[2 4] 1[3]")
    try await parities.setQuery { $0.grouped(id: 0, by: { $0 % 2 }, reverse: true) }
    #expect(await parities.snapshot.description == "1[3] 0[2 4]")
  }

  /// Six rows in four sections, one of them empty.
  private static func list(_ order: [Int]) throws -> Snapshot<Int, Int> {
    var list = Snapshot<Int, Int>()
    list.appendSections(order)
    for (section, count) in [1, 2, 0, 3].enumerated() {
      try list.appendItems((0..<count).map { 10 * section + $0 }, toSection: section)
    }
    return list
  }

  @Test("Every order after every other, in every window") func everyOrder() async throws {
    let orders = everyPermutation(of: Array(0..<4))
    let base = DataSourceActor<Int, Int>()
    let windows = (0...6).flatMap { start in (start...6).map { start..<$0 } }
    let derived = windows.map { window in base.derived { $0.window(window) } }
    for first in scoped(usual: Array(orders.prefix(2)), wide: orders) {
      for second in orders.inScope(usual: 3, wide: 5) {
        try await base.apply(Self.list(first))
        for source in derived { _ = await source.snapshot }
        let list = try Self.list(second)
        try await base.apply(list)
        let rows = list.itemIdentifiers
        for (window, source) in zip(windows, derived) {
          let shown = await source.snapshot
          #expect(shown.itemIdentifiers == Array(rows[window]), "\(first) \(second) \(window)")
          let sections = second.filter { section in rows[window].contains { $0 / 10 == section } }
          #expect(shown.sectionIdentifiers == sections, "\(first) \(second) \(window)")
        }
      }
    }
  }

  @Test("A row moves and a row changes in one write, wherever they are")
  func movedAndChanged() async throws {
    let rows = Array(0..<4)
    for window in [0..<2, 1..<3, 2..<4] {
      for (moved, place, changed) in rows.flatMap({ moved in
        rows.flatMap { place in rows.map { (moved, place, $0) } }
      }) where moved != place {
        let base = try await Notes.of(rows.map { Note(id: $0, folder: 0) })
        let derived = base.derived(options: .strict) { $0.window(window) }
        _ = await derived.snapshot
        try await base.update { draft in
          if moved < place {
            try draft.moveItem(moved, afterItem: place)
          } else {
            try draft.moveItem(moved, beforeItem: place)
          }
          try draft.update(changed) { $0.text = 7 }
        }
        var order = rows
        order.insert(order.remove(at: moved), at: place)
        let shown = Array(order[window])
        #expect(await derived.snapshot.itemIdentifiers == shown, "\(window) \(moved) \(place)")
        for row in shown {
          #expect(await derived.element(for: row)?.text == (row == changed ? 7 : 0), "\(window)")
        }
      }
    }
  }

  @Test("Only rows that enter a window are shown again") func cost() async throws {
    let base = try await Notes.of((0..<4000).map { Note(id: $0, folder: Folder($0 / 100)) })
    let calls = CallCounter()
    let derived = base.derived { query in
      query.window(150..<250).map { note -> Note in
        calls.count()
        return note
      }
    }
    _ = await derived.snapshot
    #expect(calls.value == 100)
    // From one place outside to another.
    try await base.updateOrder { try $0.moveSection(30, afterSection: 10) }
    _ = await derived.snapshot
    #expect(calls.value == 100)
    // Out of the window: fifty rows of it leave, and fifty enter at the end.
    try await base.updateOrder { try $0.moveSection(2, afterSection: 20) }
    #expect(await derived.snapshot.sectionIdentifiers.map(\.number) == [1, 3])
    #expect(calls.value == 150)
    // From behind to the front: everything in the window changes its place, and half its rows.
    try await base.updateOrder { try $0.moveSection(39, beforeSection: 0) }
    #expect(await derived.snapshot.sectionIdentifiers.map(\.number) == [0, 1])
    #expect(calls.value == 250)
  }

  private static let scripts = [
    QueryScript(operations: [
      .sort(by: .title, ascending: true), .map(by: 1), .group(by: .text, ascending: true), .sum,
    ]),
    QueryScript(operations: [
      .sort(by: .title, ascending: false), .map(by: 1), .sort(by: .text, ascending: true),
      .map(by: 2), .group(by: .folder, ascending: true), .count,
    ]),
  ]

  /// Lists are long enough that changes are followed one by one: rows get another rank and show something
  /// else at once.
  @Test(
    "Rows keep the ranks of an order that a map hides, whatever changes",
    arguments: 0..<UInt64(rounds(16)), scripts.indices)
  func anyChanges(seed: UInt64, number: Int) async throws {
    var random = SplitMix64(seed: seed)
    let script = Self.scripts[number]
    let base = Notes()
    func note(_ id: Int) -> Note {
      Note(
        id: id, folder: Folder(id % 2), title: random.number(below: 9),
        text: random.number(below: 3))
    }
    try await base.apply((0..<80).map(note), section: \.folder)
    let derived = base.derived(options: .strict) { script.query($0, isDeclared: true) }
    var follower = ProgramFollower(derived)
    for step in 0..<10 {
      let changed = random.sample(Array(0..<80), oneIn: 12).map(note)
      let (moved, anchor) = (random.number(below: 80), random.number(below: 80))
      try await base.update { draft in
        draft.setModels(changed)
        try draft.snapshot.moveItem(moved, beforeItem: anchor)
      }
      let expected = script.evaluate(QueryScript.Plain(await base.snapshot))
      #expect(QueryScript.Plain(await derived.snapshot) == expected, "seed \(seed), step \(step)")
      try await follower.follow(derived)
      #expect(QueryScript.Plain(follower.keeper.snapshot) == expected, "seed \(seed), step \(step)")
    }
  }
}
