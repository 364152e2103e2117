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
