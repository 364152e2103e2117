import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A row that the view has moved by itself moves in the source", .deadline)
@MainActor
struct MovingTests {
  private static let rows = [[1, 2, 3], [], [4, 5]]

  @Test("A collapsed row takes its hidden descendants along, but not to a section without a tree")
  func folded() async throws {
    let roots = [1, 2, 3, 4]
    for origin in roots.indices {
      for target in roots.indices {
        var outline = try Outline(roots)
        try outline.append([11, 12], to: 1)
        try outline.append([31], to: 3)
        try outline.append([311], to: 31)
        var snapshot = try list([], [8, 9])
        try snapshot.setOutline(outline, forSection: 0)
        let source = try DataSourceActor(snapshot)
        let host = Host(profile: .collectionView)
        let controller = Rows().controller(of: host)
        controller.start(following: source)
        await controller.displayed(await source.revision)
        let comment: Comment = "\(origin) to \(target)"
        let from = ItemPath(section: 0, item: origin)
        if [1, 3].contains(roots[origin]) {
          #expect(!controller.didMoveItem(from: from, to: ItemPath(section: 1, item: 1)), comment)
        }
        try await wait(for: "\(comment)") {
          controller.didMoveItem(from: from, to: ItemPath(section: 0, item: target))
        }
        var moved = roots
        moved.insert(moved.remove(at: origin), at: target)
        #expect(controller.snapshot.itemIdentifiers(inSection: 0) == moved, comment)
        try await wait(for: "\(comment)") {
          await source.snapshot.itemIdentifiers(inSection: 0) == moved
        }
        let result = try #require(await source.snapshot.outline(ofSection: 0))
        #expect(result.children(of: 1) == [11, 12] && result.children(of: 3) == [31], comment)
        #expect(result.children(of: 31) == [311], comment)
        withExtendedLifetime(host) {}
      }
    }
  }

  @Test("A view is told at once if nothing can be moved: without a source, or during a drag")
  func refused() async throws {
    let (from, to) = (ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 1))
    let (shownHost, shown, batches) = try await shownList([1, 2])
    #expect(!shown.didMoveItem(from: from, to: to) && shown.snapshot == batches.snapshot)
    var outline = try Outline([1, 2])
    try outline.append([11], to: 1)
    outline.expand([1])
    var snapshot = try list([], [8, 9])
    try snapshot.setOutline(outline, forSection: 0)
    let source = try DataSourceActor(snapshot)
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    controller.start(following: source)
    #expect(!controller.didMoveItem(from: from, to: to))
    await controller.displayed(await source.revision)
    // Its child shows, and would have to come along.
    #expect(!controller.didMoveItem(from: from, to: ItemPath(section: 0, item: 2)))
    let (first, second) = (ItemPath(section: 1, item: 0), ItemPath(section: 1, item: 1))
    #expect(try await controller.beginReorder([9]))
    #expect(!controller.didMoveItem(from: first, to: second))
    await controller.cancelReorder()
    #expect(controller.snapshot.itemIdentifiers == [1, 11, 2, 8, 9])
    try await wait { controller.didMoveItem(from: first, to: second) }
    try await wait { await source.snapshot.itemIdentifiers(inSection: 1) == [9, 8] }
    withExtendedLifetime((shownHost, host)) {}
  }

  @Test("Every row to every place, and to places that there are not")
  func everyMove() async throws {
    let sections = Self.rows.indices
    let origins = sections.flatMap { section in
      Self.rows[section].indices.map { ItemPath(section: section, item: $0) }
    }
    let targets = (0...sections.count).flatMap { section in
      (0..<5).map { ItemPath(section: section, item: $0) }
    }
    for origin in origins {
      let source = try DataSourceActor<Int, Int>(list(of: Self.rows))
      let host = Host(profile: .collectionView)
      defer { withExtendedLifetime(host) {} }
      let controller = Rows().controller(of: host)
      controller.start(following: source)
      for target in targets {
        try await wait { controller.snapshot == (try list(of: Self.rows)) }
        var rows = Self.rows
        let item = rows[origin.section].remove(at: origin.item)
        let isThere = target.section < rows.count && target.item <= rows[target.section].count
        if isThere { rows[target.section].insert(item, at: target.item) } else { rows = Self.rows }
        let comment: Comment = "\(origin) to \(target)"
        if isThere {
          // Not while the list shows what came before.
          try await wait(for: "\(comment)") { controller.didMoveItem(from: origin, to: target) }
        } else {
          #expect(!controller.didMoveItem(from: origin, to: target), comment)
        }
        #expect(controller.snapshot == (try list(of: rows)), comment)
        try await wait(for: "\(origin) to \(target)") {
          await source.snapshot == (try list(of: rows))
        }
        // Whatever came of it, the list goes on with what the source shows.
        try await source.apply(list(of: Self.rows + [[6]]))
        try await wait(for: "what comes after \(origin) to \(target)") {
          controller.snapshot == (try list(of: Self.rows + [[6]]))
        }
        try await source.apply(list(of: Self.rows))
      }
      // A controller does not hold its host.
      withExtendedLifetime(host) {}
    }
  }
}
