import Diffable
import DiffableSync
import DiffableTesting
import TestScope
import Testing

@Suite("Placed rows of shared lists", .deadline) struct PlacedRowReplicaTests {
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
    "Every drag of a row, beside every move of another row by another participant",
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
