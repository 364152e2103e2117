import Diffable
import DiffableQueries
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("Selection and prefetching belong to identifiers", .deadline)
@MainActor
struct SelectionTests {
  @Test("Selection goes with its items, and ends with those that go")
  func selection() async throws {
    var (host, controller, batches) = try await shownList([1, 2, 3], [4])
    var changes: [SelectionChange<Int>] = []
    controller.selectionHandler = { changes.append($0) }
    host.tapItem(at: ItemPath(section: 0, item: 1))
    controller.select([4, 9])
    #expect(changes.map(\.cause) == [.user, .program])
    #expect(changes.map(\.selected) == [[2], [4]])
    // Moves within and across sections, and a reload.
    var new = batches.snapshot
    try new.moveItem(2, afterItem: 4)
    try new.moveSection(1, beforeSection: 0)
    try new.reloadItems([4])
    await controller.show(try batches.next(new))
    #expect(
      host.selectedItemPaths == [ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 1)])
    #expect(changes.count == 2)
    await controller.show(try batches.reset())
    #expect(host.selectedItemPaths.count == 2)
    new.deleteItems([2])
    await controller.show(try batches.next(new))
    #expect(host.selectedItemPaths == [ItemPath(section: 0, item: 0)])
    #expect(changes.last == SelectionChange(selected: [], deselected: [2], cause: .deletion))
    host.tapItem(at: ItemPath(section: 0, item: 0))
    #expect(changes.last == SelectionChange(selected: [], deselected: [4], cause: .user))
    controller.select([1, 3])
    controller.deselect([3, 9])
    #expect(controller.selectedItems == [1])
    #expect(host.selectedItemPaths == [ItemPath(section: 1, item: 0)])
    let count = changes.count
    controller.select([1])
    controller.didSelectItems(at: [ItemPath(section: 9, item: 0)])
    #expect(changes.count == count)
  }

  @Test("When a batch is said to be on the screen, nothing that is gone is selected or prefetched")
  func displayed() async throws {
    var (host, controller, batches) = try await shownList([1, 2, 3], [4])
    var seen: [Set<Int>] = []
    var cancelled: [Int] = []
    controller.select([2, 3])
    controller.content.prefetchItems(at: [ItemPath(section: 1, item: 0)])
    controller.prefetchCancellationHandler = { cancelled += $0 }
    controller.displayHandler = { [weak controller] _ in
      if let controller { seen.append(controller.selectedItems) }
      #expect(cancelled == [4])
    }
    await controller.show(try batches.next(list([1, 3], [])))
    #expect(seen == [[3]])
    #expect(host.selectedItemPaths == [ItemPath(section: 0, item: 1)])
  }

  @Test("An item that is away only between the stages of a batch stays selected")
  func acrossStages() async throws {
    var (host, controller, batches) = try await shownList([1], [2], [3])
    controller.select([1])
    // Its section goes and it enters a new one, while others move.
    var new = List()
    new.appendSections([7, 2, 1])
    try new.appendItems([3], toSection: 2)
    try new.appendItems([2], toSection: 1)
    try new.appendItems([1], toSection: 7)
    await controller.show(try batches.next(new))
    #expect(controller.selectedItems == [1])
    #expect(host.selectedItemPaths == [ItemPath(section: 0, item: 0)])
  }

  @Test("What a collapsed row hides is deselected with its section")
  func hidden() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    var batches = Batches()
    var new = try list([], [9])
    var outline = try Outline([1])
    try outline.append([2], to: 1)
    outline.expand([1])
    try new.setOutline(outline, forSection: 0)
    await controller.show(try batches.next(new))
    controller.select([2, 9])
    new.collapseItems([1])
    await controller.show(try batches.next(new))
    #expect(controller.selectedItems == [2, 9])
    new.deleteSections([0])
    await controller.show(try batches.next(new))
    #expect(controller.selectedItems == [9] && host.violations.isEmpty)
  }

  @Test("Prefetching is told by identifier, once, and cancelled for what is deleted")
  func prefetching() async throws {
    var (host, controller, batches) = try await shownList(Array(0..<10), rows: 2)
    var wanted: [[Int]] = []
    var cancelled: [[Int]] = []
    controller.prefetchHandler = { wanted.append($0) }
    controller.prefetchCancellationHandler = { cancelled.append($0.sorted()) }
    let paths = (2..<6).map { ItemPath(section: 0, item: $0) }
    controller.content.prefetchItems(at: paths)
    controller.content.prefetchItems(at: paths + [ItemPath(section: 3, item: 0)])
    #expect(wanted == [[2, 3, 4, 5]])
    controller.content.cancelPrefetchingItems(at: [paths[1]])
    #expect(cancelled == [[3]])
    // 2 comes on the screen and needs no cancelling.
    host.scroll(toRow: 1)
    await controller.show(try batches.next(list([0, 1, 3, 5])))
    #expect(cancelled == [[3], [4]])
    controller.content.cancelPrefetchingItems(at: [ItemPath(section: 0, item: 3)])
    #expect(cancelled == [[3], [4], [5]])
  }
}

@Suite("A selection that survives a filter follows the rows that the filter hides", .deadline)
@MainActor
struct AbsentSelectionTests {
  /// How the list is filtered twice: the second query hides rows of the first one.
  private static let divisors = [1, 2, 3]

  private func path(_ item: Int, in section: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  @Test("A row that is renamed, renamed again and hidden in one batch stays selected")
  func renamedWhileItGoes() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    controller.keepsAbsentItemsSelected = true
    let source = DataSourceActor<Int, Int>()
    try await source.apply(list([2, 4]))
    let filtered = source.derived { $0.filter { $0.isMultiple(of: 2) } }
    var batches = filtered.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    controller.select([2])
    for (old, new) in [(2, 6), (6, 7)] {
      try await source.update { try $0.renameItem(old, to: new) }
      // The list does not ask, so it gets both at once.
      _ = await filtered.snapshot
    }
    let both = try #require(await batches.next())
    await controller.show(both)
    #expect(controller.selectedItems == [7])
    try await filtered.setQuery { $0 }
    await controller.show(try #require(await batches.next()))
    #expect(controller.selectedItems == [7] && host.texts == ["7", "4"])
  }

  @Test(
    "What is selected while a list has no rows is selected when it comes, also from scratch",
    arguments: everyProfile)
  func empty(profile: ListProfile) async throws {
    for before in [nil, [], [[]], [[1, 2, 3]]] as [[[Int]]?] {
      for isFromScratch in [false, true] {
        for isInWindow in [false, true] {
          let host = Host(profile: profile)
          let controller = Rows().controller(of: host)
          controller.keepsAbsentItemsSelected = true
          var batches = Batches()
          if let before { await controller.show(try batches.next(list(of: before))) }
          controller.select([2, 3])
          if before == [[1, 2, 3]] { await controller.show(try batches.next(list([]))) }
          #expect(controller.selectedItems == [2, 3] && host.selectedItemPaths.isEmpty)
          host.isInWindow = isInWindow
          let batch = try batches.next(list([4, 3], [2]))
          await controller.show(isFromScratch ? try batches.reset() : batch)
          let name = "\(before ?? []), \(isFromScratch), \(isInWindow)"
          #expect(controller.selectedItems == [2, 3], "\(name)")
          #expect(controller.isSelected(2) && controller.isSelected(3), "\(name)")
          #expect(host.selectedItemPaths == [path(1, in: 0), path(0, in: 1)], "\(name)")
          controller.deselect([2])
          #expect(controller.selectedItems == [3], "\(name)")
        }
      }
    }
  }

  @Test("If a program stops keeping absent rows selected, the batch under way ends with that")
  func keptNoMore() async throws {
    let (host, controller, first) = try await shownList([1, 2])
    var batches = first
    controller.keepsAbsentItemsSelected = true
    controller.select([2, 9])
    host.holdsStages = true
    let batch = try batches.next(list([3, 1, 2]))
    let showing = Task { await controller.show(batch) }
    await host.stageBegun()
    controller.keepsAbsentItemsSelected = false
    #expect(controller.selectedItems == [2, 9])
    host.endStage()
    await showing.value
    #expect(controller.selectedItems == [2])
  }

  @Test("Whatever is renamed and filtered, the selection is the rows that were selected")
  func random() async throws {
    for seed in 0..<rounds(20 as UInt64, least: 6) {
      var random = SplitMix64(seed: seed)
      let host = Host(profile: .collectionView)
      let controller = Rows().controller(of: host)
      controller.keepsAbsentItemsSelected = true
      let source = DataSourceActor<Int, Int>()
      var names = Array(1...12)
      var unused = 13
      var selected: Set<Int> = []
      try await source.apply(list(names))
      let first = source.derived { $0.filter { _ in true } }
      let second = first.derived { $0.filter { _ in true } }
      controller.start(following: second)
      try await wait { host.texts.count == 12 }
      for step in 0..<12 {
        switch random.number(below: 5) {
        case 0:
          let divisor = random.element(of: Self.divisors) ?? 1
          try await first.setQuery { $0.filter { $0.isMultiple(of: divisor) } }
        case 1:
          let divisor = random.element(of: Self.divisors) ?? 1
          try await second.setQuery { $0.filter { $0.isMultiple(of: divisor) } }
        case 2:
          // A list is not told the names in between, so it must have heard of this one.
          let revision = await second.revision
          try await wait { controller.revision == revision }
          let row = random.number(below: 12)
          selected.insert(row)
          controller.select([names[row]])
        default:
          // Several at once, some of them twice.
          let rows = (0..<1 + random.number(below: 3)).map { _ in random.number(below: 12) }
          var renames: [(old: Int, new: Int)] = []
          for row in rows {
            renames.append((names[row], unused))
            names[row] = unused
            unused += 1
          }
          try await source.update { [renames] snapshot in
            for rename in renames { try snapshot.renameItem(rename.old, to: rename.new) }
          }
        }
        let expected = Set(selected.map { names[$0] })
        try await wait(for: "seed \(seed), step \(step): \(names), \(selected)") {
          controller.selectedItems == expected
        }
      }
    }
  }

  @Test(
    "An absent item is selected when another row gets its identifier, also from scratch",
    arguments: everyProfile)
  func takenName(profile: ListProfile) async throws {
    for isFromScratch in [false, true] {
      let (host, controller, first) = try await shownList([1, 2, 3], profile: profile)
      var batches = first
      controller.keepsAbsentItemsSelected = true
      let told = ToldSelection(of: controller)
      controller.select([9])
      var new = batches.snapshot
      try new.renameItem(2, to: 9)
      let batch = try batches.next(new)
      await controller.show(isFromScratch ? try batches.reset() : batch)
      #expect(controller.selectedItems == [9] && controller.isSelected(9), "\(isFromScratch)")
      #expect(host.selectedItemPaths == [path(1, in: 0)], "\(isFromScratch)")
      #expect(told.isRight && told.items == [9], "\(isFromScratch)")
      #expect(host.violations.isEmpty, "\(host.violations)")
    }
  }
}
