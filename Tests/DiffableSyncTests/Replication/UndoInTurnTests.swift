import Diffable
import DiffableSync
import DiffableTesting
import TestScope
import Testing

@Suite("Undo decides in its turn what it reverts", .deadline) struct UndoInTurnTests {
  typealias Replica = ReplicatedSourceTests.Replica

  private func replica(named count: Int) async throws -> Replica {
    let replica = try await ReplicatedSourceTests.replica(MemoryLog().participant())
    try await replica.update { $0.appendSections(["A"]) }
    for item in 0..<count {
      try await replica.update(named: "\(item)") { try $0.appendItems([item], toSection: "A") }
    }
    return replica
  }

  /// There are as many as there are changes to revert; the others return nothing.
  @Test("Several at once revert different changes, and several redos restore them all")
  func together() async throws {
    for count in 2...7 {
      let replica = try await replica(named: 5)
      let undone = try await Self.names(count) { try await replica.undo() }
      #expect(undone == Set((0..<5).suffix(count).map(String.init)))
      #expect(await replica.snapshot.itemIdentifiers == Array((0..<5).dropLast(count)))
      let redone = try await Self.names(count) { try await replica.redo() }
      #expect(redone == undone)
      #expect(await replica.snapshot.itemIdentifiers == Array(0..<5))
    }
  }

  @Test("Changes that belong together are reverted as one, and others' in between stay")
  func grouped() async throws {
    let (_, mine, other) = try await ReplicatedSourceTests.two { $0.appendSections(["A"]) }
    let start = await mine.revision
    var made: [UndoableChange?] = []
    for item in 0..<3 {
      let write = try await mine.update(named: "Typing") {
        try $0.appendItems([item], toSection: "A")
      }
      made.append(write.change)
      try await other.reached(mine.revision)
      let revision = try await other.update {
        try $0.appendItems([10 + item], toSection: "A")
      }.revision
      try await mine.reached(revision)
    }
    mine.groupUndo(since: start)
    #expect(try await mine.undo()?.name == "Typing")
    #expect(await mine.snapshot.itemIdentifiers == [10, 11, 12])
    #expect(try await mine.undo() == nil)
    try await mine.redo()
    #expect(await mine.snapshot.numberOfItems == 6)
    let revision = await mine.revision
    #expect(try await mine.revertAll(made).target == revision.next)
    #expect(try await mine.revertAll([]).change == nil)
    try await other.reached(mine.revision)
    #expect(await other.snapshot == mine.snapshot)
    await #expect(throws: DataSourceError.unknownRevision(Revision(99))) {
      try await mine.revertAll([mine.reader.hub.change(Revision(99), named: nil)])
    }
  }

  @Test("A change that others have made pointless is passed over, once for each call")
  func pointless() async throws {
    let (_, mine, other) = try await ReplicatedSourceTests.two { $0.appendSections(["A"]) }
    for item in 0..<3 {
      try await mine.update(named: "\(item)") { try $0.appendItems([item], toSection: "A") }
    }
    try await other.reached(mine.revision)
    let revision = try await other.update { $0.deleteItems([1, 2]) }.revision
    try await mine.reached(revision)
    #expect(try await Self.names(3) { try await mine.undo() } == ["0", "1", "2"])
    #expect(await mine.snapshot.itemIdentifiers == [])
  }

  /// The names of the changes that calls at the same time have reverted.
  private static func names(
    _ count: Int, _ reverse: @escaping @Sendable () async throws -> Transaction<String, Int>?
  ) async throws -> Set<String> {
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<count {
        group.addTask { try await reverse().map { $0.reversedChange?.name ?? "unnamed" } }
      }
      return try await group.reduce(into: Set()) { names, name in
        guard let name else { return }
        #expect(names.insert(name).inserted, "“\(name)” was reverted twice")
      }
    }
  }
}
