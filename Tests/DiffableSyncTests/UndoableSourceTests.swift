import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import TestScope
import Testing

/// One program takes changes back, whatever kind of source has made them.
@Suite(.deadline)
struct UndoableSourceTests {
  enum Kind: String, CaseIterable {
    case identifiers, models, replicated, mirrored
  }

  @Test(
    "A program over any source takes back what it has made, and makes it again",
    arguments: Kind.allCases)
  func program(kind: Kind) async throws {
    // Nothing else holds the owner of a mirrored list.
    let (source, owner) = try await Self.source(kind)
    try await Self.rename(in: source, "First", to: [2, 1, 3])
    let start = await source.revision
    try await Self.rename(in: source, "Second", to: [3, 2, 1])
    #expect(await source.nextUndo()?.name == "Second")
    #expect(await source.nextRedo() == nil)

    try await source.undo(presentation: .animated)
    #expect(await source.snapshot.itemIdentifiers == [2, 1, 3])
    #expect(await source.nextUndo()?.name == "First")
    #expect(await source.nextRedo()?.name == "Second")

    try await source.redo(presentation: .animated)
    #expect(await source.snapshot.itemIdentifiers == [3, 2, 1])
    #expect(await source.nextRedo() == nil)

    try await Self.rename(in: source, "Third", to: [1, 2, 3])
    await source.groupUndo(since: start)
    #expect(await source.nextUndo()?.name == "Third")
    try await source.undo(presentation: .immediate)
    #expect(await source.snapshot.itemIdentifiers == [2, 1, 3])
    _ = owner
  }

  @Test(
    "A row that was placed again since stays, whatever source it is",
    arguments: [Kind.replicated, .mirrored])
  func placedAgain(kind: Kind) async throws {
    let (source, owner) = try await Self.source(kind)
    try await source.updateOrder(named: "Mine") { try $0.moveItem(1, afterItem: 3) }
    try await source.updateOrder { try $0.moveItem(1, afterItem: 2) }
    #expect(await source.snapshot.itemIdentifiers == [2, 1, 3])
    try await source.undo(presentation: .animated)
    #expect(await source.snapshot.itemIdentifiers == [2, 1, 3])
    _ = owner
  }

  private static func rename(
    in source: some UndoableListSource<String, Int>, _ name: String, to items: [Int]
  ) async throws {
    try await source.updateOrder(named: name) { try $0.replaceItems(inSection: "a", with: items) }
  }

  private static func source(
    _ kind: Kind
  ) async throws -> (any UndoableListSource<String, Int>, owner: AnyObject?) {
    var list = Snapshot<String, Int>()
    list.appendSections(["a"])
    try list.appendItems([1, 2, 3], toSection: "a")
    switch kind {
    case .identifiers: return (try DataSourceActor(list), nil)
    case .models:
      let source = ModelSource<String, Row>()
      try await source.apply([1, 2, 3].map(Row.init), section: { _ in "a" })
      return (source, nil)
    case .replicated:
      let source = try await ReplicatedSource<UpdateBatch<String, Int>>(
        MemoryLog().participant()
      ) {
        try Array(JSONEncoder().encode($0))
      } decode: {
        try JSONDecoder().decode(UpdateDelta<String, Int>.self, from: Data($0))
      }
      try await source.apply(list)
      return (source, nil)
    case .mirrored:
      let owner = try DataSourceActor(list)
      let mirror = MirrorSource<UpdateBatch<String, Int>>()
      var batches = owner.updates().makeAsyncIterator()
      if let batch = await batches.next() { try await mirror.apply(batch.delta) }
      let edited = try await mirror.editable { proposal in
        try await owner.accept(proposal) { _, _ in }
      }
      return (edited, owner)
    }
  }

  private struct Row: Identifiable, Equatable, Sendable { let id: Int }
}
