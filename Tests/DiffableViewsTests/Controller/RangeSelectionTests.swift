import Diffable
import DiffableQueries
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A range of selected rows begins at a row, and not at a position", .deadline)
@MainActor
struct RangeSelectionTests {
  private func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }

  @Test("A range begins at the same row when that has another name", arguments: everyProfile)
  func renamed(profile: ListProfile) async throws {
    var (host, controller, batches) = try await shownList(Array(1...5), profile: profile)
    host.tapItem(at: path(1))
    var new = batches.snapshot
    try new.renameItem(2, to: 20)
    await controller.show(try batches.next(new))
    controller.extendSelection(to: 4)
    #expect(controller.selectedItems == [20, 3, 4])
    // There is no such row.
    controller.extendSelection(to: 77)
    #expect(controller.selectedItems == [20, 3, 4])
    // It comes back, and is renamed while nothing is selected.
    await controller.show(try batches.next(list([1, 5])))
    await controller.show(try batches.next(list([1, 20, 3, 4, 5])))
    #expect(controller.selectedItems == [])
    new = batches.snapshot
    try new.renameItem(20, to: 30)
    await controller.show(try batches.next(new))
    controller.extendSelection(to: 4)
    #expect(controller.selectedItems == [30, 3, 4])
  }

  @Test("Where the user has selected several rows at once, no range begins there or before")
  func several() async throws {
    let (host, controller, _) = try await shownList(Array(1...9))
    host.tapItem(at: path(1))
    controller.didSelectItems(at: ItemPathSet([path(4), path(5)]))
    controller.extendSelection(to: 8)
    #expect(controller.selectedItems == [2, 5, 6, 8])
  }

  @Test("A row that is folded away is where the row is under which it is")
  func folding() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    func state(isExpanded: Bool) throws -> Snapshot<Int, Int> {
      var outline = try Outline([1, 7, 8, 9])
      try outline.append([2, 3], to: 1)
      if isExpanded { outline.expand([1]) }
      var state = Snapshot<Int, Int>()
      state.appendSections([0])
      try state.setOutline(outline, forSection: 0)
      return state
    }
    var batches = Batches()
    await controller.show(try batches.next(state(isExpanded: true)))
    // The range begins at 3, which is then under 1.
    host.tapItem(at: path(2))
    await controller.show(try batches.next(state(isExpanded: false)))
    host.extendSelection(from: path(0), to: path(2))
    #expect(controller.selectedItems == [1, 3, 7, 8])
    // A program's range as well.
    controller.extendSelection(to: 7)
    #expect(controller.selectedItems == [1, 3, 7])
    // The range begins at 8 and ends at 3.
    await controller.show(try batches.next(state(isExpanded: true)))
    controller.deselect([1, 3, 7])
    host.tapItem(at: path(4))
    host.extendSelection(from: path(4), to: path(2))
    #expect(controller.selectedItems == [3, 7, 8])
    await controller.show(try batches.next(state(isExpanded: false)))
    host.extendSelection(from: path(0), to: path(3))
    #expect(controller.selectedItems == [8, 9])
    // It begins at 3, which the program has selected there.
    controller.deselect([8, 9])
    controller.select([3])
    controller.extendSelection(to: 7)
    #expect(controller.selectedItems == [1, 3, 7])
  }

  /// What the selection should be, found in a plain list of rows.
  private struct Model {
    var selected: Set<Int> = []
    var anchor: Int?
    var lead: Int?
    /// What was selected when the range began, or without it.
    var others: Set<Int> = []

    mutating func begin(at item: Int?) { (anchor, lead, others) = (item, item, selected) }

    mutating func extend(to item: Int, in rows: [Int]) {
      if anchor.map({ !rows.contains($0) }) ?? true { begin(at: item) }
      guard let anchor, let first = rows.firstIndex(of: anchor),
        let last = rows.firstIndex(of: item)
      else { return }
      selected = others.union(rows[min(first, last)...max(first, last)])
      lead = item
    }

    mutating func follow(_ rows: [Int], _ names: [Int: Int], keepsAbsent: Bool) {
      func renamed(_ item: Int) -> Int { names[item] ?? item }
      selected = Set(selected.map(renamed))
      others = Set(others.map(renamed))
      (anchor, lead) = (anchor.map(renamed), lead.map(renamed))
      if !keepsAbsent { selected.formIntersection(rows) }
      // What has gone comes back deselected.
      if !keepsAbsent { others.formIntersection(rows) }
    }
  }

  @Test(
    "For random lists, taps, ranges, programs, all rows, sorting, filters, resets and renames",
    arguments: [false, true], [ListProfile.collectionView, .movesApart, .sequential])
  func law(keepsAbsent: Bool, profile: ListProfile) async throws {
    for seed in 0..<rounds(64 as UInt64, least: 16) {
      let host = Host(profile: profile)
      let controller = Rows().controller(of: host)
      controller.keepsAbsentItemsSelected = keepsAbsent
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      var batches = Batches()
      let told = ToldSelection(of: controller)
      var model = Model()
      var hidden: List?
      await controller.show(try batches.next(generator.snapshot(.uneven(sections: 3, items: 20))))
      for step in 0..<30 {
        let rows = batches.snapshot.itemIdentifiers.map { $0 }
        let (first, last) = (generator.random.element(of: rows), generator.random.element(of: rows))
        switch generator.random.number(below: 16) {
        case 0:
          // A filter, and its end.
          var new = hidden ?? batches.snapshot
          if hidden == nil {
            new.deleteItems(generator.random.sample(rows, oneIn: 2))
            hidden = batches.snapshot
          } else {
            hidden = nil
          }
          await controller.show(try batches.next(new))
          model.follow(new.itemIdentifiers.map { $0 }, [:], keepsAbsent: keepsAbsent)
        case 1 where hidden == nil:
          var new = batches.snapshot
          if let first, generator.random.chance(oneIn: 3) {
            try new.renameItem(first, to: 1000 + step)
          }
          for section in new.sectionIdentifiers {
            let items = generator.random.shuffled(Array(new.itemIdentifiers(inSection: section)))
            for item in items.dropFirst() { try new.moveItem(item, beforeItem: items[0]) }
          }
          let batch = try batches.next(new)
          await controller.show(batch)
          let names = Dictionary(uniqueKeysWithValues: batch.renamedItems.map { ($0.old, $0.new) })
          model.follow(new.itemIdentifiers.map { $0 }, names, keepsAbsent: keepsAbsent)
        case 8:
          controller.selectAll()
          model.selected.formUnion(rows)
          model.begin(at: nil)
        case 10:
          // A range that becomes shorter leaves them selected.
          let some = generator.random.sample(rows, oneIn: 4)
          controller.select(some)
          model.selected.formUnion(some)
          model.others.formUnion(some)
          if some.count == 1 { model.begin(at: some[0]) }
        case 11:
          let some = generator.random.sample(rows, oneIn: 6)
          controller.deselect(some)
          model.selected.subtract(some)
          model.begin(at: nil)
        case 9:
          // Another order, from scratch, or while the view takes no stages.
          var new = batches.snapshot
          for item in generator.random.sample(rows, oneIn: 3) {
            if let last, item != last { try new.moveItem(item, afterItem: last) }
          }
          host.isInWindow = generator.random.chance(oneIn: 2)
          if host.isInWindow {
            _ = try batches.next(new)
            await controller.show(try batches.reset())
          } else {
            await controller.show(try batches.next(new))
          }
          host.isInWindow = true
        case 2, 3:
          guard let first, let path = batches.snapshot.itemPath(for: first) else { continue }
          host.tapItem(at: path)
          if model.selected.remove(first) == nil {
            model.selected.insert(first)
            model.begin(at: first)
          } else {
            model.begin(at: nil)
          }
        case 4, 12, 13:
          guard let last else { continue }
          controller.extendSelection(to: last)
          model.extend(to: last, in: rows)
        default:
          let origin = generator.random.chance(oneIn: 3) ? first : model.lead ?? first
          guard let origin, let last, let from = batches.snapshot.itemPath(for: origin),
            let to = batches.snapshot.itemPath(for: last)
          else { continue }
          host.extendSelection(from: from, to: to)
          let goesOn = model.lead == origin && model.anchor.map(rows.contains) ?? false
          if !goesOn { model.begin(at: origin) }
          model.extend(to: last, in: rows)
        }
        #expect(
          rows.allSatisfy { controller.isSelected($0) == controller.selectedItems.contains($0) },
          "seed \(seed), step \(step)")
        #expect(
          controller.selectedItems == model.selected,
          "seed \(seed), step \(step), \(batches.snapshot)")
        #expect(
          told.isRight && told.items == model.selected,
          "seed \(seed), step \(step), \(batches.snapshot)")
        #expect(
          host.selectedItemPaths
            == ItemPathSet(model.selected.compactMap(batches.snapshot.itemPath(for:))),
          "seed \(seed), step \(step)")
      }
    }
  }

  @Test("An option lets a selection survive a filter; the program deselects what is gone for good")
  func filter() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    controller.keepsAbsentItemsSelected = true
    let source = DataSourceActor<Int, Int>()
    try await source.apply(list(Array(1...9)))
    let filtered = source.derived { $0.filter { $0.isMultiple(of: 2) } }
    controller.start(following: source)
    await controller.displayed(await source.revision)
    controller.select([3, 4])
    controller.start(following: filtered)
    try await wait { host.texts == ["2", "4", "6", "8"] }
    #expect(controller.selectedItems == [3, 4])
    #expect(host.selectedItemPaths == [path(1)])
    controller.start(following: source)
    try await wait { host.texts.count == 9 }
    #expect(host.selectedItemPaths == [path(2), path(3)])
    try await source.update { $0.deleteItems([3]) }
    try await wait { host.texts.count == 8 }
    #expect(controller.selectedItems == [3, 4])
    controller.keepsAbsentItemsSelected = false
    #expect(controller.selectedItems == [4])
  }
}
