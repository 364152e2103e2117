import ListSupport
import Testing
import TestScope

@testable import Diffable
@testable import DiffableQueries

@Suite("A window over rows and sections that move", .deadline) struct WindowTests {
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

  @Test("Only rows that enter the window are shown again") func cost() async throws {
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
}
