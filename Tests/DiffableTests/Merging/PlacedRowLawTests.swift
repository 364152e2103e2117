import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// A drag moves what was dragged: every drag of one or two rows to every place, with every change of
/// another row by others.
@Suite(.deadline) struct PlacedRowLawTests {
  private typealias State = Snapshot<Int, Int>

  /// A change of others, and the row that it is about.
  private struct Change {
    let row: Int
    let edit: @Sendable (inout Snapshot<Int, Int>) throws -> Void
  }

  private static let rows = [1, 2, 3, 4, 5]

  private static func start() -> State {
    State(sections: [0], items: [rows])
  }

  private static var places: [ReorderDestination<Int, Int>] {
    rows.flatMap { [.before($0), .after($0)] } + [.end(of: 0)]
  }

  private static var drags: [[Int]] {
    rows.map { [$0] } + rows.flatMap { row in rows.filter { $0 > row }.map { [row, $0] } }
  }

  private static func changes(besides dragged: [Int]) -> [Change] {
    let others = rows.filter { !dragged.contains($0) }
    let moves = others.flatMap { row in
      others.filter { $0 != row }.flatMap { anchor in
        [
          Change(row: row) { try $0.moveItem(row, beforeItem: anchor) },
          Change(row: row) { try $0.moveItem(row, afterItem: anchor) },
        ]
      }
    }
    let inserts = others.map { anchor in
      Change(row: 9) { try $0.insertItems([9], afterItem: anchor) }
    }
    return moves + inserts + others.map { row in Change(row: row) { $0.deleteItems([row]) } }
  }

  /// Others decide the order of what was not dragged, and the writer that of what others left alone.
  private static func expect(
    _ result: [Int], dragged: [Int], mine: [Int], others: [Int], _ row: Int,
    _ what: @autoclosure () -> String
  ) {
    #expect(
      result.filter { !dragged.contains($0) } == others.filter { !dragged.contains($0) }
        && result.filter { $0 != row } == mine.filter { $0 != row },
      "\(what()): \(dragged) dragged to \(mine), others \(others), together \(result)")
  }

  @Test func `A merge, a drop, and undo, redo and revert of a drag`() async throws {
    let start = Self.start()
    var checked = 0
    for dragged in Self.drags {
      for place in Self.places {
        var mine = start
        guard !mine.carriesAnchor(of: place, dragged) else { continue }
        try mine.reorder(dragged, to: place)
        for change in Self.changes(besides: dragged) {
          checked += 1
          guard isInScope(checked, usual: 17, wide: 3) else { continue }
          var theirs = start
          try change.edit(&theirs)
          func expect(_ result: State, _ mine: State, _ others: State, _ what: String) {
            Self.expect(
              result.itemIdentifiers, dragged: dragged, mine: mine.itemIdentifiers,
              others: others.itemIdentifiers, change.row, "\(what), \(place)")
          }
          expect(try theirs.merging(mine, basedOn: start).snapshot, mine, theirs, "merge")
          expect(try mine.merging(theirs, basedOn: start).snapshot, mine, theirs, "their merge")

          let dropped = try DataSourceActor(start)
          var drag = try #require(try await dropped.beginReorder(dragged))
          _ = try drag.proposed(to: place)
          _ = try await dropped.update(change.edit)
          _ = try await drag.commit(named: "Move")
          expect(await dropped.snapshot, mine, theirs, "drop")
          try await dropped.undo(.named)
          #expect(await dropped.snapshot == theirs)
          try await dropped.redo(.named)
          expect(await dropped.snapshot, mine, theirs, "drop, undone and redone")

          let written = try DataSourceActor(start)
          let move = try await written.update(named: "Move") {
            try $0.reorder(dragged, to: place)
          }
          guard move.change != nil else { continue }
          try await written.update(change.edit)
          let live = await written.snapshot
          try await written.undo(.named)
          expect(await written.snapshot, start, live, "undo")
          try await written.redo(.named)
          expect(await written.snapshot, mine, live, "redo")

          let reverted = try DataSourceActor(start)
          let last = try await reverted.update { try $0.reorder(dragged, to: place) }
          try await reverted.update(change.edit)
          try await reverted.revert(last.change)
          expect(await reverted.snapshot, start, live, "revert")
        }
      }
    }
    #expect(checked > 1_000)
  }

  /// 1▾[2▾[3], 4], 5▾[6], all visible.
  private static func tree() throws -> State {
    let outline = try Outline(Array(1...6), levels: [0, 1, 2, 1, 0, 1], expanding: [1, 2, 5])
    return try State(outline, in: 0)
  }

  @Test func `A drag in an outline leaves what was not dragged to others`() async throws {
    let start = try Self.tree()
    let rows = 1...6
    let outline = try #require(start.outline(ofSection: 0))
    let pairs = rows.flatMap { row in (row + 1...7).dropLast().map { [row, $0] } }
    let places: [ReorderDestination<Int, Int>] =
      rows.flatMap { [.before($0), .after($0), .into($0)] } + [.end(of: 0)]
    var checked = 0
    for chosen in rows.map({ [$0] }) + pairs {
      let dragged = start.withoutDescendants(chosen)
      let carried = Set(dragged.flatMap { outline.outline(of: $0, includingParent: true).items })
      for place in places where !start.carriesAnchor(of: place, dragged) {
        var mine = start
        try mine.reorder(dragged, to: place)
        for row in rows where !carried.contains(row) {
          for anchor in rows where anchor != row && !carried.contains(anchor) {
            for isBefore in [false, true] {
              var theirs = start
              do {
                if isBefore {
                  try theirs.moveItem(row, beforeItem: anchor)
                } else {
                  try theirs.moveItem(row, afterItem: anchor)
                }
              } catch {
                continue
              }
              checked += 1
              guard isInScope(checked, usual: 17, wide: 3) else { continue }
              for (live, writer) in [(theirs, mine), (mine, theirs)] {
                let merge = try live.merging(writer, basedOn: start)
                // If both go below each other, one of them is moved to the end.
                guard merge.conflicts.isEmpty else { continue }
                #expect(
                  Self.tree(merge.snapshot, without: dragged)
                    == Self.tree(theirs, without: dragged),
                  "\(dragged) to \(place), \(row) beside \(anchor): \(merge.snapshot)")
              }
            }
          }
        }
      }
    }
    #expect(checked > 3_000)
  }

  private static func tree(_ state: State, without rows: [Int]) -> Outline<Int>? {
    var state = state
    state.deleteItems(rows)
    return state.outline(ofSection: 0)
  }
}

extension Snapshot {
  /// Whether a destination is next to one of some items, or below one.
  fileprivate func carriesAnchor(
    of place: ReorderDestination<SectionID, ItemID>, _ items: [ItemID]
  ) -> Bool {
    switch place {
    case .before(let anchor), .after(let anchor), .into(let anchor): carries(items, anchor)
    case .end: false
    }
  }
}
