import Diffable
import DiffableSync
import DiffableTesting
import TestScope
import Testing

@Suite("What an entry says to undo", .deadline) struct LogEntryTests {
  typealias Kind = LogEntry.Kind

  @Test(
    "A kind can be made again from its text",
    arguments: [
      .change(name: nil), .change(name: ""), .change(name: "a: b\n\0“c”"), .change(name: "\u{301}"),
      .undo(of: [Revision(0)]), .undo(of: [Revision(7), Revision(3)]), .redo(of: Revision(.max)),
    ] as [Kind])
  func kinds(_ kind: Kind) {
    #expect(Kind(kind.description) == kind)
  }

  @Test(
    "Another text is no kind",
    arguments: [
      "", "chang", "change:", "Change", "undo", "undo: ", "undo: x", "undo: 1 ", "redo: -1",
      "redo: 2 1",
    ])
  func others(_ text: String) {
    #expect(Kind(text) == nil)
  }

  @Test("Who opens the list again can undo and redo what it named before, and nothing of others")
  func openedAgain() async throws {
    let log = MemoryLog()
    func open(_ author: String?) async throws -> ReplicatedSourceTests.Replica {
      var options = ReplicationOptions.quick
      options.author = author
      let replica = try await ReplicatedSourceTests.replica(log.participant(), options: options)
      let (first, entries) = log.contents
      try await replica.reached(Revision(first.number + entries.count - 1))
      return replica
    }
    let (mine, other) = (try await open("mine"), try await open("other"))
    try await mine.update { $0.appendSections(["A"]) }
    for item in 0..<3 {
      let revision = try await mine.update(named: "mine \(item)") {
        try $0.appendItems([item], toSection: "A")
      }.revision
      try await other.reached(revision)
      let next = try await other.update(named: "other \(item)") {
        try $0.appendItems([item + 10], toSection: "A")
      }.revision
      try await mine.reached(next)
    }
    #expect(try await mine.undo()?.reversedChange?.name == "mine 2")
    await mine.finish()

    let again = try await open("mine")
    #expect(try await again.redo()?.reversedChange?.name == "mine 2")
    for item in [2, 1] { #expect(try await again.undo()?.reversedChange?.name == "mine \(item)") }
    await again.finish()
    let last = try await open("mine")
    #expect(try await last.undo()?.reversedChange?.name == "mine 0")
    #expect(try await last.undo() == nil)
    #expect(await last.snapshot.itemIdentifiers == [10, 11, 12])
    for item in 0..<3 { #expect(try await last.redo()?.reversedChange?.name == "mine \(item)") }
    let stranger = try await open(nil)
    #expect(try await stranger.undo() == nil)
  }
}
