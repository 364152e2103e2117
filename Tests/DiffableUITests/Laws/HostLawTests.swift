import Diffable
import DiffableTesting
import DiffableViews
import StandInSupport
import TestScope
import Testing

/// What holds for the hosts of all views.
@Suite @MainActor
struct HostLawTests {
  @Test(
    "The host keeps the laws, and the view raises nothing", arguments: ListViewKind.allCases,
    StandInHabits.combinations)
  func laws(kind: ListViewKind, habits: StandInHabits) async {
    // One habit alone makes a difference in a view of any size.
    let sizes = [(80, true), (300, false), (60, false), (60, true)]
    let takesAll = habits == .all || habits.isEmpty
    for (height, hasHeaders) in sizes.inScope(usual: takesAll ? 1 : 4, wide: takesAll ? 1 : 4) {
      await expectLaws(
        of: kind.makeFixture(height: height, hasHeaders: hasHeaders, habits: habits),
        seeds: rounds(habits == .all ? 9 : 2))
    }
  }

  @Test(
    "The laws hold for rows of any height, which are estimated until they are measured",
    arguments: ListViewKind.allCases, [false, true])
  func heights(kind: ListViewKind, hasHeaders: Bool) async {
    for height in [100, 37, 1, 0] {
      await expectLaws(
        of: kind.makeFixture(height: height, hasHeaders: hasHeaders, sizesItself: true),
        seeds: rounds(6))
    }
  }

  private func expectLaws<Fixture: ListViewFixture>(of fixture: Fixture, seeds: UInt64) async {
    let violations = await ListHostLaw.violations(
      of: fixture.host, seeds: 0..<seeds,
      supplementaryProviders: [fixture.headerKind: { try fixture.header($0, $1, $2) }]
    ) { try fixture.cell($0, $1, $2) }
    #expect(violations.isEmpty, "\(violations)")
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test(
    "A view without headers and footers reports no errors, whatever it asks for",
    arguments: ListViewKind.allCases, [StandInHabits.all, []])
  func noHeaders(kind: ListViewKind, habits: StandInHabits) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture)
      list.controller.supplementaryProviders = [:]
      var errors: [ListError] = []
      list.controller.errorHandler = { errors.append($0) }
      try await list.apply(state([1, 2], [3]))
      try await list.apply(state([2], [3, 4], [5]))
      try await list.apply(state([6]), presentation: .reset)
      #expect(fixture.numbers == [6])
      #expect(errors.isEmpty, "\(errors)")
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(habits: habits))
  }

  @Test(
    "Selection is that of the controller, and stays with its items",
    arguments: ListViewKind.allCases, StandInHabits.combinations)
  func selection(kind: ListViewKind, habits: StandInHabits) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state([1, 2, 3]))
      var changes: [SelectionChange<Int>.Cause] = []
      list.controller.selectionHandler = { changes.append($0.cause) }
      fixture.userTaps(ItemPath(section: 0, item: 1))
      fixture.userTaps(ItemPath(section: 0, item: 2))
      // The view lets one item be selected at a time.
      #expect(list.controller.selectedItems == [3])
      #expect(Set(changes) == [.user])
      try await list.apply(state([3, 1, 2]))
      #expect(fixture.selectedPaths == [ItemPath(section: 0, item: 0)])
      try await list.apply(state([1, 3]), presentation: .reset)
      #expect(fixture.selectedPaths == [ItemPath(section: 0, item: 1)])
      // The user selects something else, whatever the view has kept.
      fixture.userTaps(ItemPath(section: 0, item: 0))
      #expect(list.controller.selectedItems == [1])
      list.controller.deselect([1])
      #expect(fixture.selectedPaths.isEmpty)
      list.controller.select([1])
      #expect(fixture.selectedPaths == [ItemPath(section: 0, item: 0)])
      try await list.apply(state([3]))
      #expect(list.controller.selectedItems.isEmpty)
      #expect(changes.last == .deletion)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(habits: habits))
  }

  @Test(
    "In a view for one selected item, one that is away is deselected when the user selects another",
    arguments: ListViewKind.columns, [false, true])
  func selectedAway(kind: ListViewKind, selectsSeveral: Bool) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state([1, 2, 3]))
      let controller = list.controller
      controller.keepsAbsentItemsSelected = true
      fixture.userTaps(ItemPath(section: 0, item: 1))
      try await list.apply(state([1, 3]))
      #expect(controller.selectedItems == [2])
      var changes: [Set<Int>] = []
      controller.selectionHandler = { changes.append($0.deselected) }
      fixture.userTaps(ItemPath(section: 0, item: 0))
      #expect(controller.selectedItems == (selectsSeveral ? [1, 2] : [1]))
      #expect(changes == (selectsSeveral ? [[]] : [[2]]))
      try await list.apply(state([1, 2, 3]))
      let paths = (selectsSeveral ? [0, 1] : [0]).map { ItemPath(section: 0, item: $0) }
      #expect(fixture.selectedPaths == Set(paths))
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    let fixture = kind.makeFixture()
    fixture.selectsSeveral = selectsSeveral
    try await check(fixture)
  }

  @Test(
    "What a handler selects while the view is about to change is selected when it has changed",
    arguments: ListViewKind.columns, [StandInHabits.all, []])
  func selectedMeanwhile(kind: ListViewKind, habits: StandInHabits) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture, selecting items: Set<Int>) async throws
    {
      let list = try await ShownSource(in: fixture, state([1, 2]))
      let controller = list.controller
      controller.select([2])
      controller.selectionHandler = { [weak controller] change in
        guard change.cause == .renaming else { return }
        controller?.deselect(change.selected)
        controller?.select(items)
      }
      // A view that shows two rows would raise something if it was told to select the fourth.
      var new = try state([1, 2, 3, 9])
      try new.renameItem(2, to: 20)
      try await list.apply(new, presentation: .reset)
      #expect(controller.selectedItems == items)
      #expect(fixture.selectedPaths == Set(items.map { _ in ItemPath(section: 0, item: 3) }))
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(habits: habits), selecting: [9])
    try await check(kind.makeFixture(habits: habits), selecting: [])
  }

  @Test(
    "A handler may scroll while the view is about to change; the view is there when it has changed",
    arguments: ListViewKind.columns, [StandInHabits.all, []])
  func scrolledMeanwhile(kind: ListViewKind, habits: StandInHabits) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state([1, 2]))
      let controller = list.controller
      controller.select([2])
      controller.selectionHandler = { [weak controller] change in
        if change.cause == .renaming { controller?.scroll(to: 25, at: .top) }
      }
      var new = try state(Array(1...30))
      try new.renameItem(2, to: 50)
      try await list.apply(new, presentation: .reset)
      #expect(fixture.numbers == [25, 26, 27, 28, 29])
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(height: 100, habits: habits))
  }

  @Test(
    "What is only shown anew is told to the view outside of an update",
    arguments: ListViewKind.allCases, [StandInHabits.all, []])
  func refreshes(kind: ListViewKind, habits: StandInHabits) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state([1, 2], [3]))
      func configurations() -> [Int?] {
        fixture.host.visibleItemPaths.map {
          (fixture.host.cell(at: $0) as? any ShowsNumber)?.configurations
        }
      }
      let before = (fixture.batchUpdateCount, configurations())
      var snapshot = list.controller.snapshot
      try snapshot.reconfigureItems([1])
      try await list.apply(snapshot)
      #expect(configurations()[0] == before.1[0].map { $0 + 1 })
      try snapshot.reloadItems([2])
      try snapshot.reloadSections([101])
      try await list.apply(snapshot)
      #expect(fixture.batchUpdateCount == before.0)
      #expect(fixture.numbers == [1, 2, 3])
      try await list.apply(state([1, 2, 4], [3]))
      #expect(fixture.batchUpdateCount > before.0)
      #expect(fixture.numbers == [1, 2, 4, 3])
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(habits: habits))
  }

  @Test(
    "What a view will soon show is told, and what it will not after all",
    arguments: ListViewKind.allCases)
  func prefetching(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture)
      var fetched: [Int] = []
      var cancelled: [Int] = []
      list.controller.prefetchHandler = { fetched += $0 }
      list.controller.prefetchCancellationHandler = { cancelled += $0 }
      try await list.apply(state(Array(0..<40)))
      guard fixture.prefetches else {
        fixture.userScrolls(to: 400)
        #expect(fetched.isEmpty)
        return
      }
      #expect(fetched == [2, 3])
      fixture.userScrolls(to: 400)
      #expect(fetched == [2, 3, 22, 23])
      #expect(cancelled == [2, 3])
      // What is deleted will not be shown either.
      try await list.apply(state(Array(0..<22)))
      #expect(Set(cancelled).isSuperset(of: [2, 3, 22, 23]))
    }
    try await check(kind.makeFixture(height: 40))
  }

  @Test(
    "Rows of outlines are drawn as they stand, whoever folds them",
    arguments: ListViewKind.allCases, 0..<scoped(usual: 2, wide: 6 as UInt64))
  func outlines(kind: ListViewKind, seed: UInt64) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture)
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      try await list.source.apply(generator.snapshot(.anyOf(sections: 3, items: 20)))
      for step in 0..<rounds(8) {
        let edits = (0..<4).map { _ in generator.outlineEdit(of: list.controller.snapshot) }
        try await list.source.update { snapshot in
          // What does not fit is left out.
          for edit in edits { try? edit.apply(to: &snapshot) }
        }
        if let path = generator.random.element(of: fixture.host.visibleItemPaths),
          let item = list.controller.itemIdentifier(for: path)
        {
          fixture.userTapsDisclosure(of: item, at: path)
        }
        try await list.settle()
        let snapshot = list.controller.snapshot
        #expect(
          fixture.numbers == snapshot.itemIdentifiers.map { $0 }, "seed \(seed), step \(step)")
        for path in fixture.host.visibleItemPaths {
          let cell = fixture.host.cell(at: path) as? any ShowsNumber
          #expect(
            cell?.drawnDisclosure == snapshot.disclosure(ofItemAt: path) ?? Disclosure(),
            "seed \(seed)")
        }
      }
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
    try await check(kind.makeFixture(height: 10_000))
  }
}

@Suite("A cell that a view has made ahead is right when it comes into sight", .deadline)
@MainActor
struct PreparedCellTests {
  /// A view with three rows on the screen, and the cell of the fourth.
  private static func makeFixture(_ kind: ListViewKind) -> any ListViewFixture {
    kind.makeFixture(height: 60, habits: .all.union(.preparesNextCell))
  }

  private nonisolated static let kinds = [
    ListViewKind.uiCollectionView, .uiTableView, .nsTableView,
  ]
  private let path = ItemPath(section: 0, item: 3)

  @Test(
    "It is configured again with its row, in its place, also after the row was renamed",
    arguments: kinds)
  func reconfigured(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state(Array(0..<10)))
      #expect(fixture.numbers == [0, 1, 2])
      let cell = try #require(fixture.host.cell(at: path) as? any ShowsNumber)
      #expect(cell.number == 3)
      func expectConfigured(_ number: Int) {
        #expect(cell.number == number && cell.configurations > 0)
        #expect(fixture.host.cell(at: path) as? any ShowsNumber === cell)
        cell.configurations = 0
      }
      expectConfigured(3)
      try await list.update { try $0.reconfigureItems([3, 9]) }
      expectConfigured(3)
      try await list.update { try $0.renameItem(3, to: 30) }
      expectConfigured(30)
      try await list.update { try $0.reconfigureItems([30]) }
      expectConfigured(30)
      fixture.userScrolls(to: 20)
      #expect(fixture.numbers == [1, 2, 30])
      #expect(fixture.host.cell(at: path) as? any ShowsNumber === cell)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(Self.makeFixture(kind))
  }

  /// The row for which the app has no cell.
  @MainActor private final class Gap { var item: Int? = 3 }

  @Test("It is made anew if its row needs another one, or a placeholder", arguments: kinds)
  func replaced(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let gap = Gap()
      let controller = ListController<Int, Int, Fixture.Host>(host: fixture.host) {
        cells, path, item in
        item == gap.item ? nil : try fixture.cell(cells, path, item)
      }
      var batches = BatchSequence<Int, Int>()
      await controller.show(try batches.next(state(Array(0..<10))))
      for next in [nil, 3] {
        gap.item = next
        var new = batches.snapshot
        try new.reconfigureItems([3])
        await controller.show(try batches.next(new))
        let cell = try #require(fixture.host.cell(at: path))
        #expect((cell as? any ShowsNumber)?.number == (next == nil ? 3 : nil))
      }
      fixture.userScrolls(to: 20)
      #expect(fixture.numbers == [1, 2, nil])
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(Self.makeFixture(kind))
  }
}
