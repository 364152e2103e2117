import Diffable
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Testing

@Suite("A row of estimated height")
@MainActor
struct EstimatedFocusTests {
  @Test("is as high as its text when it is visible, focused or not", arguments: 1...5)
  func heights(estimate: Int) async throws {
    for rows in [1, 2, 4, 7] {
      let list = TerminalList(
        size: TerminalSize(columns: 12, rows: rows),
        layout: .rows(estimatedHeight: estimate))
      let controller = Cells.controller(of: list, cells: Cells.tall)
      var batches = Batches()
      await controller.show(
        try batches.next(try DiffableTerminalTests.list(Array(0..<40))))
      for focused in [0, 30, 8, 20, 19, 35, 3, 2, 39, 0] {
        list.focus(on: ItemPath(section: 0, item: focused))
        let place = "\(focused) in \(rows) rows of \(estimate)"
        #expect(list.viewport.rows.contains { $0.path.item == focused }, "\(place)")
        for row in list.viewport.rows {
          #expect(
            row.span.upperBound - row.span.lowerBound == Double(row.path.item % 3 + 1),
            "\(row.path), focus on \(place)")
        }
      }
    }
  }
}
