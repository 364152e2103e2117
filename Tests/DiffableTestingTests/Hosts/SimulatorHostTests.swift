import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("The simulator host takes one update at a time")
@MainActor
struct SimulatorHostTests {
  private static let rows = CellRegistration<SimulatedView, Int> { cell, _, item in
    cell.text = "\(item)"
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
    }
    await controller.displayed(first)
    #expect(told == ["+[4, 5]"])
    // Two of them are shown now.
    host.scroll(toRow: 2)
    #expect(told == ["+[4, 5]", "+[6, 7]"])
    host.scroll(toRow: 10)
    #expect(told.dropFirst(2) == ["-[6, 7]", "+[14, 15]"])
    await controller.displayed(try await source.update { $0.deleteItems([14]) })
    #expect(Set(told.dropFirst(4)) == ["-[14]", "+[16]"])
    await controller.displayed(try await source.update { $0.deleteItems(15...20) })
    let last = told.dropFirst(6)
    #expect(last.allSatisfy { $0.hasPrefix("-") })
    #expect(last.joined().contains("15") && last.joined().contains("16"))
    host.scroll(toRow: .max)
    #expect(host.violations.isEmpty)
  }
}
