import Diffable
import DiffableQueries
import DiffableTesting
import DiffableViews
import TestScope
import Testing

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
