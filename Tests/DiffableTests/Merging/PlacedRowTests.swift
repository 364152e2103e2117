import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// Which rows were placed, and what differences, merges and undo make of it, by example.
@Suite(.deadline) struct PlacedRowTests {
  private static func letters(_ text: String) -> Snapshot<Int, String> {
    Snapshot(sections: [0], items: [text.map(String.init)])
  }

  @Test func `Of two equally small differences, the placed row moves`() throws {
    let base = Self.letters("abc")
    var up = base
    try up.moveItem("c", beforeItem: "b")
    var down = base
    try down.moveItem("b", afterItem: "c")
    #expect(up == down)
    #expect(try up.difference(from: base).itemMoves.map(\.from.item) == [2])
    #expect(try down.difference(from: base).itemMoves.map(\.from.item) == [1])
    #expect(up.placedItemIdentifiers == ["c"] && down.placedItemIdentifiers == ["b"])
  }

  @Test func `Sections and siblings have anchors that stand still`() throws {
    var base = Snapshot<Int, Int>()
    base.appendSections([1, 2, 3, 4, 5])
    var theirs = base
    try theirs.moveSection(1, afterSection: 5)
    var mine = base
    try mine.moveSection(5, beforeSection: 1)
    let merge = try theirs.merging(mine, basedOn: base)
    #expect(merge.snapshot.sectionIdentifiers == [5, 2, 3, 4, 1])

    var tree = Snapshot<Int, Int>()
    tree.appendSections([0])
    let outline = try Outline([9, 1, 2, 3, 4, 5], levels: [0, 1, 1, 1, 1, 1], expanding: [9])
    try tree.setOutline(outline, forSection: 0)
    var (others, writer) = (tree, tree)
    try others.moveItem(1, afterItem: 5)
    try writer.moveItem(5, beforeItem: 1)
    let siblings = try others.merging(writer, basedOn: tree).snapshot
    #expect(siblings.itemIdentifiers == [9, 5, 2, 3, 4, 1])
  }

  @Test func `Writes that come together keep what was placed`() async throws {
    let base = Self.letters("abc")
    let source = try DataSourceActor(base)
    var batches = await source.changes()
    try await source.update { try $0.moveItem("c", beforeItem: "b") }
    try await source.update { try $0.renameItem("c", to: "z") }
    let batch = try #require(await batches.next(isolation: nil))
    #expect(batch.difference.itemMoves.map(\.from.item) == [2])
  }

  /// Rows 1 to 4, as a list or below row 0 of an outline.
  private static func rows(inOutline isOutline: Bool) throws -> Snapshot<Int, Int> {
    var list = Snapshot<Int, Int>()
    list.appendSections([0])
    guard isOutline else {
      try list.appendItems(1...4)
      return list
    }
    let outline = try Outline(Array(0...4), levels: [0, 1, 1, 1, 1], expanding: [0])
    try list.setOutline(outline, forSection: 0)
    return list
  }

  @Test("A row that changes places with a neighbour moves back and again, whatever it is called")
  func neighbours() async throws {
    let swaps = (1...4).flatMap { row in
      [(row, row - 1), (row, row + 1)].filter { (1...4).contains($0.1) }
    }
    for (row, neighbour) in swaps {
      for (isOutline, names) in [false, true].flatMap({ way in (0..<4).map { (way, $0) } }) {
        let source = try DataSourceActor(Self.rows(inOutline: isOutline))
        let start = await source.snapshot
        var batches = await source.changes()
        // The row gets another name before the move or after it, or both.
        try await source.update(named: "Move") { list in
          var name = row
          func rename(_ other: Int) throws {
            try list.renameItem(name, to: other)
            name = other
          }
          if names & 1 != 0 { try rename(10) }
          if neighbour < row {
            try list.moveItem(name, beforeItem: neighbour)
          } else {
            try list.moveItem(name, afterItem: neighbour)
          }
          if names & 2 != 0 { try rename(11) }
        }
        let name = names & 2 != 0 ? 11 : names & 1 != 0 ? 10 : row
        let comment: Comment = "\(row) beside \(neighbour), \(isOutline), \(names)"
        let made = await source.snapshot
        let batch = try #require(await batches.next(isolation: nil))
        let from = try #require(start.itemPath(for: row))
        let to = try #require(made.itemPath(for: name))
        #expect(batch.difference.itemMoves == [Move(from: from, to: to)], comment)
        let undone = try #require(try await source.undo(.named))
        #expect(undone.difference.itemMoves == [Move(from: to, to: from)], comment)
        #expect(undone.finalSnapshot == start, comment)
        let redone = try #require(try await source.redo(.named))
        #expect(redone.difference.itemMoves == [Move(from: from, to: to)], comment)
        #expect(redone.finalSnapshot == made, comment)
      }
    }
  }
}

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
