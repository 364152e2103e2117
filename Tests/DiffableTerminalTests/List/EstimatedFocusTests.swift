import Diffable
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Testing

@Suite("A row of estimated height")
@MainActor
struct EstimatedFocusTests {
  @Test("is read to its end by the arrow keys, also below a header", arguments: 2...6)
  func reading(height: Int) async throws {
    let cells = CellRegistration<TerminalCell, Int> { cell, _, item in
      cell.lines = (0..<height).map { StyledText("\(item).\($0)") }
    }
    for rows in 2...6 {
      let list = TerminalList(
        size: TerminalSize(columns: 12, rows: rows),
        layout: .rows(estimatedHeight: 1, headerKind: "header"))
      let controller = Cells.controller(of: list, cells: cells)
      var batches = Batches()
      await controller.show(try batches.next(try DiffableTerminalTests.list([0, 1], [2])))
      var seen: Set<String> = []
      for _ in 0..<4 * height {
        seen.formUnion(list.texts)
        _ = list.press(.down)
      }
      let lines = Set((0..<3).flatMap { row in (0..<height).map { "\(row).\($0)" } })
      #expect(lines.subtracting(seen).isEmpty, "\(rows) rows")
    }
  }

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
