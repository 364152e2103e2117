import Diffable
import DiffableTerminal
import DiffableTesting
import DiffableViews
import TestScope
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
      await controller.show(try batches.next(Array(0..<40)))
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

  @Test("is as high as the lines of its state, as soon as that changes")
  func states() async throws {
    let list = TerminalList(
      size: TerminalSize(columns: 12, rows: 20), layout: .rows(estimatedHeight: 1))
    let rows = CellRegistration<TerminalCell, Int> { cell, _, item in
      cell.drawing = { _, state in
        let count = 1 + (state.isFocused ? 1 : 0) + (state.isSelected ? 2 : 0)
        return (0..<count).map { StyledText("\(item).\($0)") }
      }
    }
    let controller = Cells.controller(of: list, cells: rows)
    var batches = Batches()
    await controller.show(try batches.next([1, 2, 3]))
    #expect(list.lineCount == 3)
    for (key, count) in [(Key.down, 4), (.enter, 6), (.down, 6), (.escape, 5)] {
      #expect(list.press(key))
      #expect(list.lineCount == count, "\(key)")
    }
    controller.select([3])
    #expect(list.lineCount == 7)
    controller.deselect([1, 3])
    #expect(list.lineCount == 3)
  }

  @Test("is seen with a line at least where a key moves the focus to it, whatever headers cover")
  func seen() async throws {
    let keys: [Key] = [.up, .up, .down, .down, .pageUp, .pageUp, .pageDown, .home, .end]
    for seed in 0..<rounds(80 as UInt64) {
      var random = SplitMix64(seed: seed)
      let list = TerminalList(
        size: TerminalSize(columns: 12, rows: 8),
        layout: .rows(estimatedHeight: 1 + random.number(below: 3), headerKind: "header"))
      let controller = Cells.controller(of: list, cells: Cells.tall)
      var batches = Batches()
      let sections = (1...3).map { section in
        (0..<random.number(below: 8)).map { section * 10 + $0 }
      }
      await controller.show(try batches.next(sections[0], sections[1], sections[2]))
      for step in 0..<40 {
        // A row is left for the focus beside the header.
        if random.chance(oneIn: 5) { list.size.rows = 2 + random.number(below: 5) }
        let key = random.element(of: keys) ?? .up
        guard list.press(key), let path = list.focusedItemPath else { continue }
        let item = try #require(controller.itemIdentifier(for: path))
        #expect(
          list.texts.contains { $0.hasPrefix("\(item).") },
          "seed \(seed), step \(step), \(key), \(list.texts)")
      }
    }
  }
}
