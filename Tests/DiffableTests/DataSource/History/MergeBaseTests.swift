import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// What a source still knows of the base of a merge when its history has forgotten it.
@Suite(.deadline) struct MergeBaseTests {
  @Test(arguments: [0, 1])
  func `A queued write comes before the merge, and may make the history forget the base`(
    history: Int
  ) async throws {
    let source = try Source(.list([1, 2, 3]), options: SourceOptions(history: history))
    let base = await source.snapshot
    var (mine, theirs) = (base, base)
    try mine.moveItem(2, beforeItem: 1)
    try theirs.renameItem(2, to: 20)
    let (ticket, error) = await source.enqueue(theirs, thenMerge: mine, basedOn: Revision(1))
    let expected: DataSourceError? = history == 0 ? .unknownRevision(Revision(1)) : nil
    #expect(error == expected)
    #expect(await ticket.outcome == .applied(Revision(2)))
    #expect(await source.snapshot.itemIdentifiers == (history == 0 ? [1, 20, 3] : [20, 1, 3]))
  }

  @Test("A drag ends where it was dropped, though others rename its item", arguments: 0..<4)
  func renamedDuringDrag(history: Int) async throws {
    let source = try Source(.list([1, 2, 3]), options: SourceOptions(history: history))
    var reordering = try #require(try await source.beginReorder([3]))
    _ = try reordering.proposed(to: .before(1))
    for name in [30, 31, 32] {
      let old = name == 30 ? 3 : name - 1
      try await source.update { try $0.renameItem(old, to: name) }
    }
    try await source.update { try $0.appendItems([4]) }
    let drop = try #require(try await reordering.commit())
    #expect(drop.conflicts.isEmpty)
    #expect(await source.snapshot.itemIdentifiers == [32, 1, 2, 4])
  }
}

extension DataSourceActor {
  /// Merges while a snapshot waits in the queue.
  fileprivate func enqueue(
    _ theirs: Snapshot<SectionID, ItemID>, thenMerge mine: Snapshot<SectionID, ItemID>,
    basedOn base: Revision
  ) -> (Ticket, DataSourceError?) {
    let ticket = enqueue(theirs)
    do throws(DataSourceError) {
      try merge(mine, basedOn: base)
      return (ticket, nil)
    } catch {
      return (ticket, error)
    }
  }
}
