import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import Synchronization
import Testing
import TestScope

/// What holds for drags of the user, in all views: what the view believes is what the source says once the
/// drop is done, and a drop that is refused changes nothing.
@Suite @MainActor
struct DragLawTests {
  /// Sections after an item was dropped over another one.
  private static func dropping(
    _ origin: ItemPath, over target: ItemPath, inFront: Bool, in sections: [[Int]]
  ) -> [[Int]] {
    var sections = sections
    let item = sections[origin.section].remove(at: origin.item)
    let isBehind = inFront && origin.section == target.section && target.item > origin.item
    sections[target.section].insert(item, at: target.item - (isBehind ? 1 : 0))
    return sections
  }

  private static func paths(of sections: [[Int]]) -> [ItemPath] {
    sections.indices.flatMap { section in
      sections[section].indices.map { ItemPath(section: section, item: $0) }
    }
  }

  /// Drags an item; where the view has to wait for the list, it does.
  private func drag<Fixture: ListViewFixture>(
    _ origin: ItemPath, over target: ItemPath, in fixture: Fixture
  ) async throws {
    guard fixture.userHolds(origin) else { return }
    try await wait { fixture.userMoves(to: target) }
    fixture.userDrops()
  }

  @Test(
    "Every drop is where the user let go, in the view and in the source",
    arguments: ListViewKind.columns, [StandInHabits.all, []])
  func everyDrop(kind: ListViewKind, habits: StandInHabits) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let sections = [[1, 2, 3], [4, 5]]
      var number = kind.number
      let list = try await ShownSource(in: fixture, state(of: sections))
      for origin in Self.paths(of: sections) {
        for target in Self.paths(of: sections) {
          number += 1
          guard isInScope(number, usual: 3) else { continue }
          try await list.apply(state(of: sections))
          fixture.canReorderItem = nil
          #expect(!fixture.userHolds(origin))
          fixture.canReorderItem = { $0 == origin }
          try await drag(origin, over: target, in: fixture)
          try await list.settle()
          let expected = Self.dropping(
            origin, over: target, inFront: fixture.dropsInFront, in: sections)
          let snapshot = await list.source.snapshot
          #expect(
            (100..<102).map { snapshot.itemIdentifiers(inSection: $0) } == expected,
            "\(origin) over \(target)")
          #expect(fixture.numbers == expected.joined().map { $0 }, "\(origin) over \(target)")
        }
      }
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(hasHeaders: kind == .nsTableView, habits: habits))
    try await check(kind.makeFixture(habits: habits))
  }

  @Test("Every drop that the source refuses goes back", arguments: ListViewKind.columns)
  func everyVeto(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let sections = [[1, 2, 3], [4, 5]]
      let list = try await ShownSource(
        in: fixture, state(of: sections),
        reordering: ReorderingHandlers(canReorder: { _, destination, _ in destination == nil }))
      fixture.canReorderItem = { _ in true }
      for origin in Self.paths(of: sections) {
        for target in Self.paths(of: sections) {
          try await drag(origin, over: target, in: fixture)
          try await list.settle()
          #expect(fixture.numbers == [1, 2, 3, 4, 5], "\(origin) over \(target)")
          #expect(await list.source.snapshot.itemIdentifiers == [1, 2, 3, 4, 5])
        }
      }
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture())
  }

  @Test(
    "A view that is refused a drop is answered as it believes, until it is told",
    arguments: [ListViewKind.uiCollectionView, .uiTableView])
  func refusedAtOnce(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(
      _ fixture: Fixture, _ sections: [[Int]], _ origin: ItemPath, _ target: ItemPath
    ) async throws {
      let controller = fixture.makeController()
      // It follows no source, which could take the drop over.
      try await controller.show(UpdateBatch(from: Snapshot(), to: state(of: sections)))
      fixture.canReorderItem = { _ in true }
      #expect(fixture.userHolds(origin))
      // What is not in sight is not asked for before the drop.
      _ = fixture.userMoves(to: target)
      fixture.userDrops()
      let believed = Self.dropping(origin, over: target, inFront: false, in: sections)
      #expect(fixture.itemCounts == believed.map(\.count))
      fixture.userScrolls(to: 60)
      #expect(fixture.numbers == believed.joined().dropFirst(3).prefix(3).map { $0 })
      // Nobody can drag anything on top of that.
      #expect(!fixture.userHolds(origin))
      try await wait { fixture.host.numberOfSections != 0 && fixture.host.takesStages }
      #expect(fixture.itemCounts == sections.map(\.count))
      #expect(fixture.numbers == sections.joined().dropFirst(3).prefix(3).map { $0 })
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    let sections = [[1, 2, 3], [4, 5, 6]]
    for origin in Self.paths(of: sections).prefix(3) {
      for target in Self.paths(of: sections).prefix(3) {
        try await check(kind.makeFixture(height: 60), sections, origin, target)
      }
    }
    let others = [[1, 2], [3, 4, 5, 6]]
    for (origin, target) in [
      ((0, 1), (1, 0)), ((1, 0), (0, 0)), ((1, 0), (0, 1)), ((0, 0), (1, 0)),
    ] {
      try await check(
        kind.makeFixture(height: 60), others, ItemPath(section: origin.0, item: origin.1),
        ItemPath(section: target.0, item: target.1))
    }
  }

  @Test(
    "What is selected is selected after a drop that is refused",
    arguments: [ListViewKind.uiCollectionView, .uiTableView], [StandInHabits.all, []])
  func selection(kind: ListViewKind, habits: StandInHabits) async throws {
    func check<Fixture: ListViewFixture>(
      _ fixture: Fixture, _ origin: ItemPath, _ target: ItemPath, _ selected: ItemPath
    ) async throws {
      let sections = [[1, 2, 3], [4, 5]]
      let controller = fixture.makeController()
      try await controller.show(UpdateBatch(from: Snapshot(), to: state(of: sections)))
      let item = sections[selected.section][selected.item]
      controller.select([item])
      #expect(fixture.selectedPaths == [selected])
      fixture.canReorderItem = { _ in true }
      #expect(fixture.userHolds(origin))
      _ = fixture.userMoves(to: target)
      fixture.userDrops()
      try await wait { fixture.host.takesStages }
      #expect(fixture.numbers == [1, 2, 3, 4, 5])
      #expect(fixture.selectedPaths == [selected], "\(origin) over \(target)")
      #expect(controller.selectedItems == [item])
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    let paths = Self.paths(of: [[1, 2, 3], [4, 5]])
    var number = kind.number
    for origin in paths {
      for target in paths {
        for selected in paths {
          number += 1
          guard isInScope(number, usual: 3) else { continue }
          try await check(kind.makeFixture(habits: habits), origin, target, selected)
        }
      }
    }
  }

  @Test(
    "While others write, a drop moves the dragged item or nothing",
    arguments: ListViewKind.columns, 0..<scoped(usual: 2, wide: 5))
  func otherWriters(kind: ListViewKind, seed: UInt64) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let moved = Mutex<[[Int]]>([])
      let list = try await ShownSource(
        in: fixture, state([1, 2, 3, 4], [5, 6, 7], [8, 9]),
        reordering: ReorderingHandlers(canReorder: { items, _, _ in
          moved.withLock { $0.append(items) }
          return true
        }))
      fixture.canReorderItem = { _ in true }
      fixture.heldPath = seed.isMultiple(of: 2) ? .current : .original
      var random = SplitMix64(seed: seed)
      var dropCount = 0
      var next = 10
      func write() async throws {
        let kind = random.number(below: 4)
        let (new, pick, place) = (next, random.next(), random.next())
        next += 1
        try await list.source.update { snapshot in
          let items = snapshot.itemIdentifiers
          guard !items.isEmpty else { return }
          let item = items[Int(pick % UInt64(items.count))]
          let other = items[Int(place % UInt64(items.count))]
          switch kind {
          case 0 where items.count > 6: snapshot.deleteItems([item])
          case 1 where item != other: try snapshot.moveItem(item, beforeItem: other)
          default: try snapshot.insertItems([new], beforeItem: item)
          }
        }
        for _ in 0..<random.number(below: 12) { await Task.yield() }
      }
      for step in 0..<rounds(20, least: 10) {
        if random.chance(oneIn: 2) { try await write() }
        guard let origin = random.element(of: fixture.host.visibleItemPaths),
          let target = random.element(of: fixture.host.visibleItemPaths)
        else { continue }
        let item = list.controller.itemIdentifier(for: origin)
        guard fixture.userHolds(origin) else { continue }
        _ = fixture.userMoves(to: target)
        for _ in 0..<random.number(below: 3) { try await write() }
        if random.chance(oneIn: 2),
          let path = random.element(of: fixture.host.visibleItemPaths)
        {
          _ = fixture.userMoves(to: path)
        }
        if random.chance(oneIn: 3) { try await write() }
        fixture.userDrops()
        if random.chance(oneIn: 2) { try await write() }
        try await list.settle()
        let asked = moved.withLock { asked in
          defer { asked = [] }
          return asked
        }
        #expect(asked.allSatisfy { $0 == [item] }, "seed \(seed), step \(step): \(asked)")
        if !asked.isEmpty { dropCount += 1 }
        let snapshot = await list.source.snapshot
        #expect(list.controller.snapshot.itemIdentifiers == snapshot.itemIdentifiers)
        #expect(
          fixture.numbers == snapshot.itemIdentifiers.map { $0 }, "seed \(seed), step \(step)")
      }
      #expect(dropCount > 0)
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
    try await check(kind.makeFixture(height: 10_000))
  }

  @Test(
    "A row takes along what is folded away below it, and does not go without what shows",
    arguments: ListViewKind.columns)
  func outlines(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(
      _ fixture: Fixture, _ origin: (Int, Int), over target: (Int, Int), moved: [Int],
      alone: [Int]? = nil
    ) async throws {
      var outline = try Outline([1, 2, 3])
      try outline.append([11, 12], to: 1)
      try outline.append([21], to: 2)
      outline.expand([2])
      var snapshot = try state([5, 6])
      snapshot.appendSections([200])
      try snapshot.setOutline(outline, forSection: 200)
      let list = try await ShownSource(in: fixture, snapshot)
      fixture.canReorderItem = { _ in true }
      let before = [5, 6, 1, 2, 21, 3]
      #expect(fixture.numbers == before)
      try await drag(
        ItemPath(section: origin.0, item: origin.1),
        over: ItemPath(section: target.0, item: target.1), in: fixture)
      try await list.settle()
      // A view that has moved a row by itself cannot have moved others along.
      let expected = fixture.dropsInFront ? moved : alone ?? before
      #expect(fixture.numbers == expected.map { $0 })
      let shown = await list.source.snapshot
      #expect(shown.itemIdentifiers == expected)
      // What is folded away is where it was, below the same row.
      #expect(shown.outline(ofSection: 200)?.parent(of: 11) == 1)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    // A folded row, down and up; a leaf; and one out of the outline.
    try await check(
      kind.makeFixture(), (1, 0), over: (1, 3), moved: [5, 6, 2, 21, 1, 3],
      alone: [5, 6, 2, 21, 3, 1])
    try await check(
      kind.makeFixture(), (1, 3), over: (1, 0), moved: [5, 6, 3, 1, 2, 21],
      alone: [5, 6, 3, 1, 2, 21])
    try await check(
      kind.makeFixture(), (1, 2), over: (0, 1), moved: [5, 21, 6, 1, 2, 3],
      alone: [5, 21, 6, 1, 2, 3])
    // A row whose child shows, and a folded one into a list, which has no room for its children.
    try await check(kind.makeFixture(), (1, 1), over: (1, 0), moved: [5, 6, 2, 21, 1, 3])
    try await check(kind.makeFixture(), (1, 1), over: (1, 3), moved: [5, 6, 1, 2, 21, 3])
    try await check(kind.makeFixture(), (1, 0), over: (0, 0), moved: [5, 6, 1, 2, 21, 3])
  }
}
