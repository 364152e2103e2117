import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("The simulator host takes one update at a time", .deadline) @MainActor
struct SimulatorHostTests {
  private static let rows = CellRegistration<SimulatedView, Int> { cell, _, item in
    cell.text = "\(item)"
  }
  private static let titles = SupplementaryRegistration<SimulatedView, Int>(elementKind: "header") {
    view, _, section in view.text = "\(section)"
  }

  @Test("S13: a reset while a stage is under way, and after it")
  func overlap() async throws {
    let host = SimulatorHost<SimulatedView, SimulatedView>(profile: .collectionView)
    let controller = ListController<Int, Int, SimulatorHost>(host: host) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: Self.rows, for: path, item: item)
    }
    let source = DataSourceActor<Int, Int>()
    controller.start(following: source)
    try await wait { controller.revision != nil }

    host.holdsStages = true
    try await source.update { $0.appendSections([1]) }
    await host.stageBegun()
    host.endStage()
    host.reset(keeping: .start)
    #expect(host.violations.isEmpty, "\(host.violations)")

    try await source.update { try $0.appendItems([1, 2]) }
    await host.stageBegun()
    host.reset(keeping: .start)
    #expect(host.violations.map(\.rule) == [.s13])
    host.endStage()
  }

  @Test("What is below the screen is prefetched, and what will not be shown after all is cancelled")
  func prefetching() async throws {
    let host = SimulatorHost<SimulatedView, SimulatedView>(
      profile: .collectionView, visibleRowCount: 3, prefetchRowCount: 2)
    let source = DataSourceActor<Int, Int>()
    let controller = ListController(host: host, following: source) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: Self.rows, for: path, item: item)
    }
    var told: [String] = []
    controller.prefetchHandler = { told.append("+\($0)") }
    controller.prefetchCancellationHandler = { told.append("-\($0)") }
    let first = try await source.update { snapshot in
      snapshot.appendSections([0])
      try snapshot.appendItems(1...20)
    }.revision
    await controller.displayed(first)
    #expect(told == ["+[4, 5]"])
    // Two of them are shown now.
    host.scroll(toRow: 2)
    #expect(told == ["+[4, 5]", "+[6, 7]"])
    host.scroll(toRow: 10)
    #expect(told.dropFirst(2) == ["-[6, 7]", "+[14, 15]"])
    await controller.displayed(try await source.update { $0.deleteItems([14]) }.revision)
    #expect(Set(told.dropFirst(4)) == ["-[14]", "+[16]"])
    await controller.displayed(try await source.update { $0.deleteItems(15...20) }.revision)
    let last = told.dropFirst(6)
    #expect(last.allSatisfy { $0.hasPrefix("-") })
    #expect(last.joined().contains("15") && last.joined().contains("16"))
    host.scroll(toRow: .max)
    #expect(host.violations.isEmpty)
  }

  @Test("Sections have their headers while a row of theirs, or one beside them, is visible")
  func headers() async throws {
    for counts in [[3, 0], [0, 3], [0, 0], [2, 0, 1], [0, 2, 0, 0], [5, 0, 0, 4, 0]] {
      for room in [1, 3, 10] {
        let host = SimulatorHost<SimulatedView, SimulatedView>(
          profile: .collectionView, visibleRowCount: room, elementKinds: ["header"])
        let source = DataSourceActor<Int, Int>()
        let controller = ListController(host: host, following: source) { cells, path, item in
          try cells.dequeueConfiguredReusableCell(using: Self.rows, for: path, item: item)
        }
        controller.supplementaryProviders["header"] = { views, path, section in
          try views.dequeueConfiguredReusableSupplementary(
            using: Self.titles, for: path, model: section)
        }
        await controller.displayed(
          try await source.update { snapshot in
            for (section, count) in counts.enumerated() {
              snapshot.appendSections([section])
              try snapshot.appendItems((0..<count).map { section * 10 + $0 })
            }
          }.revision)
        let sections = counts.indices.filter { section in
          let above = counts[..<section].reduce(0, +)
          return counts[section] == 0 ? above <= room : above < room
        }
        let shown = host.visibleSupplementaryViewPaths(
          ofKind: "header", inSections: RangeSet(counts.indices))
        #expect(shown.map(\.section) == sections, "\(counts), room for \(room)")
      }
    }
  }

  /// A cell that knows nothing of the simulator.
  private final class Label { var text = "" }

  @Test(
    "Cells of any class are made by their registrations, or from their types",
    arguments: [true, false])
  func anyClass(isMadeFromItsType: Bool) async {
    let makeView: (ReuseKind) -> AnyObject? = { kind in
      isMadeFromItsType && kind.viewType == Label.self ? Label() : nil
    }
    let host = SimulatorHost<Label, Label>(
      profile: .collectionView, visibleRowCount: 5, makeView: makeView,
      placeholder: { _ in Label() })
    let make: @MainActor () -> Label = { Label() }
    let labels = CellRegistration<Label, Int>(make: isMadeFromItsType ? nil : make) {
      label, _, item in label.text = "\(item)"
    }
    let violations = await ListHostLaw.violations(
      of: host, seeds: 0..<UInt64(rounds(20, least: 4))
    ) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: labels, for: path, item: item)
    }
    #expect(violations == [])
    #expect(host.violations == [])
  }

  @Test("Where there is neither a cell nor a placeholder, an error goes with the item")
  func noPlaceholder() async throws {
    let host = SimulatorHost<Label, Label>(
      profile: .collectionView, visibleRowCount: 3, elementKinds: ["header"])
    let labels = CellRegistration<Label, Int>(make: { Label() }) { label, _, item in
      label.text = "\(item)"
    }
    let source = DataSourceActor<Int, Int>()
    var asked: [Int] = []
    let controller = ListController(host: host, following: source) { cells, path, item in
      asked.append(item)
      guard item != 2 else { return nil }
      return try cells.dequeueConfiguredReusableCell(using: labels, for: path, item: item)
    }
    func texts() -> [String?] { host.visibleItemPaths.map { host.cell(at: $0)?.text } }
    await controller.displayed(
      try await source.update { snapshot in
        snapshot.appendSections([0])
        try snapshot.appendItems(1...9)
      }.revision)
    #expect(texts() == ["1", nil, "3"])
    #expect(host.errors == [ItemPath(section: 0, item: 1): .noCell(item: AnyItemID(2))])
    #expect(host.supplementaryView(ofKind: "header", at: ItemPath(section: 0, item: 0)) == nil)
    await controller.displayed(
      try await source.update { try $0.insertItems([10], beforeItem: 1) }.revision)
    #expect(texts() == ["10", "1", nil])
    #expect(host.errors == [ItemPath(section: 0, item: 2): .noCell(item: AnyItemID(2))])
    // It is asked for once, as long as it is visible.
    #expect(asked == [1, 2, 3, 10])
    host.scroll(toRow: 4)
    #expect(texts() == ["4", "5", "6"])
    #expect(host.errors.isEmpty)
    host.scroll(toRow: 2)
    #expect(texts() == [nil, "3", "4"])
    #expect(host.errors.count == 1 && asked.count { $0 == 2 } == 2)
    await controller.displayed(try await source.update { $0.deleteItems([2]) }.revision)
    #expect(host.errors.isEmpty && host.violations.isEmpty)
  }
}
