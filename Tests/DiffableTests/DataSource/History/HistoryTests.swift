import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// Undo, redo and merge of a source.
@Suite(.deadline) struct HistoryTests {
  @Test func `There is nothing to undo at first, and no undo after the end`() async throws {
    let source = Source()
    #expect(try await source.undo() == nil)
    #expect(try await source.redo() == nil)
    try await source.apply(.list([1]))
    await source.finish()
    await #expect(throws: DataSourceError.finished) { try await source.undo() }
  }

  @Test(
    "A menu names what comes next, also where nothing is left of it: Move 2, and Rename 1 waits")
  func nothingLeft() async throws {
    let source = Notes()
    try await source.apply([Note(id: 1), Note(id: 2), Note(id: 3)], section: \.folder)
    try await source.update(named: "Rename 1") { $0.setModel(Note(id: 1, title: 1)) }
    try await source.update(named: "Move 2") { draft in
      try draft.snapshot.moveItem(2, afterItem: 3)
    }
    try await source.update { $0.snapshot.deleteItems([2]) }
    let revision = await source.revision

    let move = try #require(source.nextUndo(.named))
    #expect(move.name == "Move 2")
    let idle = try #require(try await source.undo(.named))
    #expect(idle.reversedChange == move && idle.name == "Move 2")
    #expect(idle.target == revision && idle.difference.isEmpty)
    #expect(await source.model(for: 1)?.title == 1)

    let rename = try #require(source.nextUndo(.named))
    #expect(rename.name == "Rename 1")
    let undone = try #require(try await source.undo(.named))
    #expect(undone.reversedChange == rename)
    #expect(await source.model(for: 1)?.title == 0 && source.nextUndo(.named) == nil)
    #expect(try await source.undo(.named) == nil)
    let redo = try #require(source.nextRedo(.named))
    #expect(redo.name == "Rename 1")
    #expect(try await source.redo(.named)?.reversedChange == redo)
    #expect(source.nextRedo(.named) == nil, "nothing of Move 2 was undone")
  }

  @Test func `A merge without its base, or of duplicates, is refused`() async throws {
    let source = try Source(.list([1]), options: SourceOptions(history: 1))
    for last in 2...4 { try await source.apply(.list(0..<last)) }
    await #expect(throws: DataSourceError.unknownRevision(Revision(1))) {
      try await source.merge(.list([1, 2]), basedOn: Revision(1))
    }
    await #expect(throws: DataSourceError.self) {
      try await source.merge(.duplicates(), basedOn: Revision(4))
    }
    #expect(await source.revision == Revision(4))
    let lenient = try Source(.list([1]), options: SourceOptions(duplicates: .keepFirst))
    var batches = await lenient.changes()
    try await lenient.merge(.duplicates(), basedOn: Revision(1))
    let batch = try #require(await batches.next())
    #expect(try batch.snapshot == .list([1, 2]) && batch.droppedItems == [1])
    // A section that is there twice goes with its items.
    var twice = try List.list([1, 2])
    twice.appendSections(["list", "new"])
    try twice.appendItems([3, 2], toSection: "new")
    try await lenient.merge(twice, basedOn: batch.target)
    let next = try #require(await batches.next())
    #expect(next.snapshot.sectionIdentifiers == ["list", "new"])
    #expect(next.droppedSections == ["list"] && next.droppedItems == [2])
  }

  @Test func `Writers that merge copies of any age lose nothing`() async throws {
    let writers = 8
    let rounds = 60
    var start = List()
    start.appendSections((0..<4).map { "s\($0)" })
    let source = try Source(start, options: SourceOptions(history: writers * rounds))
    try await withThrowingDiscardingTaskGroup { group in
      for writer in 0..<writers {
        group.addTask {
          var random = SplitMix64(seed: UInt64(writer))
          for round in 0..<rounds {
            let base = await source.revision
            var copy = try #require(source.snapshot(at: base))
            for _ in 0..<random.number(below: 4) { await Task.yield() }
            let anchor = random.element(of: copy.itemIdentifiers)
            let item = writer * rounds + round
            if let anchor {
              try copy.insertItems([item], afterItem: anchor)
            } else {
              try copy.appendItems([item])
            }
            let merged = try await source.merge(copy, basedOn: base)
            #expect(merged.conflicts.isEmpty)
          }
        }
      }
    }
    #expect(await source.snapshot.itemIdentifiers.sorted() == Array(0..<writers * rounds))
    #expect(await source.revision == Revision(1 + writers * rounds))
  }

  // MARK: What is still known of the base of a merge when the history has forgotten it

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
