import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// Two writers place the same row: by every two moves of it in small lists and outlines.
@Suite(.deadline) struct PlacedTwiceLawTests {
  private typealias State = Snapshot<Int, Int>
  private typealias Place = ReorderDestination<Int, Int>

  private static let rows = [1, 2, 3, 4]

  /// Two lists: [1 2 3] and [4].
  private static func lists() -> State {
    State(sections: [0, 1], items: [[1, 2, 3], [4]])
  }

  /// 1▾[2▾[3]], 4, all visible.
  private static func tree() throws -> State {
    let outline = try Outline(Array(1...4), levels: [0, 1, 2, 0], expanding: [1, 2])
    return try State(outline, in: 0)
  }

  @Test("What both put at the top of two sections is no conflict, if one swaps the sections")
  func swappedSections() throws {
    var base = State()
    base.appendSections([0, 1, 2])
    for section in 0..<3 { try base.appendItems([10 + section], toSection: section) }
    try base.appendItems([1, 2], toSection: 2)
    var theirs = base
    try theirs.moveItem(1, beforeItem: 10)
    try theirs.moveItem(2, beforeItem: 11)
    var live = theirs
    try live.moveSection(0, afterSection: 1)
    for (theirs, live) in [(theirs, live), (live, theirs)] {
      let merge = try live.merging(theirs, basedOn: base)
      #expect(merge.conflicts.isEmpty, "\(theirs) onto \(live)")
      #expect("\(merge.snapshot)" == "1[2 11] 0[1 10] 2[12]")
    }
  }

  private static func places(besides row: Int, in state: State) -> [Place] {
    let anchors = rows.filter { $0 != row }
    let below: [Place] =
      state.outline(ofSection: 0) == nil ? [] : anchors.map { .into($0) }
    return anchors.flatMap { [.before($0), .after($0)] } + below
      + state.sectionIdentifiers.map { .end(of: $0) }
  }

  /// A state with one row moved; `nil` if the row cannot go there.
  private static func moving(_ row: Int, to place: Place, in state: State) -> State? {
    var state = state.detachedFromMarks
    guard (try? state.reorder([row], to: place)) != nil else { return nil }
    return state
  }

  private enum Way: CaseIterable { case undo, group, revert, revertAll }

  @Test(arguments: [false, true])
  func `Undo leaves a row where others have put it since`(isTree: Bool) async throws {
    let start = try isTree ? Self.tree() : Self.lists()
    var checked = 0
    for row in Self.rows {
      for first in Self.places(besides: row, in: start) {
        guard let mine = Self.moving(row, to: first, in: start), mine != start else { continue }
        for second in Self.places(besides: row, in: start) {
          guard let live = Self.moving(row, to: second, in: mine) else { continue }
          for way in Way.allCases {
            checked += 1
            guard isInScope(checked, usual: 5) else { continue }
            let list = try DataSourceActor(start)
            let before = await list.revision
            let made = try await list.update(named: "Mine") { try $0.reorder([row], to: first) }
            try await list.update { try $0.reorder([row], to: second) }
            let undone: Transaction<Int, Int>?
            switch way {
            case .undo: undone = try await list.undo(.named)
            case .group:
              list.groupUndo(since: before)
              undone = try await list.undo(.named)
            case .revert: undone = try await list.revert(made.change)
            case .revertAll: undone = try await list.revertAll([made.change, made.change])
            }
            let isTaken = live == mine
            let expected = isTaken ? start : live
            let comment: Comment = "\(way): \(row) \(first), then \(second)"
            #expect(await list.snapshot == expected, comment)
            #expect(
              undone?.conflicts == (isTaken || live == start ? [] : [.item(row, .movedTwice)]),
              comment)
            #expect((undone?.change != nil) == isTaken, comment)
            guard way == .undo else { continue }
            // What undo has not taken back, redo does not bring back.
            let redone = try await list.redo(.named)
            #expect((redone != nil) == isTaken, comment)
            #expect(await list.snapshot == (isTaken ? mine : live), comment)
          }
        }
      }
    }
    #expect(checked > 500)
  }

  @Test func `Redo leaves a row where others have put it since`() async throws {
    let start = Self.lists()
    for row in Self.rows {
      for first in Self.places(besides: row, in: start) {
        guard let mine = Self.moving(row, to: first, in: start), mine != start else { continue }
        for second in Self.places(besides: row, in: start) {
          guard let live = Self.moving(row, to: second, in: start), live != start else { continue }
          let list = try DataSourceActor(start)
          try await list.update(named: "Mine") { try $0.reorder([row], to: first) }
          try await list.undo(.named)
          try await list.update { try $0.reorder([row], to: second) }
          let redone = try #require(try await list.redo(.named))
          #expect(await list.snapshot == live, "\(row) \(first), then \(second)")
          #expect(redone.conflicts == (live == mine ? [] : [.item(row, .movedTwice)]))
        }
      }
    }
  }

  @Test
  func `Undo leaves a row that others have inserted again, and a section that they have moved`()
    async throws
  {
    let list = try DataSourceActor(Self.lists())
    try await list.update(named: "Delete") { $0.deleteItems([2]) }
    try await list.update { try $0.insertItems([2], afterItem: 4) }
    let undone = try #require(try await list.undo(.named))
    #expect(undone.conflicts == [.item(2, .insertedTwice)] && undone.change == nil)
    #expect(await list.snapshot.description == "0[1 3] 1[4 2]")

    let sections = [0, 1, 2, 3]
    for first in sections {
      for second in sections where second != first {
        for third in sections where third != first {
          let list = DataSourceActor<Int, Int>()
          try await list.update { $0.appendSections(sections) }
          let start = await list.snapshot
          let made = try await list.update { try $0.moveSection(first, afterSection: second) }
          let mine = await list.snapshot
          try await list.update { try $0.moveSection(first, beforeSection: third) }
          let live = await list.snapshot
          guard made.change != nil else { continue }
          let undone = try await list.revert(made.change)
          #expect(await list.snapshot == (live == mine ? start : live))
          #expect(
            undone.conflicts
              == (live == mine || live == start ? [] : [.section(first, .movedTwice)]))
        }
      }
    }
  }

  /// What others have inserted between is not what the writer has seen.
  @Test func `Both put a row into the same gap: it stays where others have it`() async throws {
    let start = Self.lists()
    var (agreed, contradicted) = (0, 0)
    for row in Self.rows {
      for place in Self.places(besides: row, in: start) {
        guard let mine = Self.moving(row, to: place, in: start), mine != start else { continue }
        for anchor in Self.rows {
          var inserted = start
          try inserted.insertItems([9], afterItem: anchor)
          for other in Self.places(besides: row, in: start) + [.before(9), .after(9)] {
            guard let live = Self.moving(row, to: other, in: inserted) else { continue }
            let comment: Comment = "\(row) \(place), others \(other), 9 after \(anchor)"
            let alone = live.without(9)
            let merge = try live.marking(row).merging(mine.marking(row), basedOn: start)
            if alone == mine {
              agreed += 1
              #expect(merge.snapshot == live && merge.conflicts.isEmpty, comment)
            } else {
              let isOutside =
                alone.sectionIdentifier(containingItem: row)
                != start.sectionIdentifier(containingItem: row)
                && mine.sectionIdentifier(containingItem: row)
                  == start.sectionIdentifier(containingItem: row)
              contradicted += alone == start ? 0 : 1
              #expect(merge.snapshot.without(9) == (isOutside ? alone : mine), comment)
              #expect(merge.conflicts == (alone == start ? [] : [.item(row, .movedTwice)]), comment)
            }

            // The drop is the same merge.
            guard isInScope(agreed + contradicted, usual: 7, wide: 2) else { continue }
            let list = try DataSourceActor(start)
            var drag = try #require(try await list.beginReorder([row]))
            _ = try drag.proposed(to: place)
            try await list.update {
              try $0.insertItems([9], afterItem: anchor)
              try $0.reorder([row], to: other)
            }
            let drop = try #require(try await drag.commit())
            #expect(drop.finalSnapshot == merge.snapshot, comment)
            #expect(drop.conflicts == merge.conflicts, comment)
          }
        }
      }
    }
    #expect(agreed > 50 && contradicted > 100)
  }

  @Test func `All dragged rows are placed, also one that is where it would go`() async throws {
    let start = Self.lists()
    var checked = 0
    for row in Self.rows {
      for second in Self.rows where second != row {
        let dragged = [row, second].sorted()
        let places = Self.places(besides: row, in: start).filter { !$0.isBeside(second) }
        for place in places {
          for other in Self.places(besides: row, in: start) {
            checked += 1
            guard isInScope(checked, usual: 5) else { continue }
            let list = try DataSourceActor(start)
            var drag = try #require(try await list.beginReorder(dragged))
            _ = try drag.proposed(to: place)
            try await list.update { try $0.reorder([row], to: other) }
            let (live, mine) = (await list.snapshot, drag.proposedSnapshot)
            let drop = try #require(try await drag.commit())
            let comment: Comment = "\(dragged) \(place), others move \(row) \(other)"
            guard mine != start else {
              #expect(drop.change == nil && drop.conflicts.isEmpty, comment)
              continue
            }
            let section = start.sectionIdentifier(containingItem: row)
            let isOutside =
              mine.sectionIdentifier(containingItem: row) == section
              && live.sectionIdentifier(containingItem: row) != section
            // What neither has moved is what they agree by.
            let isAlone = mine.without(row) == start.without(row)
            let agrees =
              live == start || live == mine
              || !isAlone && live.without(second) == mine.without(second)
            #expect(drop.conflicts == (agrees ? [] : [.item(row, .movedTwice)]), comment)
            if isOutside {
              #expect(drop.finalSnapshot.without(row) == mine.without(row), comment)
              #expect(drop.finalSnapshot.without(second) == live.without(second), comment)
            } else {
              #expect(drop.finalSnapshot == mine, comment)
            }
          }
        }
      }
    }
    #expect(checked > 300)
  }

  @Test func `A dragged row that others have deleted is told, also one that is where it would go`()
    async throws
  {
    let start = Self.lists()
    for (row, place) in [(2, Place.before(3)), (4, .before(3)), (1, .before(3))] {
      let list = try DataSourceActor(start)
      var drag = try #require(try await list.beginReorder(row == 4 ? [2, 4] : [1, 2]))
      _ = try drag.proposed(to: place)
      guard drag.proposedSnapshot != start else { continue }
      try await list.update { $0.deleteItems([2]) }
      #expect(try await drag.commit()?.conflicts == [.item(2, .movedButDeleted)])
    }
  }

  @Test func `A row that is placed where it is is recorded, and changes nothing alone`()
    async throws
  {
    let start = Self.lists()
    for row in Self.rows {
      for place in Self.places(besides: row, in: start) {
        guard var same = Self.moving(row, to: place, in: start), same == start else { continue }
        same = same.marking(row)
        #expect(same.placedItemIdentifiers == [row])
        let list = try DataSourceActor(start)
        let made = try await list.updateOrder { try $0.reorder([row], to: place) }
        #expect(made.change == nil)
        for other in Self.places(besides: row, in: start) {
          guard let live = Self.moving(row, to: other, in: start) else { continue }
          let merge = try live.merging(same, basedOn: start)
          #expect(merge.snapshot == live && merge.conflicts.isEmpty)
          // With another change, it is the writer's word.
          var more = same
          more.appendSections([9])
          let both = try live.merging(more, basedOn: start)
          #expect(both.conflicts == (live == start ? [] : [.item(row, .movedTwice)]))
          // What the base says already, the writer has not said.
          let later = try live.merging(more, basedOn: same)
          #expect(later.snapshot.without(section: 9) == live && later.conflicts.isEmpty)
        }
      }
    }
  }
}

extension ReorderDestination<Int, Int> {
  fileprivate func isBeside(_ row: Int) -> Bool {
    switch self {
    case .before(let anchor), .after(let anchor), .into(let anchor): anchor == row
    case .end: false
    }
  }
}

extension Snapshot<Int, Int> {
  fileprivate func without(_ row: Int) -> Self {
    var state = self
    state.deleteItems([row])
    return state
  }

  fileprivate func without(section: Int) -> Self {
    var state = self
    state.deleteSections([section])
    return state
  }

  /// The same order, without marks.
  fileprivate var detachedFromMarks: Self {
    var state = self
    state.marks = .init()
    return state
  }

  /// The same order, whose writer has placed one row.
  fileprivate func marking(_ row: Int) -> Self {
    var state = detachedFromMarks
    state.marks.placed.formUnion(PlacedRows(sections: [], items: [row]))
    return state
  }
}
