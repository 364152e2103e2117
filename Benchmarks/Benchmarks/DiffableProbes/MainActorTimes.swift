import Diffable
import DiffableViews
import Foundation

private let count = 100_000
private let many = 10_000

/// The processor time that a change of a long list takes on the main actor, from beginning to end.
///
/// It is the sum of all pieces between which the main actor does other work.
@MainActor func probeMainActor() async throws {
  for round in Times.Round.allCases {
    var values: [Double] = []
    for _ in 0..<5 { values.append(try await Times(count).measure(round)) }
    try Figure(name: "main-actor/\(round.rawValue)/\(count)/ours", unit: .seconds, values: values)
      .print()
  }
}

/// A list on display, and its source.
@MainActor private final class Times {
  let source = DataSourceActor<Int, Int>()
  let host = PlainHost()
  let controller: ListController<Int, Int, PlainHost>

  enum Round: String, CaseIterable {
    /// A row that the view has moved by itself.
    case moveOne = "move-one"
    case renameMany = "rename-many"
    /// A place for many dragged rows.
    case proposeMany = "propose-many"
    /// Beside rows that are all selected.
    case insertOne = "insert-one"
    case renameOne = "rename-one"
    case selectAll = "select-all"
  }

  init(_ count: Int) async throws {
    controller = ListController(host: host) { _, _, _ in PlainHost.Cell() }
    var list = Snapshot<Int, Int>()
    list.appendSections([0])
    try list.appendItems(0..<count)
    controller.start(following: source)
    await controller.displayed(try await source.apply(list).revision)
  }

  func measure(_ round: Round) async throws -> Double {
    switch round {
    case .moveOne:
      return try await time { [self] in
        precondition(
          host.content?.didMoveItem(
            from: ItemPath(section: 0, item: 50_000), to: ItemPath(section: 0, item: 20)) == true)
        // The source has it when the next change is shown.
        while await source.revision.number < 2 { await Task.yield() }
        await controller.displayed(await source.revision)
      }
    case .renameMany:
      return try await time { [self] in
        try await show { for item in 0..<many { try $0.renameItem(item, to: item + count) } }
      }
    case .proposeMany:
      let items = Array(40_000..<40_000 + many)
      let hasBegun = try await controller.beginReorder(items)
      precondition(hasBegun)
      let time = try await time { [self] in try await controller.proposeReorder(to: .before(20)) }
      await controller.cancelReorder()
      return time
    case .insertOne:
      controller.selectAll()
      return try await time { [self] in
        try await show { try $0.insertItems([-1], beforeItem: 50_000) }
      }
    case .renameOne:
      controller.selectAll()
      return try await time { [self] in
        try await show { try $0.renameItem(50_000, to: -1) }
      }
    case .selectAll:
      controller.selectionHandler = { precondition($0.cause == .program) }
      return try await time { [self] in controller.selectAll() }
    }
  }

  private func show(
    _ edit: sending @escaping (inout Snapshot<Int, Int>) throws -> Void
  ) async throws {
    let revision = try await source.update { try edit(&$0) }.revision
    await controller.displayed(revision)
  }

  /// The processor time of this thread, the main actor's.
  private func time(_ body: () async throws -> Void) async rethrows -> Double {
    let start = threadTime()
    try await body()
    return threadTime() - start
  }

  private func threadTime() -> Double {
    precondition(Thread.isMainThread)
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// A list view that shows forty rows and draws nothing.
@MainActor private final class PlainHost: ListHost {
  final class Cell {}

  weak var content: (any ListContent<Cell, Cell>)?
  let profile = ListProfile.collectionView
  let takesStages = true
  var numberOfSections = 0
  private var cells: [ItemPath: Cell] = [:]
  private var selection = ItemPathSet()

  func reset(keeping anchor: ListAnchor) { load() }

  func perform(_ stage: ListStage) {
    stage.begin()
    load()
    stage.end()
  }

  private func load() {
    numberOfSections = content?.numberOfSections ?? 0
    let shown = Swift.min(40, content?.numberOfItems(inSection: 0) ?? 0)
    let paths = (0..<shown).map { ItemPath(section: 0, item: $0) }
    cells = Dictionary(
      paths.compactMap { path in (try? content?.cell(for: path)).map { (path, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> Cell? { Cell() }
  func reuseIdentifier(of cell: Cell) -> String? { nil }
  var visibleItemPaths: [ItemPath] { cells.keys.sorted() }
  func cell(at path: ItemPath) -> Cell? { cells[path] }
  func showSelection(_ paths: ItemPathSet) { selection = paths }
}
