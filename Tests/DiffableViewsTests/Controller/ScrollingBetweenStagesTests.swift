import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A reader who scrolls while a batch is under way stays where he is then", .deadline)
@MainActor
struct ScrollingBetweenStagesTests {
  /// What was on the screen when the user had scrolled.
  private struct Sight {
    let list: List
    let rows: [VisibleRow]
    let offset: Double
  }

  /// A list that is scrolled to row 10, and a batch that moves two rows to its end.
  private func scrolledList() async throws -> (Host, Controller, UpdateBatch<Int, Int>) {
    var (host, controller, batches) = try await shownList(
      Array(0..<50), profile: .movesApart, rows: 3)
    host.scroll(toRow: 10)
    host.holdsStages = true
    var new = batches.snapshot
    try new.insertItems([100, 101], beforeItem: 0)
    try new.moveItem(30, afterItem: 49)
    try new.moveItem(0, afterItem: 30)
    return (host, controller, try batches.next(new))
  }

  @Test("A place that the program has chosen between two stages stays")
  func program() async throws {
    let (host, controller, batch) = try await scrolledList()
    #expect(batch.stages(for: .movesApart).count == 2)
    let showing = Task { await controller.show(batch) }
    await host.stageBegun()
    // The next stage moves this row to the end.
    controller.scroll(to: 30, at: .top)
    #expect(host.texts == ["30", "31", "32"])
    host.endStage()
    await host.stageBegun()
    #expect(host.texts == ["49", "30", "0"])
    host.endStage()
    await showing.value
  }

  @Test("So does one that it has chosen by either name of a row", arguments: [30, 300])
  func renamed(name: Int) async throws {
    var (host, controller, batches) = try await shownList(
      Array(0..<50), profile: .movesApart, rows: 3)
    host.holdsStages = true
    var new = batches.snapshot
    try new.insertItems([100, 101], beforeItem: 0)
    try new.moveItem(30, afterItem: 49)
    try new.renameItem(30, to: 300)
    let batch = try batches.next(new)
    let showing = Task { await controller.show(batch) }
    for stage in batch.stages(for: .movesApart).indices {
      await host.stageBegun()
      if stage == 0 { #expect(controller.scroll(to: name, at: .top)) }
      #expect(host.texts.contains("30") || host.texts.contains("300"), "stage \(stage)")
      host.endStage()
    }
    await showing.value
    #expect(host.texts == ["48", "49", "300"])
  }

  @Test("A row that is not there is no place to stay at")
  func unknown() async throws {
    let (host, controller, batch) = try await scrolledList()
    let showing = Task { await controller.show(batch) }
    for _ in batch.stages(for: .movesApart) {
      await host.stageBegun()
      #expect(!controller.scroll(to: 999, at: .top))
      host.endStage()
    }
    await showing.value
    #expect(host.texts == ["10", "11", "12"])
  }

  /// A view that notes what it is told.
  private final class NotingHost: ListHost {
    final class Cell {}

    weak var content: (any ListContent<Cell, Cell>)?
    let profile = ListProfile.collectionView
    let takesStages = false
    let numberOfSections = 1
    /// The rows that the view has.
    private var rowCount = 0
    private(set) var notes: [String] = []

    func reset(keeping anchor: ListAnchor) {
      rowCount = content?.numberOfItems(inSection: 0) ?? 0
    }
    func perform(_ stage: ListStage) { stage.end() }
    func scroll(to anchor: ListAnchor, isAnimated: Bool) {
      notes.append("row \(anchor.path?.item ?? -1) of \(rowCount), \(isAnimated)")
    }
    func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> Cell? { Cell() }
    func reuseIdentifier(of cell: Cell) -> String? { nil }
    var visibleItemPaths: [ItemPath] { [] }
    func cell(at path: ItemPath) -> Cell? { Cell() }
  }

  @Test("A view is asked for no row that it does not have yet", arguments: [true, false])
  func awaited(isAnimated: Bool) async throws {
    let host = NotingHost()
    let controller = ListController<Int, Int, NotingHost>(host: host) { _, _, _ in nil }
    var batches = Batches()
    await controller.show(try batches.next(list([1, 2])))
    controller.select([2])
    controller.selectionHandler = { [weak controller] change in
      guard change.cause == .renaming, let controller else { return }
      #expect(controller.scroll(to: 25, at: .top, isAnimated: isAnimated))
      #expect(controller.cell(for: 50) == nil)
    }
    var new = try list(Array(1...30))
    try new.renameItem(2, to: 50)
    await controller.show(try batches.next(new))
    #expect(host.notes == ["row 24 of 30, \(isAnimated)"])
    #expect(controller.selectedItems == [50] && controller.cell(for: 50) != nil)
  }

  @Test(
    "One that a handler chooses in the middle of an update is shown after it",
    arguments: everyProfile, [true, false])
  func handler(profile: ListProfile, isInWindow: Bool) async throws {
    var (host, controller, batches) = try await shownList(
      Array(0..<50), profile: profile, rows: 3)
    host.isInWindow = isInWindow
    controller.select([30])
    var answers: [Bool] = []
    controller.selectionHandler = { [weak controller] change in
      guard change.cause == .renaming, let controller else { return }
      answers.append(controller.scroll(to: 300, at: .top))
    }
    var new = batches.snapshot
    try new.insertItems(100..<140, beforeItem: 0)
    try new.renameItem(30, to: 300)
    await controller.show(try batches.next(new))
    #expect(answers == [true])
    #expect(host.texts == ["300", "31", "32"])
    #expect(host.violations.isEmpty && host.errors.isEmpty)
    // The next batch moves nothing that is on the screen.
    new = batches.snapshot
    try new.insertItems(200..<210, beforeItem: 100)
    await controller.show(try batches.next(new))
    #expect(host.texts == ["300", "31", "32"])
  }

  @Test("For random batches and scrolls, in every profile", arguments: everyProfile)
  func law(profile: ListProfile) async throws {
    var scrolls = 0
    for seed in 0..<rounds(80 as UInt64, least: 15) {
      let host = Host(profile: profile, visibleRowCount: 3)
      let controller = Rows().controller(of: host)
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      var batches = Batches()
      await controller.show(try batches.next(generator.snapshot(.uneven(sections: 4, items: 30))))
      host.holdsStages = true
      for step in 0..<4 {
        let change = generator.random.element(of: SnapshotChange.allCases) ?? .mixed
        let batch = try batches.next(generator.changing(batches.snapshot, by: change))
        var sight: Sight?
        var isShown = false
        let showing = Task {
          await controller.show(batch)
          isShown = true
        }
        while !isShown {
          try Task.checkCancellation()
          await Task.yield()
          guard host.heldStage != nil else { continue }
          if generator.random.chance(oneIn: 2) {
            let former = host.viewport.offset
            host.scroll(toRow: 1 + generator.random.number(below: 25))
            let viewport = host.viewport
            if viewport.offset != former {
              sight = Sight(list: controller.snapshot, rows: viewport.rows, offset: viewport.offset)
            }
          }
          host.endStage()
        }
        await showing.value
        guard let sight, batch.renamedItems.isEmpty, sight.offset > 0 else { continue }
        scrolls += 1
        let faults = try faults(from: sight, to: host, controller.snapshot)
        #expect(faults == [], "seed \(seed), step \(step): \(batch)")
      }
      #expect(host.violations.isEmpty, "seed \(seed): \(host.violations)")
    }
    #expect(scrolls > 10)
  }

  /// The row that should be where it was, and is not.
  private func faults(from sight: Sight, to host: Host, _ list: List) throws -> [String] {
    let difference = try list.difference(from: sight.list)
    let map = PositionMap(difference)
    let staying = sight.rows.first { row in
      map.newPath(forOld: row.path).map { target in
        !difference.itemMoves.contains { $0.from == row.path }
          && !difference.sectionMoves.contains { $0.to == target.section }
      } ?? false
    }
    guard let staying, let path = map.newPath(forOld: staying.path) else { return [] }
    let (now, wanted) = (host.viewport, staying.span.lowerBound - sight.offset)
    guard let row = now.rows.first(where: { $0.path == path }) else {
      return ["\(staying.path) is not visible any more, but it is at \(path)"]
    }
    let distance = row.span.lowerBound - now.offset
    let isAtLimit = distance < wanted ? now.isAtStart : now.isAtEnd
    return distance == wanted || isAtLimit ? [] : ["\(path) is at \(distance), not at \(wanted)"]
  }
}

@Suite("A list that sticks to its end shows what comes there", .deadline)
@MainActor
struct StickingTests {
  @Test("unless the user has scrolled away", arguments: everyProfile)
  func sticking(profile: ListProfile) async throws {
    let host = Host(profile: profile, visibleRowCount: 3)
    let controller = Rows().controller(of: host)
    controller.sticksToEnd = true
    let source = DataSourceActor<Int, Int>()
    controller.start(following: source)
    func show(_ edit: @Sendable @escaping (inout Snapshot<Int, Int>) throws -> Void) async throws {
      await controller.displayed(try await source.update { try edit(&$0) }.revision)
    }
    try await show { snapshot in
      snapshot.appendSections([0, 1])
      try snapshot.appendItems([1, 2], toSection: 0)
    }
    #expect(host.texts == ["1", "2"])
    try await show { try $0.appendItems([3, 4, 5], toSection: 0) }
    #expect(host.texts == ["3", "4", "5"])
    try await show { snapshot in
      try snapshot.insertItems([6], beforeItem: 1)
      try snapshot.appendItems([7, 8], toSection: 1)
      snapshot.deleteItems([4])
    }
    #expect(host.texts == ["5", "7", "8"])
    try await show { $0.deleteItems([8]) }
    #expect(host.texts == ["3", "5", "7"])

    host.scroll(toRow: 1)
    #expect(host.texts == ["1", "2", "3"])
    try await show { try $0.appendItems([9], toSection: 1) }
    try await show { try $0.insertItems([10, 11], beforeItem: 6) }
    #expect(host.texts == ["1", "2", "3"], "who reads further up is left alone")
    host.scroll(toRow: .max)
    try await show { try $0.appendItems([12], toSection: 1) }
    #expect(host.texts == ["7", "9", "12"])
    let last = try await source.update(presentation: .reset) { try $0.appendItems([13]) }.revision
    await controller.displayed(last)
    #expect(host.texts == ["9", "12", "13"])

    controller.sticksToEnd = false
    try await show { try $0.appendItems([14], toSection: 1) }
    #expect(host.texts == ["9", "12", "13"])
    #expect(host.violations.isEmpty)
  }

  @Test("unless it was to open at a row, and that came", arguments: everyProfile, [2, 99])
  func opening(profile: ListProfile, row: Int) async throws {
    let host = Host(profile: profile, visibleRowCount: 3)
    let controller = Rows().controller(of: host)
    controller.sticksToEnd = true
    controller.scroll(to: row, at: .top)
    var batches = Batches()
    await controller.show(try batches.next(list(Array(1...9))))
    #expect(host.texts == (row == 2 ? ["2", "3", "4"] : ["7", "8", "9"]))
    await controller.show(try batches.next(list(Array(1...10))))
    #expect(host.texts == (row == 2 ? ["2", "3", "4"] : ["8", "9", "10"]))
  }
}

@Suite("A list opens where the program wants it", .deadline)
@MainActor
struct OpeningPlaceTests {
  @Test("Once, and later batches leave the reader where that one has scrolled to")
  func once() async throws {
    let host = Host(profile: .collectionView, visibleRowCount: 4)
    let controller = Rows().controller(of: host)
    controller.scroll(to: 5, at: .top)
    var batches = Batches()
    await controller.show(try batches.next(list(Array(0..<20))))
    #expect(host.firstVisibleRow == 5)
    host.scroll(toRow: 10)
    await controller.show(try batches.next(list(Array(0..<21))))
    #expect(host.firstVisibleRow == 10)
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("Also if there are only sections at first, until there are items")
  func sectionsFirst() async throws {
    for before in [[], [[]], [[], []]] as [[[Int]]] {
      for (item, expected) in [(5, 5), (77, 0)] {
        let host = Host(profile: .collectionView, visibleRowCount: 4)
        let controller = Rows().controller(of: host)
        #expect(!controller.scroll(to: item, at: .top))
        var batches = Batches()
        await controller.show(try batches.next(list(of: before)))
        await controller.show(try batches.next(list(Array(0..<20))))
        #expect(host.firstVisibleRow == expected, "\(item) after \(before)")
        // An item that comes too late is not shown.
        await controller.show(try batches.next(list(Array(0..<80))))
        #expect(host.firstVisibleRow == expected, "\(item) after \(before)")
      }
    }
  }

  @Test("Or at its end, once", arguments: [0, 1, 2])
  func end(sections: Int) async throws {
    let host = Host(profile: .collectionView, visibleRowCount: 4)
    let controller = Rows().controller(of: host)
    controller.scroll(to: .end)
    var batches = Batches()
    await controller.show(try batches.next(list(of: Array(repeating: [], count: sections))))
    for count in [20, 80] {
      await controller.show(try batches.next(list(Array(0..<count))))
      #expect(host.firstVisibleRow == 16)
    }
    #expect(host.violations.isEmpty, "\(host.violations)")
  }
}
