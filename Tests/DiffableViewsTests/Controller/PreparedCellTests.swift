import Diffable
import DiffableTesting
import DiffableViews
import ListSupport
import Synchronization
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

/// The main actor asks identifiers nothing for rows that a change leaves alone.
@Suite(
  "What the main actor does for a change does not grow with the list", .deadline,
  .enabled(if: !checksInvariants, "the checks ask identifiers too"))
@MainActor
struct MainActorCostTests {
  private let counter = IdentifierCounter()

  private func identifier(_ number: Int) -> CountedIdentifier {
    CountedIdentifier(number: number, counter: counter)
  }

  private func makeList(of size: Int) throws -> Snapshot<Int, CountedIdentifier> {
    var list = Snapshot<Int, CountedIdentifier>()
    list.appendSections([0])
    try list.appendItems((0..<size).map(identifier))
    return list
  }

  private var questions: Int {
    counter.hashes.load(ordering: .relaxed) + counter.comparisons.load(ordering: .relaxed)
  }

  private func makeController(of host: PlainHost) -> ListController<
    Int, CountedIdentifier, PlainHost
  > {
    ListController(host: host) { _, _, _ in PlainHost.Cell() }
  }

  @Test func `All rows are selected, followed and deselected as one range`() async throws {
    var all: [Int] = []
    for size in [500, 8_000] {
      let host = PlainHost()
      let controller = makeController(of: host)
      var batches = BatchSequence<Int, CountedIdentifier>()
      var list = try makeList(of: size)
      await controller.show(try batches.next(list))
      try list.insertItems([identifier(-1)], beforeItem: identifier(size / 2))
      let insertion = try batches.next(list)
      try list.renameItem(identifier(3), to: identifier(-3))
      let renaming = try batches.next(list)
      list.deleteItems([identifier(7)])
      let deletion = try batches.next(list)
      var causes: [SelectionChange<CountedIdentifier>.Cause] = []
      controller.selectionHandler = { causes.append($0.cause) }
      counter.reset()
      controller.selectAll()
      #expect(questions == 0)
      for batch in [insertion, renaming, deletion] { await controller.show(batch) }
      all.append(questions)
      #expect(causes == [.program, .renaming, .deletion])
      // The inserted row is between the two, and a row before it has gone.
      #expect(controller.selectedPaths.ranges.map(\.items) == [0..<size / 2 - 1, size / 2..<size])
      #expect(host.selection == controller.selectedPaths)
      #expect(controller.selectedItems.count == size - 1)
      #expect(controller.isSelected(identifier(-3)) && !controller.isSelected(identifier(-1)))
    }
    #expect(all[1] <= all[0] + 200, "\(all)")
  }

  @Test func `A row that the view has moved is committed without a look at the others`()
    async throws
  {
    var all: [Int] = []
    for size in [500, 8_000] {
      let source = DataSourceActor<Int, CountedIdentifier>()
      let host = PlainHost()
      let controller = makeController(of: host)
      controller.start(following: source)
      await controller.displayed(try await source.apply(try makeList(of: size)).revision)
      let item = try #require(controller.itemIdentifier(for: ItemPath(section: 0, item: 400)))
      counter.reset()
      #expect(
        controller.didMoveItem(
          from: ItemPath(section: 0, item: 400), to: ItemPath(section: 0, item: 2)))
      try await wait { await source.revision == Revision(2) }
      await controller.displayed(Revision(2))
      all.append(questions)
      #expect(controller.itemPath(for: item) == ItemPath(section: 0, item: 2))
    }
    #expect(all[1] <= all[0] + 200, "\(all)")
  }
}
