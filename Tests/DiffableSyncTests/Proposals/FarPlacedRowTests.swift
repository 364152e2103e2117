import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// A drag in another process moves what was dragged: with the stream before the proposal, behind it, or after
/// a restart of the app.
@Suite("Placed rows of mirrors and of shared lists") struct FarPlacedRowTests {
  typealias Batch = UpdateBatch<Int, Int>
  typealias State = Snapshot<Int, Int>

  /// What comes first when the user has dragged something and others have changed something.
  enum Order: CaseIterable { case streamFirst, proposalFirst, restart }

  private typealias World = OwnerAndMirror<Batch>

  @Test(arguments: Order.allCases)
  func `Every drag of one or two rows, with every move of another row`(_ order: Order) throws {
    let rows = Array(1...5)
    let drags =
      rows.map { [$0] } + rows.flatMap { row in rows.filter { $0 > row }.map { [row, $0] } }
    var number = 0
    for dragged in drags {
      let others = rows.filter { !dragged.contains($0) }
      for place in others.flatMap({ [ReorderDestination<Int, Int>.before($0), .after($0)] }) {
        for row in others {
          for anchor in others where anchor != row {
            number += 1
            guard isInScope(number, usual: 17, wide: 3) else { continue }
            var world = try World(1...5)
            let start = world.live
            try world.drag(dragged, to: place)
            let mine = world.shown
            try world.write { try $0.moveItem(row, afterItem: anchor) }
            let theirs = world.live
            switch order {
            case .streamFirst: try world.deliver()
            case .proposalFirst: break
            case .restart:
              try world.restart()
              try world.deliver()
            }
            try world.send()
            let comment: Comment = "\(dragged) to \(place), \(row) after \(anchor)"
            func expect(_ result: [Int], _ mine: [Int]) {
              #expect(
                result.filter { !dragged.contains($0) } == theirs.filter { !dragged.contains($0) }
                  && result.filter { $0 != row } == mine.filter { $0 != row }, comment)
            }
            expect(world.live, mine)
            #expect(world.shown == world.live, comment)
            guard mine != start else { continue }
            _ = try world.list.reverse(.undo, .animated)
            try world.send()
            expect(world.live, start)
            _ = try world.list.reverse(.redo, .animated)
            try world.send()
            expect(world.live, mine)
          }
        }
      }
    }
    #expect(number > 700)
  }

  @Test(arguments: [false, true])
  func `Undo leaves a row where others have put it since, before the stream or behind it`(
    isDelivered: Bool
  ) throws {
    var number = 0
    for row in 1...5 {
      for place in (1...5).filter({ $0 != row }) {
        for other in (1...5).filter({ $0 != row }) {
          number += 1
          guard isInScope(number, usual: 3) else { continue }
          var world = try World(1...5)
          let start = world.live
          try world.drag([row], to: .after(place))
          try world.send()
          let mine = world.live
          guard mine != start else { continue }
          try world.write { try $0.moveItem(row, beforeItem: other) }
          let theirs = world.live
          if isDelivered { try world.deliver() }
          let undone = try world.list.reverse(.undo, .animated)
          try world.send()
          let comment: Comment = "\(row) after \(place), others before \(other)"
          #expect(world.live == (theirs == mine ? start : theirs), comment)
          #expect(world.shown == world.live, comment)
          if isDelivered {
            #expect(
              undone?.contradictions.conflicts
                == (theirs == mine || theirs == start ? [] : [.item(row, .movedTwice)]), comment)
          }
        }
      }
    }
  }

  @Test func `A proposal that does not say what was placed means what it moves`() throws {
    let epoch = Epoch(high: 0, low: 1)
    let server = SourceCore<Int, Int>(
      SourceOptions(epoch: epoch), kernels: State.makeKernels(), children: nil)
    try server.write {
      $0.appendSections([0])
      try $0.appendItems([1, 2, 3])
    }
    let base = server.hub.token(for: server.revision)
    try server.write { try $0.moveItem(2, beforeItem: 1) }
    let text = """
      {"format": 1, "id": "AAAAAAAAAAAAAAAAAAAAAQ", "base": "\(base)", "difference":
      {"itemMoves": [{"from": {"section": 0, "item": 2}, "to": {"section": 0, "item": 1}}]}}
      """
    let proposal = try JSONDecoder().decode(Proposal<Batch>.self, from: Data(text.utf8))
    _ = try server.accept(proposal) { _, _ in }
    #expect(server.snapshot.itemIdentifiers == [2, 1, 3])
  }

  @Test("A tree that is set anew is shown as its owner makes it, before the answer has come")
  func newTree() throws {
    /// The rows 1, 3 and 4, of which the first has a child.
    func tree(_ roots: [Int]) throws -> Outline<Int> {
      let rows = roots.flatMap { $0 == 1 ? [1, 2] : [$0] }
      return try Outline(rows, levels: rows.map { $0 == 2 ? 1 : 0 }, expanding: [1])
    }
    let orders = [[1, 3, 4], [1, 4, 3], [3, 1, 4], [3, 4, 1], [4, 1, 3], [4, 3, 1]]
    for (before, after) in orders.flatMap({ before in orders.map { (before, $0) } })
    where before != after {
      for row in before {
        var world = try World(.ofNumbers()) { list in
          list.appendSections([0])
          try list.setOutline(tree(before), forSection: 0)
        }
        let mine = try tree(after)
        try world.edit { try $0.setOutline(mine, forSection: 0) }
        let proposal = try #require(world.list.next())
        try world.write { try $0.insertItems([9], afterItem: row) }
        try world.deliver()
        let shown = world.list.overlay.core.snapshot
        world.list.receive(try world.accept(proposal), for: proposal.id)
        try world.deliver()
        let comment: Comment = "\(before) to \(after), and a new row after \(row)"
        #expect(world.server.snapshot == shown, comment)
        #expect(world.list.overlay.core.snapshot == shown, comment)
      }
    }
  }

  // MARK: Shared lists

  typealias Place = ReorderDestination<String, Int>

  /// A drag of a row, and a move of another row by another participant.
  private struct Moves {
    let dragged: Int
    let place: Place
    let row: Int
    let target: Place
  }

  /// Every drag of one of five rows, with every move of another one.
  private static var moves: [Moves] {
    func places(besides rows: [Int]) -> [Place] {
      (1...5).filter { !rows.contains($0) }.flatMap { [.before($0), .after($0)] }
    }
    return (1...5).flatMap { dragged in
      (1...5).filter { $0 != dragged }.flatMap { row in
        places(besides: [dragged]).flatMap { place in
          places(besides: [dragged, row]).map { target in
            Moves(dragged: dragged, place: place, row: row, target: target)
          }
        }
      }
    }
  }

  @Test(
    "Every drag of a row, beside every move of another row by another participant", .deadline,
    arguments: [false, true])
  func drags(isOptimistic: Bool) async throws {
    for moves in Self.moves.inScope(usual: 23, wide: 3) { try await check(moves, isOptimistic) }
  }

  private func check(_ moves: Moves, _ isOptimistic: Bool) async throws {
    let (_, mine, other) = try await ReplicatedSourceTests.two {
      $0.appendSections(["A"])
      try $0.appendItems(1...5, toSection: "A")
    }
    let start = await mine.snapshot
    var (moved, theirs) = (start, start)
    try moved.reorder([moves.dragged], to: moves.place)
    try theirs.reorder([moves.row], to: moves.target)
    guard moved != start, theirs != start else { return }
    let optimistic = isOptimistic ? await mine.optimistic() : nil
    let source: any WritableListSource<String, Int> = if let optimistic { optimistic } else { mine }
    var drag = try #require(try await source.beginReorder([moves.dragged], at: nil))
    _ = try drag.proposed(to: moves.place)
    try await other.update { try $0.reorder([moves.row], to: moves.target) }
    try await mine.reached(other.revision)
    _ = try await drag.commit(named: "Move")
    if let optimistic {
      // The log decides on this behind the drop.
      _ = await (try await optimistic.update { $0.appendSections(["B"]) }).outcome
    }
    let together = await mine.snapshot
    let comment: Comment = "\(moves): mine \(moved), theirs \(theirs), together \(together)"
    func rest(_ state: Snapshot<String, Int>, without row: Int) -> [Int] {
      state.itemIdentifiers.filter { $0 != row }
    }
    #expect(rest(together, without: moves.dragged) == rest(theirs, without: moves.dragged), comment)
    #expect(rest(together, without: moves.row) == rest(moved, without: moves.row), comment)
    guard together.itemIdentifiers != theirs.itemIdentifiers else { return }
    try await mine.undo()
    #expect(await mine.snapshot.itemIdentifiers == theirs.itemIdentifiers, comment)
  }
}

extension OwnerAndMirror<UpdateBatch<Int, Int>> {
  fileprivate var live: [Int] { server.snapshot.itemIdentifiers }
  fileprivate var shown: [Int] { list.overlay.core.snapshot.itemIdentifiers }

  fileprivate func drag(_ items: [Int], to place: ReorderDestination<Int, Int>) throws {
    let base = list.overlay.core.snapshot
    var dropped = base
    try dropped.reorder(items, to: place)
    _ = try list.add(
      { [dropped] state, _, others in
        let merged = try state.merge(valid: dropped, basedOn: base, others: others)
        return Contradictions(merged.conflicts)
      }, named: "Move", .animated)
  }
}
