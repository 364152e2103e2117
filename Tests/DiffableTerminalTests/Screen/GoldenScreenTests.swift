import Diffable
import DiffableLayout
import DiffableTerminal
import DiffableTesting
import DiffableViews
import TerminalSupport
import Testing

@Suite("Golden screens")
@MainActor
struct GoldenScreenTests {
  private final class Clock {
    var now = ContinuousClock.now
  }

  private let clock = Clock()

  private static let titles = SupplementaryRegistration<TerminalCell, Int>(elementKind: "header") {
    view, _, section in
    view.line = StyledText("  Section \(section)", TextStyle(color: .blue, isBold: true))
  }

  /// A list whose items are numbers that stand for names, some of them wide.
  private func list(
    _ layout: CompositionalLayout, size: TerminalSize,
    cells: CellRegistration<TerminalCell, String>
  ) -> (TerminalList, ListController<Int, Int, TerminalList>) {
    let names = ["apple", "日本の梨", "cafe\u{301}", "👨‍👩‍👧 family", "plum", "🇩🇪 Kirsche"]
    let list = TerminalList(size: size, layout: layout, now: { [clock] in clock.now })
    list.changeMarkDuration = .seconds(1)
    let controller = ListController<Int, Int, TerminalList>(host: list) { dequeuer, path, item in
      try dequeuer.dequeueConfiguredReusableCell(
        using: cells, for: path, item: "\(item) \(names[item % names.count])")
    }
    controller.supplementaryProviders["header"] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(
        using: Self.titles, for: path, model: section)
    }
    return (list, controller)
  }

  @Test("rows under sticky headers, with focus, selection and changes")
  func rows() async throws {
    let size = TerminalSize(columns: 20, rows: 8)
    let (list, controller) = list(
      .rows(headerKind: "header"), size: size,
      cells: CellRegistration { cell, _, name in cell.line = StyledText("  " + name) })
    var screen = GoldenScreen(size: size)
    var batches = Batches()
    await controller.show(try batches.next(Array(0..<6), Array(6..<12)))
    for key in [Key.down, .down, .enter, .down, .down] { _ = list.press(key) }
    try screen.show(Screen(size: size, lines: list.lines), matches: "rows")
    await controller.show(try batches.next([0, 20, 1, 5, 3], [6, 2] + Array(7..<12)))
    try screen.show(Screen(size: size, lines: list.lines), matches: "rows-changing")
    clock.now += .seconds(2)
    list.expireChangeMarks()
    for key in [Key.end, .up] { _ = list.press(key) }
    try screen.show(Screen(size: size, lines: list.lines), matches: "rows-scrolled")
  }

  @Test("a grid above a row that scrolls across, wide and narrow, with and without colours")
  func grid() async throws {
    let size = TerminalSize(columns: 40, rows: 10)
    let item = LayoutItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))
    var row = LayoutGroup.horizontal(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(3)), subitem: item,
      count: 3)
    row.interItemSpacing = .fixed(1)
    var grid = LayoutSection(group: row)
    grid.boundarySupplementaryItems = [.line("header")]
    var shelf = LayoutSection(
      group: .horizontal(
        layoutSize: LayoutSize(width: .absolute(15), height: .absolute(2)), subitem: item, count: 1)
    )
    shelf.orthogonalScrollingBehavior = .continuous
    shelf.interGroupSpacing = 1
    shelf.boundarySupplementaryItems = [.line("header")]
    let (list, controller) = list(
      CompositionalLayout(sections: [grid, shelf]), size: size,
      cells: CellRegistration { cell, _, name in
        cell.drawing = { size, state in
          let color: TextColor = state.isFocused ? .rgb(255, 200, 90) : .rgb(60, 90, 140)
          let style = TextStyle(background: color)
          return [
            StyledText((state.mark?.sign ?? " ") + name, style).filled(
              toColumns: size.columns, style),
            StyledText().filled(toColumns: size.columns, style),
          ]
        }
      })
    var screen = GoldenScreen(size: size)
    var batches = Batches()
    await controller.show(try batches.next(Array(0..<5), Array(6..<12)))
    for key in [Key.down, .right, .down, .down, .right, .right] { _ = list.press(key) }
    try screen.show(Screen(size: size, lines: list.lines), matches: "grid")
    await controller.show(try batches.next([1, 2, 20, 3, 4], Array(6..<12)))
    try screen.show(Screen(size: size, lines: list.lines), matches: "grid-changing")
    let narrow = TerminalSize(columns: 22, rows: 10)
    list.size = narrow
    clock.now += .seconds(2)
    list.expireChangeMarks()
    try screen.show(Screen(size: narrow, lines: list.lines), matches: "grid-narrow")
    var few = GoldenScreen(size: narrow, colorDepth: .sixteen)
    try few.show(Screen(size: narrow, lines: list.lines), matches: "grid-sixteen-colors")
    var none = GoldenScreen(size: narrow, colorDepth: .none)
    try none.show(Screen(size: narrow, lines: list.lines), matches: "grid-no-color")
  }

  @Test("messages of several lines at the end of a list, wide and narrow")
  func messages() async throws {
    let size = TerminalSize(columns: 24, rows: 10)
    let texts = [
      "One line.", "A text that is cut into lines at its spaces.", "日本語の文章は文字の間で折り返されます。",
      "한글은 띄어쓰기에서 줄이 바뀝니다 👍", "a\ttab\tor two", "cafe\u{301}s 👨‍👩‍👧 and 🇩🇪 flags",
    ]
    let (list, controller) = list(
      .rows(estimatedHeight: 2), size: size,
      cells: CellRegistration { cell, _, name in
        let number = name.prefix { $0 != " " }
        cell.drawing = { size, _ in
          let lines = StyledText(texts[(Int(number) ?? 0) % texts.count])
            .wrapped(toColumns: size.columns - 2)
          return [StyledText("#" + number, .bold)] + lines.map { StyledText("  ") + $0 }
        }
      })
    list.allowsFocus = false
    controller.sticksToEnd = true
    var screen = GoldenScreen(size: size)
    var batches = Batches()
    await controller.show(try batches.next(Array(0..<12)))
    try screen.show(Screen(size: size, lines: list.lines), matches: "messages")
    await controller.show(try batches.next(Array(0..<16)))
    try screen.show(Screen(size: size, lines: list.lines), matches: "messages-appended")
    clock.now += .seconds(2)
    list.expireChangeMarks()
    let narrow = TerminalSize(columns: 13, rows: 10)
    list.size = narrow
    for _ in 0..<4 { _ = list.press(.up) }
    try screen.show(Screen(size: narrow, lines: list.lines), matches: "messages-narrow")
  }
}
