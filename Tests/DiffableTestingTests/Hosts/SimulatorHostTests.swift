import Diffable
import DiffableTesting
import DiffableViews
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
    while controller.revision == nil { await Task.yield() }

    host.holdsStages = true
    try await source.update { $0.appendSections([1]) }
    await host.stageBegun()
    host.endStage()
    host.reset(keeping: nil)
    #expect(host.violations.isEmpty, "\(host.violations)")

    try await source.update { try $0.appendItems([1, 2]) }
    await host.stageBegun()
    host.reset(keeping: nil)
    #expect(host.violations.map(\.rule) == [.s13])
    host.endStage()
  }
}
