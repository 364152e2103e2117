import DiffableTesting
import ListSupport
import Synchronization
import Testing

@testable import Diffable

/// What undo and merging ask of identifiers: as much as changed, whatever the size of the list.
@Suite(.enabled(if: !checksInvariants, "the checks ask identifiers too"))
struct CountedHistoryTests {
  private typealias Counted = DataSourceActor<Int, CountedIdentifier>

  private func source(_ size: Int, _ counter: IdentifierCounter) throws -> Counted {
    var start = Snapshot<Int, CountedIdentifier>()
    start.appendSections([0])
    try start.appendItems((0..<size).map { CountedIdentifier(number: $0, counter: counter) })
    return try Counted(start)
  }

  @Test(arguments: [500, 8_000])
  func `Undo and redo of one change ask as much, whatever the size`(size: Int) async throws {
    let counter = IdentifierCounter()
    let source = try source(size, counter)
    let item = { @Sendable number in CountedIdentifier(number: number, counter: counter) }
    let edits: [@Sendable (inout Snapshot<Int, CountedIdentifier>) throws -> Void] = [
      { try $0.insertItems([item(size)], afterItem: item(size / 2)) },
      { $0.deleteItems([item(3)]) },
      { try $0.moveItem(item(7), afterItem: item(size - 1)) },
    ]
    for edit in edits {
      try await source.update(named: "Edit", edit)
      // Somebody else changes something that undo must leave alone.
      try await source.update { $0.deleteItems([item(size / 3)]) }
      counter.reset()
      try await source.undo(.named)
      try await source.redo(.named)
      #expect(counter.hashes.load(ordering: .relaxed) <= 60, "of \(size)")
      #expect(counter.comparisons.load(ordering: .relaxed) <= 6_000, "of \(size)")
      try await source.undo()
      try await source.undo()
    }
  }
}
