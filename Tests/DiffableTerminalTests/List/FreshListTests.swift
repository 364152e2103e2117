import Diffable
import DiffableLayout
import DiffableTerminal
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A list that has followed changes looks like one that shows their result for the first time")
@MainActor
struct FreshListTests {
  /// A list that shows a state as another one does: with its selection, its focus and its place.
  private func fresh(
    _ state: Snapshot<Int, Int>, like list: TerminalList, _ selection: Set<Int>
  ) async throws -> (TerminalList, Controller) {
    let fresh = TerminalList(size: list.size, layout: list.layout)
    let controller = Cells.controller(of: fresh)
    var batches = Batches()
    await controller.show(try batches.next(state))
    controller.select(selection)
    if let path = list.focusedItemPath { fresh.focus(on: path) }
    if let row = list.viewport.rows.first {
      let distance = row.span.lowerBound - list.viewport.offset
      fresh.scroll(to: .row(row.path, distance: distance), isAnimated: false)
    }
    return (fresh, controller)
  }

  @Test(
    "whatever changes, is selected, and has the focus, in any size",
    arguments: [Layouts.rows, .headers, .grid, .sideways])
  func law(layout: Layouts) async throws {
    let keys: [Key] = [.up, .down, .left, .right, .pageUp, .pageDown, .end, .enter, .escape]
    for seed in 0..<rounds(64 as UInt64, least: 6) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let list = TerminalList(size: TerminalSize(columns: 24, rows: 7), layout: layout.layout)
      list.allowsMultipleSelection = true
      let controller = Cells.controller(of: list)
      var batches = Batches()
      await controller.show(try batches.next(generator.snapshot(.uneven(sections: 3, items: 24))))
      for step in 0..<12 {
        switch generator.random.number(below: 5) {
        case 0: list.size.rows = 4 + generator.random.number(below: 6)
        case 1: list.size.columns = 18 + generator.random.number(below: 9)
        default:
          let new = generator.changing(
            batches.snapshot, by: generator.random.element(of: SnapshotChange.allCases) ?? .mixed)
          let isReset = generator.random.chance(oneIn: 4)
          await controller.show(try batches.next(new, presentation: isReset ? .reset : .animated))
        }
        for _ in 0..<generator.random.number(below: 4) {
          _ = list.press(generator.random.element(of: keys) ?? .down)
        }
        // Where there are only headers, no row says where the list is.
        guard !list.viewport.rows.isEmpty else { continue }
        let other = try await fresh(batches.snapshot, like: list, controller.selectedItems)
        #expect(list.lines == other.0.lines, "\(layout), seed \(seed), step \(step)")
        #expect(list.visibleItemPaths == other.0.visibleItemPaths)
      }
    }
  }
}
