import Diffable
import DiffableLayout
import DiffableTerminal
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A list view in a terminal")
@MainActor
struct TerminalListTests {
  @Test("keeps the laws of hosts, with any layout", arguments: Layouts.allCases)
  func laws(layout: Layouts) async {
    for rows in [1, 3, 6, 100] {
      for duration in [nil, Duration.seconds(1)] {
        // What has gone stays marked: were it to go while a batch is shown, the batch would begin elsewhere.
        let start = ContinuousClock.now
        let list = TerminalList(
          size: TerminalSize(columns: 20, rows: rows), layout: layout.layout, now: { start })
        list.changeMarkDuration = duration
        let cells = layout == .estimated ? Cells.tall : Cells.rows
        let header: Controller.SupplementaryProvider = { views, path, section in
          try views.dequeueConfiguredReusableSupplementary(
            using: Cells.titles, for: path, model: section)
        }
        let violations = await ListHostLaw.violations(
          of: list, seeds: 0..<UInt64(rounds(4)), supplementaryProviders: ["header": header]
        ) { dequeuer, path, item in
          try dequeuer.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
        }
        #expect(violations == [], "\(rows) rows, marks for \(String(describing: duration))")
      }
    }
  }

  @Test("shows selection, and what is missing")
  func selection() async throws {
    let list = TerminalList(size: TerminalSize(columns: 80, rows: 4))
    let controller = Controller(host: list) { cells, path, item in
      item == 3
        ? nil : try cells.dequeueConfiguredReusableCell(using: Cells.rows, for: path, item: item)
    }
    var batches = Batches()
    await controller.show(try batches.next([1, 2, 3]))
    controller.select([2])
    #expect(
      list.lines.map { $0.spans.map(\.style) } == [
        [.plain], [TextStyle(color: .yellow, isBold: true)], [TextStyle(color: .red)], [],
      ])
    #expect(
      "\(ListError.noCell(item: AnyItemID(3)))".hasPrefix(list.lines[2].text.dropLast()))
    list.size.rows = 1
    #expect(list.texts == ["1"])
    #expect(!list.press(.character("x")))
  }

  @Test("shows what happens to a text in the colours of the text, and the focus in the whole row")
  func colours() async throws {
    let now = ContinuousClock.now
    let list = TerminalList(
      size: TerminalSize(columns: 9, rows: 6), layout: .rows(height: 2), now: { now })
    list.changeMarkDuration = .seconds(1)
    let blue = CellRegistration<TerminalCell, Int> { cell, _, item in
      cell.line = StyledText("\(item)", TextStyle(color: .blue))
    }
    let controller = Cells.controller(of: list, cells: blue)
    var batches = Batches()
    await controller.show(try batches.next([1, 2]))
    await controller.show(try batches.next([2, 3]))
    controller.select([2])
    #expect(
      list.lines.map { $0.spans.map(\.style) } == [
        [TextStyle(color: .blue, isDim: true)], [], [TextStyle(color: .blue, isBold: true)], [],
        [TextStyle(color: .blue)], [],
      ])
    list.focus(on: ItemPath(section: 0, item: 1))
    for line in list.lines.suffix(2) {
      #expect(line.columnCount == 9 && line.spans.allSatisfy(\.style.isReversed))
    }
  }

  @Test("scrolls every row to where no pinned footer covers it")
  func pinnedFooter() async throws {
    let row = LayoutSize(width: .fractionalWidth(1), height: .absolute(1))
    var section = LayoutSection(
      group: .horizontal(layoutSize: row, subitems: [LayoutItem(layoutSize: row)]))
    var footer = LayoutBoundarySupplementaryItem.line("header")
    footer.alignment = .bottom
    section.boundarySupplementaryItems = [footer]
    let list = TerminalList(
      size: TerminalSize(columns: 9, rows: 5), layout: CompositionalLayout(section: section))
    let controller = Cells.controller(of: list)
    var batches = Batches()
    await controller.show(try batches.next(Array(0..<20)))
    for item in Array(0..<20) + [5, 10, 0, 19] {
      list.focus(on: ItemPath(section: 0, item: item))
      let texts = list.texts.map { $0.filter { $0 != " " } }
      #expect(texts.contains("\(item)") && texts.last == "section0", "\(item): \(texts)")
    }
  }

  @Test("shows what is beyond the first or the last row to a user who goes on from there")
  func beyondTheRows() async throws {
    let row = LayoutSize(width: .fractionalWidth(1), height: .absolute(1))
    for isHeader in [true, false] {
      var section = LayoutSection(
        group: .horizontal(layoutSize: row, subitems: [LayoutItem(layoutSize: row)]))
      section.boundarySupplementaryItems = [
        LayoutBoundarySupplementaryItem(
          layoutSize: row, elementKind: "header", alignment: isHeader ? .top : .bottom)
      ]
      let list = TerminalList(
        size: TerminalSize(columns: 9, rows: 4), layout: CompositionalLayout(section: section))
      let controller = Cells.controller(of: list)
      func texts() -> [String] { list.texts.map { $0.filter { $0 != " " } } }
      var batches = Batches()
      await controller.show(try batches.next(Array(0..<10)))
      list.focus(on: ItemPath(section: 0, item: 5))
      for _ in 0..<(isHeader ? 5 : 4) { _ = list.press(isHeader ? .up : .down) }
      #expect(texts() == (isHeader ? ["0", "1", "2", "3"] : ["6", "7", "8", "9"]))
      let expected = isHeader ? ["section0", "0", "1", "2"] : ["7", "8", "9", "section0"]
      #expect(list.press(isHeader ? .up : .down) && texts() == expected)
      #expect(list.press(isHeader ? .end : .home) && texts() != expected)
      #expect(list.press(isHeader ? .home : .end) && texts() == expected)
    }
  }

  @Test("leaves out what a layout hides, and draws faintly what it makes transparent")
  func hidden() async throws {
    let row = LayoutSize(width: .fractionalWidth(1), height: .absolute(1))
    var section = LayoutSection(
      group: .horizontal(layoutSize: row, subitems: [LayoutItem(layoutSize: row)]))
    section.visibleItemsHandler = LayoutVisibleItemsHandler(id: 1) { items, _, _ in
      for index in items.indices {
        let item = items[index].element.path.item
        items[index].isHidden = item == 1
        items[index].alpha = item == 2 ? 0.5 : item == 3 ? 0 : 1
      }
    }
    let list = TerminalList(
      size: TerminalSize(columns: 9, rows: 5), layout: CompositionalLayout(section: section))
    let controller = Cells.controller(of: list)
    var batches = Batches()
    await controller.show(try batches.next(Array(0..<5)))
    #expect(list.texts == ["0", "", "2", "", "4"])
    #expect(list.lines[2].spans.map(\.style) == [TextStyle(isDim: true)])
    #expect(list.visibleItemPaths.map(\.item) == [0, 2, 4])
  }

  @Test("measures cells whose height is estimated, and only those in sight")
  func measuring() async throws {
    let list = TerminalList(
      size: TerminalSize(columns: 20, rows: 6), layout: Layouts.estimated.layout)
    let controller = Cells.controller(of: list, cells: Cells.tall)
    var batches = Batches()
    await controller.show(try batches.next(Array(0..<100)))
    #expect(list.texts == ["section 0", "0.0", "1.0", "1.1", "2.0", "2.1"])
    // There is room for five items below the header, until they have said how high they are.
    #expect(list.lineCount == 1 + (1 + 2 + 3 + 1 + 2) + 95)
  }

  @Test("says what is wrong with a layout, and shows its items once that is put right")
  func wrongLayout() async throws {
    let list = TerminalList(
      size: TerminalSize(columns: 60, rows: 3), layout: CompositionalLayout(sections: []))
    let controller = Cells.controller(of: list)
    var batches = Batches()
    await controller.show(try batches.next([1, 2]))
    #expect(list.layoutError?.reason == .missingSection(itemCount: 2))
    #expect(list.texts[0].contains("no description"))
    #expect(list.visibleItemPaths == [])
    list.layout = .rows()
    #expect(list.layoutError == nil)
    #expect(list.texts == ["1", "2", ""])
  }

  @Test("follows changes also where it was scrolled to a row that does not exist")
  func noRow() async throws {
    let numbers = [Int.min, -1, 0, 1, 7, .max - 1, .max]
    for section in numbers {
      for item in numbers {
        let path = ItemPath(section: section, item: item)
        for anchor in [ListAnchor.row(path, distance: 1), .target(path, .middle)] {
          let list = TerminalList(size: TerminalSize(columns: 9, rows: 2))
          let controller = Cells.controller(of: list)
          var batches = Batches()
          await controller.show(try batches.next([1, 2], [3, 4]))
          for rows in [[[5, 1, 2], [3]], [[], [1, 2, 3]], [[2], []]] {
            list.scroll(to: anchor, isAnimated: false)
            await controller.show(try batches.next(rows[0], rows[1]))
            let shown = list.texts.filter { !$0.isEmpty }
            #expect(shown.count == min(2, rows[0].count + rows[1].count), "\(anchor) \(shown)")
          }
        }
      }
    }
  }
}

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
      var (isTold, lines) = (false, list.lines)
      list.changeHandler = { isTold = true }
      func expectTold(_ step: Int) {
        #expect(isTold || list.lines == lines, "\(layout), seed \(seed), step \(step)")
        (isTold, lines) = (false, list.lines)
      }
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
        expectTold(step)
        for _ in 0..<generator.random.number(below: 4) {
          _ = list.press(generator.random.element(of: keys) ?? .down)
          expectTold(step)
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

@Suite("How far keys scroll a list without focus")
@MainActor
struct ScrollKeyTests {
  /// The row that a key leads to.
  private func target(_ key: Key, _ row: Int, _ rowCount: Int, _ height: Int) -> Int {
    let page = max(1, height - 1)
    let wanted =
      switch key {
      case .up, .character("k"): row - 1
      case .down, .character("j"): row + 1
      case .pageUp, .character("b"): row - page
      case .pageDown, .character("f"), .character(" "): row + page
      case .home, .character("g"): 0
      default: rowCount
      }
    return max(0, min(wanted, rowCount - height))
  }

  @Test("Every key in every small list")
  func keys() async throws {
    let keys: [Key] = [
      .up, .down, .pageUp, .pageDown, .home, .end, .character("k"), .character("j"),
      .character("b"), .character("f"), .character(" "), .character("g"), .character("G"),
    ]
    var number = 0
    for height in 0...5 {
      let list = TerminalList(size: TerminalSize(columns: 4, rows: height))
      list.allowsFocus = false
      let controller = Cells.controller(of: list)
      var batches = Batches()
      for rowCount in 0...9 {
        await controller.show(try batches.next(Array(0..<rowCount)))
        for start in 0...max(0, rowCount - height) {
          for key in keys {
            number += 1
            guard isInScope(number, usual: 5) else { continue }
            _ = list.press(.home)
            for _ in 0..<start { _ = list.press(.down) }
            let row = list.visibleLines.lowerBound
            #expect(row == start)
            #expect(list.press(key))
            let lines = list.visibleLines
            #expect(
              lines.lowerBound == target(key, row, rowCount, height),
              "\(key) at \(row) of \(rowCount), height \(height)")
            #expect(lines.count == min(rowCount, height))
            #expect(list.lineCount == rowCount)
          }
        }
        #expect(!list.press(.character("x")))
      }
    }
  }
}
