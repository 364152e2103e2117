import Diffable
import DiffableQueries
import DiffableTesting
import DiffableViews
import Testing
import TestScope

@Suite("A drag shows what is proposed, and leaves the source to all others meanwhile", .deadline)
@MainActor
struct ReorderingTests {
  private func fixture(
    _ list: List, profile: ListProfile = .collectionView,
    reordering: ReorderingHandlers<Int, Int> = .init()
  ) async throws -> (host: Host, controller: Controller, source: DataSourceActor<Int, Int>) {
    let host = Host(profile: profile)
    let controller = Rows().controller(of: host)
    let source = try DataSourceActor<Int, Int>(list, reordering: reordering)
    controller.start(following: source)
    try await wait { controller.revision != nil }
    return (host, controller, source)
  }

  @Test("What another source has shown is not dragged in a source that has shown nothing yet")
  func otherSource() async throws {
    let (host, controller, first) = try await fixture(list([1, 2, 3]))
    let second = try DataSourceActor<Int, Int>(list([3, 1, 2]))
    #expect(await second.revision == controller.revision)
    controller.start(following: second)
    // Nothing of the second source is on display before this task waits.
    #expect(
      !controller.didMoveItem(
        from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 2)))
    #expect(controller.snapshot.itemIdentifiers == [1, 2, 3])
    try await wait { controller.snapshot.itemIdentifiers == [3, 1, 2] }
    #expect(await second.revision == Revision(1))
    #expect(await first.revision == Revision(1))
    #expect(try await controller.beginReorder([1]))
    await controller.cancelReorder()
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("A derived source is dragged in, and the reason of a refusal can be shown")
  func derived() async throws {
    let (host, controller, source) = try await fixture(list([1, 2, 3, 4]))
    let derived = source.derived { $0.grouped(by: { $0 % 2 }) }
    controller.start(following: derived)
    try await wait { controller.snapshot.description == "0[2 4] 1[1 3]" }
    var refusals: [ReorderRefusal] = []
    controller.refusalHandler = { refusals.append($0) }
    #expect(try await controller.beginReorder([4]))
    try await controller.proposeReorder(to: .before(1))
    try await controller.proposeReorder(to: .end(of: 1))
    #expect(controller.reorderRefusal == .otherGroup && refusals == [.otherGroup])
    #expect(controller.snapshot.description == "0[2 4] 1[1 3]")
    try await controller.proposeReorder(to: .before(2))
    #expect(controller.reorderRefusal == nil)
    #expect(controller.snapshot.description == "0[4 2] 1[1 3]")
    #expect(try await controller.commitReorder() != nil)
    #expect(await source.snapshot.itemIdentifiers == [1, 4, 2, 3])
    // A view that has moved a row by itself takes it back; not while the list shows the drop.
    try await wait {
      controller.didMoveItem(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 1, item: 0))
    }
    try await wait { controller.snapshot.description == "0[4 2] 1[1 3]" && refusals.count == 2 }
    // That is over, so nothing has to wait for its end.
    controller.keepsAbsentItemsSelected = true
    controller.select([77])
    controller.keepsAbsentItemsSelected = false
    try await wait { controller.selectedItems == [] }
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("begin, preview, commit", arguments: everyProfile)
  func commit(profile: ListProfile) async throws {
    let (host, controller, source) = try await fixture(list([1, 2, 3], [4, 5]), profile: profile)
    let resets = host.resetCount
    #expect(try await controller.beginReorder([3, 1, 99]))
    #expect(controller.reorderedItems == [1, 3])
    try await controller.proposeReorder(to: .after(4))
    #expect(host.texts == ["2", "4", "1", "3", "5"])
    try await controller.proposeReorder(to: .end(of: 1))
    #expect(host.texts == ["2", "4", "5", "1", "3"])
    // Nobody else has seen anything of it.
    #expect(try await source.snapshot == list([1, 2, 3], [4, 5]))
    #expect(try await controller.commitReorder() != nil)
    #expect(controller.reorderedItems == [])
    #expect(try await source.snapshot == list([2], [4, 5, 1, 3]))
    #expect(await controller.revision == source.revision)
    #expect(host.texts == ["2", "4", "5", "1", "3"])
    // And the list follows on.
    try await source.update { $0.deleteItems([4]) }
    try await wait { !controller.snapshot.containsItem(4) }
    #expect(host.texts == ["2", "5", "1", "3"])
    #expect(host.resetCount == resets)
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test(
    "What others write during a drag comes when it is over, marks included",
    arguments: [true, false])
  func others(isCommitted: Bool) async throws {
    let (host, controller, source) = try await fixture(list([1, 2, 3], [4, 5]))
    let resets = host.resetCount
    let cell = try #require(controller.cell(for: 2) as? Rows.Cell)
    let reloaded = try #require(controller.cell(for: 5) as? Rows.Cell)
    #expect(try await controller.beginReorder([1]))
    try await controller.proposeReorder(to: .after(5))
    try await source.update { snapshot in
      try snapshot.appendItems([6])
      snapshot.deleteItems([4])
      try snapshot.reconfigureItems([2])
      try snapshot.reloadItems([5])
    }
    // The batch is handed over, and waits.
    await source.delivered(source.revision)
    #expect(host.texts == ["2", "3", "4", "5", "1"])
    if isCommitted {
      try await controller.commitReorder()
    } else {
      await controller.cancelReorder()
      try await wait { await controller.revision == source.revision }
    }
    let expected = isCommitted ? try list([2, 3], [5, 1, 6]) : try list([1, 2, 3], [5, 6])
    #expect(await source.snapshot == expected)
    #expect(controller.snapshot == expected)
    #expect(host.texts == expected.itemIdentifiers.map { "\($0)" })
    #expect(controller.cell(for: 2) === cell)
    #expect(cell.configurations == 2)
    // Another cell, or the same one out of the store.
    let five = try #require(controller.cell(for: 5) as? Rows.Cell)
    #expect(five !== reloaded || five.configurations == 2)
    try await source.update { $0.deleteItems([3]) }
    try await wait { !controller.snapshot.containsItem(3) }
    #expect(host.resetCount == resets)
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("Every drag over every change of others ends on the state of the source")
  func laws() async throws {
    var drags = 0
    for seed in 0..<UInt64(scoped(usual: 8, wide: 60, long: 2_000)) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let first = generator.snapshot(.uneven(sections: 3, items: 9))
      let (host, controller, source) = try await fixture(
        first, profile: everyProfile[Int(seed % 3)])
      for step in 0..<4 {
        let comment: Comment = "seed \(seed), step \(step)"
        let items = controller.snapshot.itemIdentifiers
        guard try await controller.beginReorder(generator.random.sample(items, oneIn: 3)) else {
          continue
        }
        drags += 1
        for _ in 0..<3 {
          if let item = generator.random.element(of: items) {
            try await controller.proposeReorder(
              to: generator.random.chance(oneIn: 2) ? .before(item) : .after(item))
          }
          let new = await generator.changing(
            source.snapshot,
            by: generator.random.element(of: [.movedItems, .insertedItems, .deletedItems, .marked])
              ?? .none)
          try await source.apply(new)
        }
        if generator.random.chance(oneIn: 3) {
          await controller.cancelReorder()
        } else {
          try await controller.commitReorder()
        }
        try await wait { await controller.revision == source.revision }
        #expect(await controller.snapshot == source.snapshot, comment)
        #expect(host.texts == controller.snapshot.itemIdentifiers.map { "\($0)" }, comment)
        #expect(host.violations.isEmpty, "seed \(seed), step \(step): \(host.violations)")
      }
    }
    #expect(drags > 0)
  }

  @Test("Drags that are not allowed, not possible, or under way already")
  func refused() async throws {
    let handlers = ReorderingHandlers<Int, Int>(canReorder: { items, destination, _ in
      !items.contains(1) && destination != .end(of: 1)
    })
    let (host, controller, source) = try await fixture(list([1, 2, 3], [4]), reordering: handlers)
    #expect(try await !controller.beginReorder([1]))
    #expect(try await !controller.beginReorder([99]))
    // A drag that has not begun holds up nobody.
    try await source.update { try $0.appendItems([5]) }
    try await wait { controller.snapshot.containsItem(5) }
    #expect(try await controller.beginReorder([2]))
    #expect(try await !controller.beginReorder([3]))
    await #expect(throws: SnapshotError.unknownItem([AnyItemID(99)])) {
      try await controller.proposeReorder(to: .after(99))
    }
    try await controller.proposeReorder(to: .after(4))
    #expect(host.texts == ["1", "3", "4", "2", "5"])
    try await controller.proposeReorder(to: .end(of: 1))
    #expect(host.texts == ["1", "2", "3", "4", "5"])
    #expect(try await controller.commitReorder() == nil)
    #expect(controller.reorderedItems == [])
    #expect(try await controller.beginReorder([2]))
    await controller.cancelReorder()
    try await controller.proposeReorder(to: .after(4))
    #expect(try await controller.commitReorder() == nil)
    #expect(host.texts == ["1", "2", "3", "4", "5"])
    #expect(try await !Rows().controller(of: Host(profile: .tableView)).beginReorder([1]))
  }

  @Test(
    "Of two drags that begin while a batch is being shown, one does, and the other is told at once")
  func second() async throws {
    let (host, controller, source) = try await fixture(list([1, 2, 3]))
    host.holdsStages = true
    try await source.update { try $0.appendItems([4]) }
    await host.stageBegun()
    let first = Task { try await controller.beginReorder([1]) }
    for _ in 0..<10 { await Task.yield() }
    #expect(try await !controller.beginReorder([2]))
    host.holdsStages = false
    host.endStage()
    #expect(try await first.value)
    #expect(controller.reorderedItems == [1])
    await controller.cancelReorder()
    let revision = try await source.apply(list([3, 1])).revision
    #expect(await controller.displayed(revision))
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  /// How a drag is over before it could begin.
  enum End: CaseIterable {
    case isCommitted, isCancelled, taskIsCancelled
  }

  @Test(
    "A drag that is over before it could begin does not begin, and the list goes on",
    arguments: End.allCases)
  func over(end: End) async throws {
    let (host, controller, source) = try await fixture(list([1, 2, 3]))
    let content = try #require(host.content)
    host.holdsStages = true
    try await source.update { try $0.appendItems([4]) }
    await host.stageBegun()
    let drag = Task { await content.beginReorderingItems(at: [ItemPath(section: 0, item: 0)]) }
    for _ in 0..<10 { await Task.yield() }
    switch end {
    case .isCommitted, .isCancelled: await content.endReordering(isCommitted: end == .isCommitted)
    case .taskIsCancelled: drag.cancel()
    }
    // It need not wait for the batch.
    #expect(await !drag.value)
    host.holdsStages = false
    host.endStage()
    let revision = try await source.apply(list([3, 1])).revision
    #expect(await controller.displayed(revision))
    #expect(try await controller.beginReorder([1]))
    await controller.cancelReorder()
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("A drag whose task is cancelled while the source is asked does not begin either")
  func cancelledLate() async throws {
    let source = DataSourceActor<Int, Int>(
      reordering: ReorderingHandlers(canReorder: { _, _, _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return true
      }))
    try await source.apply(list([1, 2, 3]))
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    controller.start(following: source)
    await controller.displayed(await source.revision)
    let drag = Task { try await controller.beginReorder([1]) }
    #expect(try await !drag.value)
    #expect(controller.reorderedItems.isEmpty)
    let revision = try await source.apply(list([3, 1])).revision
    #expect(await controller.displayed(revision))
    #expect(host.texts == ["3", "1"])
  }

  @Test("A drag ends with the following if the host gets another controller")
  func replaced() async throws {
    let host = Host(profile: .collectionView)
    let former = Rows().controller(of: host)
    let source = try DataSourceActor<Int, Int>(list([1, 2, 3]))
    let following = Task { await former.follow(source) }
    try await wait { former.revision != nil }
    #expect(try await former.beginReorder([1]))
    try await former.proposeReorder(to: .after(3))
    #expect(host.texts == ["2", "3", "1"])
    let controller = Rows().controller(of: host)
    controller.start(following: source)
    let revision = try await source.update { try $0.appendItems([4]) }.revision
    #expect(await controller.displayed(revision))
    #expect(await following.value == .hostGone)
    #expect(former.reorderedItems.isEmpty)
    #expect(host.texts == ["1", "2", "3", "4"])
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("A source that finishes during a drag refuses it, and the order is as before")
  func finished() async throws {
    let (host, controller, source) = try await fixture(list([1, 2, 3]))
    #expect(try await controller.beginReorder([1]))
    try await controller.proposeReorder(to: .after(3))
    await source.finish()
    await #expect(throws: DataSourceError.finished) { try await controller.commitReorder() }
    #expect(host.texts == ["1", "2", "3"])
    #expect(controller.reorderedItems == [])
  }

  @Test("Of the proposals that come while one is being shown, only the newest is shown")
  func slowHost() async throws {
    let (host, controller, source) = try await fixture(list([1, 2, 3, 4, 5]))
    #expect(try await controller.beginReorder([1]))
    host.holdsStages = true
    let first = Task { try await controller.proposeReorder(to: .after(2)) }
    await host.stageBegun()
    let others = [3, 4, 5].map { item in
      Task { try await controller.proposeReorder(to: .after(item)) }
    }
    for _ in 0..<10 { await Task.yield() }
    host.endStage()
    await host.stageBegun()
    #expect(host.texts == ["2", "3", "4", "5", "1"])
    host.holdsStages = false
    host.endStage()
    for task in [first] + others { try await task.value }
    #expect(host.stageCount == 2)
    #expect(try await controller.commitReorder() != nil)
    #expect(await source.snapshot.itemIdentifiers == [2, 3, 4, 5, 1])
  }

  @Test("A row with children is not dropped in a list, and no row is where there is no place")
  func noPlace() async throws {
    var outline = Outline<Int>()
    try outline.append([1, 2])
    try outline.append([3], to: 1)
    var new = try list([], [7])
    try new.setOutline(outline, forSection: 0)
    let (host, controller, source) = try await fixture(new)
    let content = try #require(host.content)
    let numbers = [Int.min, -1, 0, 1, 2, .max]
    #expect(await content.beginReorderingItems(at: [ItemPath(section: 0, item: 0)]))
    for section in numbers where section != 0 {
      for item in numbers {
        await content.proposeReordering(to: ItemPath(section: section, item: item))
        #expect(host.texts == ["1", "2", "7"], "\(section), \(item)")
      }
    }
    await content.endReordering(isCommitted: false)
    // The view has moved a row by itself.
    for section in numbers {
      for item in [Int.min, -1, .max] {
        let target = ItemPath(section: section, item: item)
        #expect(!content.didMoveItem(from: ItemPath(section: 0, item: 1), to: target))
      }
    }
    #expect(await source.snapshot == new)
    #expect(host.texts == ["1", "2", "7"] && controller.reorderedItems.isEmpty)
  }

  @Test("A host drags by position")
  func positions() async throws {
    let (host, controller, source) = try await fixture(list([1, 2, 3], [4]))
    let content = try #require(host.content)
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    func path(_ section: Int, _ item: Int) -> ItemPath { ItemPath(section: section, item: item) }
    #expect(await content.beginReorderingItems(at: [path(0, 1), path(9, 0)]))
    await content.proposeReordering(to: path(0, 0))
    #expect(host.texts == ["2", "1", "3", "4"])
    // Over itself, and nowhere: nothing changes.
    await content.proposeReordering(to: path(0, 0))
    await content.proposeReordering(to: path(2, 0))
    #expect(host.texts == ["2", "1", "3", "4"])
    await content.proposeReordering(to: path(1, 1))
    #expect(host.texts == ["1", "3", "4", "2"])
    await content.endReordering(isCommitted: true)
    #expect(try await source.snapshot == list([1, 3], [4, 2]))
    #expect(await content.beginReorderingItems(at: [path(0, 0)]))
    await content.proposeReordering(to: path(1, 0))
    await content.endReordering(isCommitted: false)
    #expect(host.texts == ["1", "3", "4", "2"])
    #expect(await content.beginReorderingItems(at: [path(0, 0)]))
    await content.proposeReordering(to: path(1, 0))
    await source.finish()
    await content.endReordering(isCommitted: true)
    #expect(errors == [.reorderingFailed(.finished)])
    #expect(host.texts == ["1", "3", "4", "2"])
    #expect(host.violations.isEmpty, "\(host.violations)")
  }
}
