import Diffable
import DiffableTesting
import TestScope
import Testing

/// A list that others have led back to where a change had left it.
@Suite("Undo in a list that has come back to what the change had made", .deadline)
struct ComeBackTests {
  private typealias State = Snapshot<Int, Int>
  private typealias Edit = @Sendable (inout State) throws -> Void

  private static let rows = [1, 2, 3]

  /// Every change of one row.
  private static let changes: [Edit] =
    rows.flatMap { row -> [Edit] in
      [
        { $0.deleteItems([row]) }, { try $0.renameItem(row, to: 4) },
        { try $0.insertItems([4], beforeItem: row) }, { try $0.moveItem(row, toSection: 0) },
        { [first = rows[0]] in try $0.moveItem(row, beforeItem: first) },
      ]
    }

  /// What others do, one edit after the other: the list is the same after it, and has other rows.
  private static func detours(in items: [Int]) -> [[Edit]] {
    items.indices.flatMap { index -> [[Edit]] in
      let (row, other) = (items[index], items[(index + 1) % items.count])
      let isLast = index + 1 == items.count
      let comesBack: Edit = {
        if isLast {
          try $0.appendItems([row], toSection: 0)
        } else {
          try $0.insertItems([row], beforeItem: other)
        }
      }
      let leaves: [Edit] = [{ try $0.renameItem(row, to: 9) }, { $0.deleteItems([9]) }]
      guard other != row else { return [leaves + [comesBack]] }
      let exchange: [Edit] = [(row, 9), (other, row), (9, other)].map { old, new in
        { try $0.renameItem(old, to: new) }
      }
      let ordering: Edit = { for item in items { try $0.moveItem(item, toSection: 0) } }
      return [leaves + [comesBack], exchange + [ordering]]
    }
  }

  @Test("It gives the list that was there before the change")
  func undo() async throws {
    let start = State(sections: [0], items: [Self.rows])
    for (number, change) in Self.changes.enumerated() {
      var changed = start
      try change(&changed)
      guard changed != start else { continue }
      for (way, detour) in Self.detours(in: changed.itemIdentifiers).enumerated() {
        let comment: Comment = "change \(number) makes \(changed), way \(way)"
        let source = try DataSourceActor<Int, Int>(start)
        let made = try await source.update(change)
        for edit in detour { try await source.update(edit) }
        try #require(await source.snapshot.itemIdentifiers == changed.itemIdentifiers, comment)
        let undone = try await source.revert(made.change)
        #expect(await source.snapshot.itemIdentifiers == Self.rows, comment)
        #expect(undone.conflicts.isEmpty, comment)
      }
    }
  }
}
