import Diffable
import DiffableLayout
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Testing
import TestScope

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

  @Test("shows the rows from where it is scrolled to, under the header of their section")
  func rows() async throws {
    for seed in 0..<rounds(60 as UInt64) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let headerKind = seed % 2 == 0 ? "header" : nil
      let list = TerminalList(size: TerminalSize(columns: 20, rows: 4), headerKind: headerKind)
      list.allowsFocus = false
      let controller = Cells.controller(of: list)
      var drawn: [StyledText] = []
      list.changeHandler = { drawn = list.lines }
      var batches = Batches()
      for step in 0..<12 {
        let new =
          step == 0
          ? generator.snapshot(.uneven(sections: 3, items: 12))
          : generator.changing(
            batches.snapshot, by: generator.random.element(of: SnapshotChange.allCases) ?? .mixed)
        await controller.show(try batches.next(new))
        let keys: [Key] = [.up, .down, .pageDown, .pageUp, .home, .end, .down]
        _ = list.press(generator.random.element(of: keys) ?? .down)
        #expect(
          list.texts
            == expected(batches.snapshot, hasHeaders: headerKind != nil, list.visibleLines),
          "seed \(seed), step \(step)")
        #expect(drawn == list.lines)
      }
    }
  }

  /// The visible rows, found without a layout.
  private func expected(
    _ snapshot: Snapshot<Int, Int>, hasHeaders: Bool, _ lines: Range<Int>
  ) -> [String] {
    var rows: [(section: Int, text: String)] = []
    for section in snapshot.sectionIdentifiers {
      if hasHeaders { rows.append((section, "section \(section)")) }
      rows += snapshot.items(inSection: section).map { item in
        (section, (snapshot.disclosure(of: item)?.text ?? "") + "\(item)")
      }
    }
    var visible = Array(rows[lines])
    if hasHeaders, let first = visible.first {
      // The header of a section stays above its rows, whichever of them are in sight.
      visible[0].text = "section \(first.section)"
    }
    return visible.map(\.text) + Array(repeating: "", count: 4 - visible.count)
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
