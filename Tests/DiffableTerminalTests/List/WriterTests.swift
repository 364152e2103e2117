import Diffable
import DiffableQueries
import DiffableTerminal
import DiffableViews
import TestScope
import Testing

/// A list in a terminal drags through queries.
@Suite(.deadline) @MainActor
struct WriterTests {
  @Test("The user moves rows of a derived list, or is told why not")
  func derived() async throws {
    let source = try DataSourceActor(DiffableTerminalTests.list([1, 2, 3, 4], [5]))
    let list = TerminalList(size: TerminalSize(columns: 20, rows: 8))
    let controller = ListController<Int, Int, TerminalList>(host: list) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: Cells.rows, for: path, item: item)
    }
    let derived = source.derived { $0.filter { $0 != 2 } }
    controller.start(following: derived)
    func shown() -> [Int] { list.texts.compactMap { Int($0.filter(\.isNumber)) } }
    try await wait { shown() == [1, 3, 4, 5] }
    list.focus(on: ItemPath(section: 0, item: 0))
    #expect(await list.moveFocusedItem(isForward: true) == nil)
    #expect(shown() == [3, 1, 4, 5])
    #expect(await source.snapshot.description == "0[2 3 1 4] 1[5]")
    #expect(list.focusedItemPath == ItemPath(section: 0, item: 1))
    for _ in 0..<2 { #expect(await list.moveFocusedItem(isForward: true) == nil) }
    #expect(shown() == [3, 4, 1, 5])
    #expect(await source.snapshot.description == "0[2 3 4] 1[1 5]")
    #expect(await list.moveFocusedItem(isForward: false) == nil)
    #expect(await source.snapshot.description == "0[2 3 4 1] 1[5]")
    try await derived.setQuery { $0.sorted(by: >) }
    try await wait { shown() == [4, 3, 2, 1, 5] }
    #expect(await list.moveFocusedItem(isForward: false) == .sorted)
    #expect(controller.reorderRefusal == nil, "the drag is over")
    #expect(shown() == [4, 3, 2, 1, 5])
  }
}
