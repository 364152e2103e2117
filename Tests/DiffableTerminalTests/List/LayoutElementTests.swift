import Diffable
import DiffableLayout
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Synchronization
import TestScope
import Testing

@Suite("Badges, bars and decorations in a terminal", .deadline)
@MainActor
struct LayoutElementTests {
  /// Two columns with a badge on each cell, dots behind them, and a bar above the whole list.
  private var layout: CompositionalLayout {
    let badge = LayoutSupplementaryItem(
      layoutSize: LayoutSize(width: .absolute(2), height: .absolute(1)), elementKind: "badge",
      containerAnchor: LayoutAnchor(edges: [.top, .trailing]))
    let item = LayoutItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)),
      supplementaryItems: [badge])
    var row = LayoutGroup.horizontal(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(2)), subitem: item,
      count: 2)
    row.interItemSpacing = .fixed(2)
    var section = LayoutSection(group: row)
    section.contentInsets = LayoutInsets(top: 1, leading: 1, bottom: 1, trailing: 1)
    section.decorationItems = [.background(elementKind: "dots")]
    var layout = CompositionalLayout(section: section)
    layout.configuration.boundarySupplementaryItems = [.line("bar")]
    return layout
  }

  private func list() -> (TerminalList, Controller) {
    let now = ContinuousClock.now
    let list = TerminalList(size: TerminalSize(columns: 14, rows: 6), layout: layout, now: { now })
    list.changeMarkDuration = .seconds(1)
    list.decorations["dots"] = { size, _ in
      Array(repeating: StyledText(String(repeating: "·", count: size.columns)), count: size.rows)
    }
    let controller = Cells.controller(of: list)
    for (kind, text) in [("badge", "#"), ("bar", "all ")] {
      let registration = SupplementaryRegistration<TerminalCell, Int>(elementKind: kind) {
        view, _, number in
        view.line = StyledText("\(text)\(number)")
      }
      controller.supplementaryProviders[kind] = { [weak controller] views, path, section in
        let count = controller?.snapshot.numberOfItems ?? 0
        return try views.dequeueConfiguredReusableSupplementary(
          using: registration, for: path, model: kind == "bar" ? count : path.item)
      }
    }
    return (list, controller)
  }

  @Test("are drawn without asking for the description of their section again")
  func describedOnce() async throws {
    final class Calls: Sendable {
      let count = Atomic(0)
    }
    let calls = Calls()
    let size = LayoutSize(width: .fractionalWidth(1), height: .absolute(1))
    var section = LayoutSection(
      group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: size)]))
    section.boundarySupplementaryItems = [.line("header")]
    let layout = CompositionalLayout(id: "counted") { [section] _, _ in
      calls.count.add(1, ordering: .relaxed)
      return section
    }
    let list = TerminalList(size: TerminalSize(columns: 14, rows: 6), layout: layout)
    let controller = Cells.controller(of: list)
    var batches = Batches()
    await controller.show(try batches.next([7, 8, 9]))
    let solved = calls.count.load(ordering: .relaxed)
    #expect(solved > 0 && list.texts.count == 6)
    for _ in 0..<3 { _ = list.lines }
    #expect(calls.count.load(ordering: .relaxed) == solved)
  }

  @Test("are drawn by their order, and counted as the layout counts them")
  func drawing() async throws {
    let (list, controller) = list()
    var batches = Batches()
    await controller.show(try batches.next([7, 8, 9]))
    #expect(
      list.texts == [
        "all 3", "··············", "·7  #0··8  #1·", "·     ··     ·", "·9  #2········",
        "·     ········",
      ])
    #expect(list.supplementaryView(ofKind: "badge", at: ItemPath(section: 0, item: 2)) != nil)
    // The bar stays where it is while the rest scrolls.
    list.allowsFocus = false
    _ = list.press(.end)
    #expect(list.texts.first == "all 3")
    // Badges are counted through the section, so what goes leaves at once.
    await controller.show(try batches.next([7, 9]))
    #expect(list.texts.contains("·7  #0··9  #1·"), "\(list.texts)")
    // What the layout as a whole has belongs to the first section, and is updated with it.
    let bar = list.supplementaryView(ofKind: "bar", at: ItemPath(section: 0, item: .max))
    #expect(list.texts.first == "all 3")
    var reconfigured = batches.snapshot
    try reconfigured.reconfigureSections([0])
    await controller.show(try batches.next(reconfigured))
    #expect(list.texts.first == "all 2")
    #expect(list.supplementaryView(ofKind: "bar", at: ItemPath(section: 0, item: .max)) === bar)
    #expect(list.texts.contains("·7  #0··9  #1·"), "\(list.texts)")
    list.decorations = [:]
    #expect(list.texts.contains(" 7  #0  9  #1"), "\(list.texts)")
  }

  @Test("A header is asked for again when its section is reloaded, and only then")
  func reloadedHeaders() async throws {
    let list = TerminalList(
      size: TerminalSize(columns: 20, rows: 9), layout: .rows(headerKind: "header"))
    let controller = Cells.controller(of: list)
    var asked: [Int] = []
    controller.supplementaryProviders["header"] = { views, path, section in
      asked.append(section)
      return try views.dequeueConfiguredReusableSupplementary(
        using: Cells.titles, for: path, model: section)
    }
    var batches = Batches()
    await controller.show(try batches.next([1], [2]))
    #expect(asked == [0, 1])
    var new = batches.snapshot
    try new.insertItems([3], beforeItem: 1)
    await controller.show(try batches.next(new))
    #expect(asked == [0, 1])
    try new.reloadSections([1])
    await controller.show(try batches.next(new))
    #expect(asked == [0, 1, 1])
  }

  @Test("The cells of a section are asked for again when it is reloaded, and only then")
  func reloadedCells() async throws {
    let list = TerminalList(size: TerminalSize(columns: 20, rows: 9))
    var asked: [Int] = []
    let controller = Controller(host: list) { cells, path, item in
      asked.append(item)
      return try cells.dequeueConfiguredReusableCell(using: Cells.rows, for: path, item: item)
    }
    var batches = Batches()
    await controller.show(try batches.next([1, 2], [3]))
    #expect(asked.sorted() == [1, 2, 3])
    var new = batches.snapshot
    try new.reloadSections([0])
    await controller.show(try batches.next(new))
    #expect(asked.dropFirst(3).sorted() == [1, 2])
  }
}
