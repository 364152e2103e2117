import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A view may have cells that are not on the screen", .deadline)
@MainActor
struct PreparedCellTests {
  /// A view with two rows on the screen, which has made the cells of four in each section.
  private final class PreparedView: PreparingHost {
    weak var content: (any ListContent<SimulatedView, SimulatedView>)?
    let profile = ListProfile.collectionView
    let takesStages = true
    private(set) var numberOfSections = 0
    private var cells: [ItemPath: SimulatedView] = [:]
    private var identifiers: [ObjectIdentifier: String] = [:]
    /// How often it was asked for a cell.
    var questions = 0

    func reset(keeping anchor: ListAnchor) {
      (cells, numberOfSections) = ([:], content?.numberOfSections ?? 0)
      for section in 0..<numberOfSections {
        for item in 0..<min(4, content?.numberOfItems(inSection: section) ?? 0) {
          ask(ItemPath(section: section, item: item))
        }
      }
    }

    func perform(_ stage: ListStage) {
      stage.begin()
      for path in stage.difference.itemReloads { ask(path) }
      stage.end()
    }

    private func ask(_ path: ItemPath) { cells[path] = try? content?.cell(for: path) }

    func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> SimulatedView? {
      let cell = SimulatedView()
      identifiers[ObjectIdentifier(cell)] = kind.identifier
      return cell
    }

    func reuseIdentifier(of cell: SimulatedView) -> String? { identifiers[ObjectIdentifier(cell)] }
    var visibleItemPaths: [ItemPath] { Array(cells.keys.sorted().prefix(2)) }
    var pathsOfCells: [ItemPath] { cells.keys.sorted() }
    func cell(at path: ItemPath) -> SimulatedView? {
      questions += 1
      return cells[path]
    }
  }

  /// What the provider goes by.
  private final class Look {
    var text = "old"
    var others: [Int] = []
  }

  @Test("All that are reconfigured are up to date, and those that have to be others are others")
  func reconfigured() async throws {
    func items(_ mask: Int) -> [Int] { (0..<4).filter { mask & 1 << $0 != 0 } }
    for changed in (0..<16).map(items) {
      for others in (0..<16).map(items) {
        let (host, look) = (PreparedView(), Look())
        let plain = CellRegistration<SimulatedView, Int> { cell, _, item in
          cell.text = "\(item) \(look.text)"
        }
        let other = CellRegistration<SimulatedView, Int> { cell, _, item in
          cell.text = "other \(item) \(look.text)"
        }
        let controller = ListController<Int, Int, PreparedView>(host: host) { cells, path, item in
          try cells.dequeueConfiguredReusableCell(
            using: look.others.contains(item) ? other : plain, for: path, item: item)
        }
        var batches = Batches()
        await controller.show(try batches.next(list([0, 1, 2, 3])))
        (look.text, look.others) = ("new", others)
        var new = batches.snapshot
        try new.reconfigureItems(changed)
        await controller.show(try batches.next(new))
        let texts = (0..<4).map { host.cell(at: ItemPath(section: 0, item: $0))?.text }
        let expected = (0..<4).map { item in
          !changed.contains(item)
            ? "\(item) old" : others.contains(item) ? "other \(item) new" : "\(item) new"
        }
        #expect(texts == expected, "\(changed) changed, \(others) are others")
      }
    }
  }

  @Test("A view is asked for the cells that it has, however many rows are reconfigured")
  func cost() async throws {
    let host = PreparedView()
    let plain = CellRegistration<SimulatedView, Int> { cell, _, item in cell.text = "\(item)" }
    let controller = ListController<Int, Int, PreparedView>(host: host) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: plain, for: path, item: item)
    }
    var batches = Batches()
    await controller.show(try batches.next(list(Array(0..<1000))))
    var new = batches.snapshot
    try new.reconfigureItems(0..<1000)
    host.questions = 0
    await controller.show(try batches.next(new))
    #expect(host.questions == 4)
    host.questions = 0
    new = batches.snapshot
    try new.reconfigureSections([0])
    await controller.show(try batches.next(new))
    #expect(host.questions == 0)
  }
}
