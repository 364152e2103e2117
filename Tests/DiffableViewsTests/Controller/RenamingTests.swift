import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A list keeps what belongs to a row that gets another identifier", .deadline)
@MainActor
struct RenamingTests {
  @Test("Selection, cell and place", arguments: everyProfile)
  func kept(profile: ListProfile) async throws {
    var (host, controller, batches) = try await shownList(Array(1...9), profile: profile, rows: 4)
    var changes: [SelectionChange<Int>] = []
    controller.selectionHandler = { changes.append($0) }
    host.scroll(toRow: 3)
    controller.select([4, 6])
    let cell = controller.cell(for: 4)
    var new = batches.snapshot
    try new.renameItem(4, to: 40)
    try new.insertItems([11, 12], beforeItem: 1)
    new.deleteItems([6])
    await controller.show(try batches.next(new))
    #expect(controller.selectedItems == [40])
    #expect(changes.map(\.cause) == [.program, .renaming, .deletion])
    #expect(changes[1].selected == [40] && changes[1].deselected == [4])
    #expect(cell != nil && controller.cell(for: 40) === cell && cell?.text == "40")
    #expect(host.visibleItemPaths.first == controller.itemPath(for: 40))
    #expect(host.selectedItemPaths == [try #require(controller.itemPath(for: 40))])
    #expect(host.violations.isEmpty)
  }

  @Test("What is selected, also if the row gets another kind of cell", arguments: everyProfile)
  func anotherCell(profile: ListProfile) async throws {
    let host = Host(profile: profile, visibleRowCount: 4)
    let plain = Rows().plain
    let other = CellRegistration<Rows.Cell, Int> { cell, _, item in cell.text = "other \(item)" }
    let controller = Controller(host: host) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(
        using: item == 10 ? other : plain, for: path, item: item)
    }
    var batches = Batches()
    await controller.show(try batches.next(list([1, 2, 3])))
    controller.select([1])
    var new = batches.snapshot
    try new.renameItem(1, to: 10)
    await controller.show(try batches.next(new))
    #expect(host.texts == ["other 10", "2", "3"])
    #expect(controller.selectedItems == [10])
    #expect(host.selectedItemPaths == [ItemPath(section: 0, item: 0)])
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("A row that an outline hides, and one of a list that is shown from scratch")
  func hidden() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    var batches = Batches()
    var new = try list([1], [7])
    var outline = Outline<Int>()
    try outline.append([1])
    try outline.append([2], to: 1)
    try new.setOutline(outline, forSection: 0)
    await controller.show(try batches.next(new))
    controller.select([2, 7])
    try new.renameItem(2, to: 20)
    await controller.show(try batches.next(new))
    #expect(controller.selectedItems == [20, 7])
    new = batches.snapshot
    try new.renameItem(7, to: 70)
    var batch = try batches.next(new, presentation: .reset)
    batch.base = nil
    await controller.show(batch)
    #expect(controller.selectedItems == [20, 70])
  }

  @Test("A list that has missed so many marks that it is shown from scratch")
  func manyMarks() async throws {
    let source = DataSourceActor<Int, Int>(options: SourceOptions(history: 0))
    try await source.apply(try list(Array(1...9)))
    var updates = source.updates().makeAsyncIterator()
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    await controller.show(try #require(await updates.next()))
    controller.select([4, 6])
    try await source.update { try $0.renameItem(4, to: 40) }
    for first in stride(from: 100, to: 2_600, by: 50) {
      let items = Array(first..<first + 50)
      try await source.update { try $0.appendItems(items) }
      try await source.update { try $0.reloadItems(items) }
      try await source.update { $0.deleteItems(items) }
    }
    let batch = try #require(await updates.next())
    #expect(batch.presentation == .reset)
    await controller.show(batch)
    #expect(controller.selectedItems == [40, 6])
    #expect(host.violations.isEmpty)
  }

  @Test("The selection goes on with the rows of any script", arguments: 0..<20 as Range<UInt64>)
  func scripts(seed: UInt64) async throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    let host = Host(profile: everyProfile[Int(seed) % everyProfile.count])
    let controller = Rows().controller(of: host)
    var batches = Batches()
    await controller.show(try batches.next(generator.snapshot(.even(sections: 3, itemsEach: 8))))
    controller.select(generator.random.sample(batches.snapshot.itemIdentifiers, oneIn: 2))
    for step in 0..<12 {
      let new = generator.changing(batches.snapshot, by: .renamedItems)
      // An identifier in both states names the same row, whatever was said.
      let names = Dictionary(
        new.renamedItems.filter {
          !new.containsItem($0.old) && !batches.snapshot.containsItem($0.new)
        }.map { ($0.old, $0.new) },
        uniquingKeysWith: { first, _ in first })
      let expected = Set(
        controller.selectedItems.map { names[$0] ?? $0 }.filter { new.containsItem($0) })
      let isReset = generator.random.chance(oneIn: 5)
      await controller.show(try batches.next(new, presentation: isReset ? .reset : .animated))
      #expect(controller.selectedItems == expected, "seed \(seed), step \(step)")
      #expect(
        host.selectedItemPaths == ItemPathSet(expected.compactMap { controller.itemPath(for: $0) }),
        "seed \(seed), step \(step)")
      #expect(host.violations.isEmpty, "seed \(seed), step \(step)")
    }
  }

  @Test("Who observes the old name is told, and the new one shows the row")
  func observed() async throws {
    struct Row: Identifiable, Equatable {
      let id: Int
      var text = ""
    }
    let source = ModelSource<Int, Row>()
    try await source.apply([Row(id: 1), Row(id: 2)]) { _ in 0 }
    let observed = ObservableList<Int, Int>()
    observed.start(following: source)
    await observed.displayed(Revision(1))
    let section = try #require(observed.sections.first)
    let items = Watch { _ = section.items }
    let model = Watch { _ = observed.model(for: 1, as: Row.self) }
    let other = Watch { _ = observed.model(for: 2, as: Row.self) }
    try await source.update { try $0.renameItem(1, to: Row(id: 10, text: "sent")) }
    await observed.displayed(Revision(2))
    #expect(items.hasFired && model.hasFired && !other.hasFired)
    #expect(Array(section.items) == [10, 2] && observed.refreshedItems == [10])
    #expect(observed.model(for: 10, as: Row.self)?.text == "sent")
    #expect(observed.model(for: 1, as: Row.self) == nil)
  }
}
