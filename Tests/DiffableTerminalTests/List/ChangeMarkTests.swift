import Diffable
import DiffableLayout
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Testing
import TestScope

@Suite("Marks of changes")
@MainActor
struct ChangeMarkTests {
  /// A clock that stands until somebody moves it.
  private final class Clock {
    var now = ContinuousClock.now
  }

  private let clock = Clock()
  private let rows = CellRegistration<TerminalCell, Int> { cell, _, item in
    cell.line = StyledText("  \(item)")
  }

  private func list(
    _ layout: CompositionalLayout = .rows(), columns: Int = 20, rows: Int = 8,
    cells: CellRegistration<TerminalCell, Int>? = nil
  ) -> (TerminalList, Controller) {
    let list = TerminalList(
      size: TerminalSize(columns: columns, rows: rows), layout: layout,
      now: { [clock] in clock.now })
    list.changeMarkDuration = .seconds(1)
    return (list, Cells.controller(of: list, cells: cells ?? self.rows))
  }

  private func texts(_ list: TerminalList) -> [String] {
    Array(list.texts.prefix { !$0.isEmpty })
  }

  @Test("end by themselves", .deadline)
  func end() async throws {
    let list = TerminalList(size: TerminalSize(columns: 10, rows: 6))
    list.changeMarkDuration = .milliseconds(1)
    let controller = Cells.controller(of: list, cells: rows)
    var changeCount = 0
    list.changeHandler = { changeCount += 1 }
    var batches = Batches()
    await controller.show(try batches.next([1, 2]))
    let count = changeCount
    await controller.show(try batches.next([2, 3]))
    try await wait { list.nextChangeMarkExpiry == nil }
    #expect(texts(list) == ["  2", "  3"])
    #expect(changeCount > count)

    // What ends sooner does not wait for what ends later.
    list.changeMarkDuration = .seconds(3_600)
    await controller.show(try batches.next([2, 3, 4]))
    let late = list.nextChangeMarkExpiry
    list.changeMarkDuration = .milliseconds(1)
    await controller.show(try batches.next([5, 2, 3, 4]))
    try await wait { list.nextChangeMarkExpiry == late }
    #expect(texts(list) == ["  5", "  2", "  3", "+ 4"])
  }

  @Test("say for a moment what came, went and moved; what went stays where it was")
  func signs() async throws {
    let (list, controller) = list()
    var batches = Batches()
    await controller.show(try batches.next([1, 2, 3, 4, 5]))
    // What is shown from scratch has not changed.
    #expect(texts(list) == ["  1", "  2", "  3", "  4", "  5"])
    #expect(list.nextChangeMarkExpiry == nil)

    await controller.show(try batches.next([5, 1, 3, 6]))
    #expect(texts(list) == ["↑ 5", "  1", "- 2", "  3", "- 4", "+ 6"])
    #expect(
      list.lines.prefix(6).map { $0.spans.last?.style } == [
        TextStyle(color: .yellow), .plain, TextStyle(color: .red, isDim: true), .plain,
        TextStyle(color: .red, isDim: true), TextStyle(color: .green),
      ])
    #expect(list.visibleItemPaths == (0..<4).map { ItemPath(section: 0, item: $0) })

    // Later changes have a moment of their own, and marks move along.
    clock.now += .milliseconds(600)
    #expect(!list.expireChangeMarks())
    await controller.show(try batches.next([7, 5, 1, 6]))
    #expect(texts(list) == ["+ 7", "↑ 5", "  1", "- 2", "- 3", "- 4", "+ 6"])
    clock.now += .milliseconds(400)
    #expect(list.expireChangeMarks())
    #expect(texts(list) == ["+ 7", "  5", "  1", "- 3", "  6"])
    clock.now += .milliseconds(600)
    #expect(list.expireChangeMarks())
    #expect(!list.expireChangeMarks())
    #expect(texts(list) == ["  7", "  5", "  1", "  6"])
  }

  @Test("end with a list that is shown from scratch")
  func reset() async throws {
    let (list, controller) = list()
    var batches = Batches()
    await controller.show(try batches.next([1, 2, 3]))
    await controller.show(try batches.next([4, 3, 1]))
    #expect(texts(list).contains("+ 4") && texts(list).contains("- 2"))
    await controller.show(try batches.next([4, 3, 1, 5], presentation: .reset))
    #expect(texts(list) == ["  4", "  3", "  1", "  5"])
    #expect(list.nextChangeMarkExpiry == nil)
  }

  @Test("of sections end as well, also if no row has any")
  func sectionsAlone() async throws {
    let (list, controller) = list(.rows(headerKind: "header"))
    var batches = Batches()
    await controller.show(try batches.next([1], [2], []))
    var new = batches.snapshot
    try new.moveSection(2, beforeSection: 0)
    await controller.show(try batches.next(new))
    #expect(list.nextChangeMarkExpiry == clock.now.advanced(by: .seconds(1)))
    clock.now += .seconds(1)
    #expect(list.expireChangeMarks() && list.nextChangeMarkExpiry == nil)
  }

  @Test("of rows that went do not hide those that stay", arguments: 1...3)
  func ghosts(rows: Int) async throws {
    let old = Array(10..<19)
    for gone in [[10], [13], [13, 14], [10, 12, 18], [17, 18]] {
      let (list, controller) = list(rows: rows)
      var batches = Batches()
      await controller.show(try batches.next(old))
      // What is in sight leaves something behind when it goes.
      list.focus(on: ItemPath(section: 0, item: gone[0] - 10))
      let new = old.filter { !gone.contains($0) }
      await controller.show(try batches.next(new))
      #expect(list.nextChangeMarkExpiry != nil)
      for (place, item) in new.enumerated() {
        let path = ItemPath(section: 0, item: place)
        list.focus(on: path)
        #expect(list.cell(at: path) != nil, "\(item) without \(gone)")
        #expect(list.texts.contains { $0.contains("\(item)") }, "\(item) without \(gone)")
      }
    }
  }

  @Test("leave rows out of sight as high as they are, once they are gone", arguments: 10...12)
  func heights(count: Int) async throws {
    let (list, controller) = list(.rows(estimatedHeight: 1), rows: 5, cells: Cells.tall)
    var batches = Batches()
    /// Shows a list, every row for a moment, and then its beginning.
    func show(_ items: [Int]) async throws {
      await controller.show(try batches.next(try DiffableTerminalTests.list(items)))
      for place in Array(items.indices) + [0] { list.focus(on: ItemPath(section: 0, item: place)) }
    }
    let items = Array(0..<count)
    try await show(items)
    #expect(list.lineCount == items.reduce(0) { $0 + 1 + $1 % 3 })
    let rest = items.filter { $0 != 1 }
    try await show(rest)
    clock.now += .seconds(1)
    #expect(list.expireChangeMarks())
    #expect(list.lineCount == rest.reduce(0) { $0 + 1 + $1 % 3 })
  }

  @Test("are not there where nobody asked for them, or nothing is to be animated")
  func off() async throws {
    let (list, controller) = list()
    var batches = Batches()
    await controller.show(try batches.next([1, 2]))
    await controller.show(try batches.next([3, 1], presentation: .immediate))
    #expect(texts(list) == ["  3", "  1"])
    list.changeMarkDuration = nil
    await controller.show(try batches.next([4]))
    #expect(texts(list) == ["  4"])
    list.changeMarkDuration = .seconds(1)
    await controller.show(try batches.next([4, 5]))
    await controller.show(try batches.next([5], presentation: .reset))
    #expect(texts(list) == ["  5"])
  }

  @Test("stay with their rows until they end, also if there are to be no more")
  func noMore() async throws {
    let (list, controller) = list()
    var batches = Batches()
    await controller.show(try batches.next([1, 2, 3]))
    await controller.show(try batches.next([3, 1]))
    #expect(texts(list) == ["- 2", "  3", "↓ 1"])
    list.changeMarkDuration = nil
    await controller.show(try batches.next([4, 3, 1, 5]))
    #expect(texts(list) == ["- 2", "  4", "  3", "↓ 1", "  5"])
    clock.now += .seconds(1)
    #expect(list.expireChangeMarks() && list.nextChangeMarkExpiry == nil)
    #expect(texts(list) == ["  4", "  3", "  1", "  5"])
  }

  @Test("tell of sections, too; a section that goes takes its items with it")
  func sections() async throws {
    let (list, controller) = list(.rows(headerKind: "header"))
    let titles = SupplementaryRegistration<TerminalCell, Int>(elementKind: "header") {
      view, _, section in
      view.line = StyledText("  section \(section)")
    }
    controller.supplementaryProviders["header"] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
    }
    var batches = Batches()
    var snapshot = try DiffableTerminalTests.list([1], [2], [3])
    await controller.show(try batches.next(snapshot, presentation: .reset))
    try snapshot.moveSection(2, beforeSection: 0)
    snapshot.appendSections([9])
    try snapshot.appendItems([4])
    await controller.show(try batches.next(snapshot))
    #expect(
      texts(list) == [
        "↑ section 2", "  3", "  section 0", "  1", "  section 1", "  2", "+ section 9", "+ 4",
      ])
    snapshot.deleteSections([0])
    await controller.show(try batches.next(snapshot))
    #expect(texts(list) == ["↑ section 2", "  3", "  section 1", "  2", "+ section 9", "+ 4"])
    try snapshot.moveSection(2, afterSection: 9)
    await controller.show(try batches.next(snapshot))
    #expect(texts(list) == ["  section 1", "  2", "+ section 9", "+ 4", "↓ section 2", "  3"])
  }

  @Test(
    "leave the list as it would be without them, once they are gone", arguments: Layouts.allCases)
  func afterwards(layout: Layouts) async throws {
    for seed in 0..<rounds(6 as UInt64, least: 2) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let (list, controller) = list(layout.layout, rows: 5)
      var batches = Batches()
      for step in 0..<10 {
        let new =
          step == 0
          ? generator.snapshot(.uneven(sections: 2, items: 14))
          : generator.changing(
            batches.snapshot, by: generator.random.element(of: SnapshotChange.allCases) ?? .mixed)
        await controller.show(try batches.next(new))
        _ = list.press(generator.random.element(of: [Key.down, .right, .pageDown, .up]) ?? .down)
        clock.now += .milliseconds(generator.random.chance(oneIn: 3) ? 2000 : 300)
        list.expireChangeMarks()
        for path in list.visibleItemPaths {
          let item = try #require(batches.snapshot.itemIdentifier(for: path))
          #expect(list.cell(at: path)?.line.text == "  \(item)", "seed \(seed), step \(step)")
        }
      }
      clock.now += .seconds(2)
      list.expireChangeMarks()
      list.removeFocus()
      // A list of the same state that never saw a change.
      let fresh = TerminalList(size: list.size, layout: layout.layout)
      fresh.allowsFocus = false
      let other = Cells.controller(of: fresh, cells: rows)
      var all = Batches()
      await other.show(try all.next(batches.snapshot))
      #expect(fresh.lineCount == list.lineCount, "seed \(seed)")
      guard [.rows, .headers, .grid].contains(layout), list.viewport.isAtStart else { continue }
      #expect(fresh.lines == list.lines, "seed \(seed)")
    }
  }

  @Test("A layout whose sections ask the list gets answers whenever it is solved")
  func asking() async throws {
    let (list, controller) = list(columns: 12, rows: 6)
    var batches = Batches()
    list.layout = CompositionalLayout(id: 1) { [weak list] section, _ in
      MainActor.assumeIsolated {
        guard let list else { return nil }
        let headers = list.visibleSupplementaryViewPaths(
          ofKind: "header", inSections: RangeSet(section..<section + 1))
        _ = (list.visibleItemPaths + headers).map(list.cell(at:))
        _ = (list.layoutError, list.orthogonalPage(ofSection: section))
        let size = LayoutSize(
          width: .fractionalWidth(1), height: .absolute(list.size.rows > 8 ? 1 : 2))
        var row = LayoutSection(
          group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: size)]))
        row.boundarySupplementaryItems = [.line("header")]
        return row
      }
    }
    await controller.show(try batches.next([1, 2, 3], [4]))
    #expect(list.texts == ["section 0", "  1", "", "  2", "", "  3"])
    await controller.show(try batches.next([3, 5], [4]))
    list.size.rows = 12
    clock.now += .seconds(2)
    list.expireChangeMarks()
    #expect(texts(list) == ["section 0", "  3", "  5", "section 1", "  4"])
  }
}
