import Diffable
import ListSupport
import TestScope
import Testing

/// A section is marked for a reload, and rows leave it before a subscriber reads.
@Suite(.deadline) struct LeftSectionTests {
  private static let edits: [(name: String, edit: @Sendable (inout List) -> Void)] = [
    ("nothing", { _ in }),
    ("1 goes to b", { try? $0.moveItem(1, toSection: "b") }),
    ("1 goes to c", { try? $0.moveItem(1, toSection: "c") }),
    ("1 comes to a", { try? $0.moveItem(1, toSection: "a") }),
    ("2 goes beside 3", { try? $0.moveItem(2, beforeItem: 3) }),
    ("2 is called 20", { try? $0.renameItem(2, to: 20) }),
    ("3 comes to a", { try? $0.moveItem(3, toSection: "a") }),
    ("a is deleted", { $0.deleteSections(["a"]) }),
    ("b is marked too", { try? $0.reloadSections(["b"]) }),
  ]

  private static func reloaded(_ batch: UpdateBatch<String, Int>, _ old: List) -> Set<Int> {
    let names = Dictionary(batch.renamedItems.map { ($0.old, $0.new) }) { $1 }
    let items = batch.difference.itemReloads.compactMap(old.itemIdentifier(for:))
    let sections = batch.difference.sectionReloads.ranges.joined().compactMap { index in
      old.sectionIdentifier(at: index)
    }
    // What leaves a section that is deleted is inserted where it is then.
    let inserted = batch.difference.itemInserts.compactMap(batch.snapshot.itemIdentifier(for:))
    return Set(items.map { names[$0] ?? $0 }).union(inserted).union(
      sections.filter(batch.snapshot.containsSection).flatMap {
        batch.snapshot.itemIdentifiers(inSection: $0)
      })
  }

  @Test(
    "Whoever reads late shows again what was in it, wherever that is now", arguments: edits.indices)
  func late(first: Int) async throws {
    for second in Self.edits.indices {
      for third in Self.edits.indices {
        var start = List()
        start.appendSections(["a", "b", "c"])
        try start.appendItems([1, 2], toSection: "a")
        try start.appendItems([3], toSection: "b")
        let source = try Source(start)
        var (late, prompt) = (
          source.updates().makeAsyncIterator(), source.updates().makeAsyncIterator()
        )
        let shown = try #require(await late.next()).snapshot
        _ = await prompt.next()
        var (expected, last) = (Set<Int>(), shown)
        let steps: [@Sendable (inout List) -> Void] = [
          Self.edits[first].edit, { try? $0.reloadSections(["a"]) }, Self.edits[second].edit,
          Self.edits[third].edit,
        ]
        var revision = await source.revision
        for step in steps {
          let reached = try await source.update(step).revision
          guard reached != revision, let batch = await prompt.next() else { continue }
          let names = Dictionary(batch.renamedItems.map { ($0.old, $0.new) }) { $1 }
          expected = Set(expected.map { names[$0] ?? $0 }).union(Self.reloaded(batch, last))
          (last, revision) = (batch.snapshot, reached)
        }
        let batch = try #require(await late.next())
        expected.formIntersection(last.itemIdentifiers)
        #expect(
          Self.reloaded(batch, shown).isSuperset(of: expected),
          "\(Self.edits[first].name), \(Self.edits[second].name), \(Self.edits[third].name)")
      }
    }
  }
}
