import Diffable
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Testing

@Suite("A list view in a terminal")
@MainActor
struct TerminalListTests {
  private typealias Controller = ListController<Int, Int, TerminalList>

  private static let rows = CellRegistration<TerminalCell, Int> { cell, _, item in
    cell.line = StyledText("\(item)")
  }
  private static let titles = SupplementaryRegistration<TerminalCell, Int>(elementKind: "header") {
    view, _, section in
    view.line = StyledText("section \(section)")
  }

  private func controller(of list: TerminalList) -> Controller {
    let controller = Controller(host: list) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: Self.rows, for: path, item: item)
    }
    controller.supplementaryProviders["header"] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(
        using: Self.titles, for: path, model: section)
    }
    return controller
  }

  @Test("keeps the laws of hosts", arguments: [1, 3, 6, 100])
  func laws(height: Int) async {
    for headerKind in [nil, "header"] {
      let list = TerminalList(height: height, headerKind: headerKind)
      let violations = await ListHostLaw.violations(of: list) { cells, path, item in
        try cells.dequeueConfiguredReusableCell(using: Self.rows, for: path, item: item)
      }
      #expect(violations == [])
    }
  }

  @Test("shows the rows from where it is scrolled to, through every change")
  func rows() async throws {
    for seed: UInt64 in 0..<60 {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let list = TerminalList(height: 4, headerKind: seed % 2 == 0 ? "header" : nil)
      let controller = controller(of: list)
      var drawn: [StyledText] = []
      list.changeHandler = { drawn = list.lines }
      var snapshot = Snapshot<Int, Int>()
      for step in 0..<12 {
        let new =
          step == 0
          ? generator.snapshot(.uneven(sections: 3, items: 12))
          : generator.changing(
            snapshot, by: generator.random.element(of: SnapshotChange.allCases) ?? .mixed)
        var batch = try UpdateBatch(from: snapshot, to: new)
        (batch.base, batch.target) = (Revision(step), Revision(step + 1))
        await controller.show(batch)
        snapshot = batch.snapshot
        let keys: [Key] = [.up, .down, .pageDown, .pageUp, .home, .end, .down]
        _ = list.press(generator.random.element(of: keys) ?? .down)
        let all = snapshot.sectionIdentifiers.flatMap { section in
          (list.headerKind == nil ? [] : ["section \(section)"])
            + snapshot.items(inSection: section).map { "\($0)" }
        }
        #expect(
          list.lines.map(\.text) == Array(all[list.position.visibleRows]),
          "seed \(seed), step \(step), \(batch)")
        #expect(drawn == list.lines)
      }
    }
  }

  @Test("shows selection, and what is missing")
  func selection() async throws {
    let list = TerminalList(height: 4)
    let controller = Controller(host: list) { cells, path, item in
      item == 3
        ? nil : try cells.dequeueConfiguredReusableCell(using: Self.rows, for: path, item: item)
    }
    var snapshot = Snapshot<Int, Int>()
    snapshot.appendSections([0])
    try snapshot.appendItems([1, 2, 3])
    let source = try DataSourceActor(snapshot)
    await source.finish()
    await controller.follow(source)
    controller.select([2])
    #expect(
      list.lines.map { $0.spans.map(\.style) } == [
        [.plain], [.reversed], [TextStyle(color: .red)],
      ])
    #expect(list.lines[2].text == "\(ListError.noCell(item: AnyItemID(3)))")
    list.height = 1
    #expect(list.lines.map(\.text) == ["1"])
    #expect(!list.press(.character("x")))
  }
}
