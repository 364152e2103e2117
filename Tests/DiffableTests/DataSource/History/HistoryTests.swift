import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// Undo, redo and merge of a source.
@Suite(.deadline) struct HistoryTests {
  @Test func `Undo and redo make revisions that subscribers see as batches`() async throws {
    let source = Source()
    try await source.apply(.list([1]))
    try await source.update(named: "Add") { try $0.appendItems([2]) }
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()

    let undone = try #require(try await source.undo())
    #expect(undone.target == Revision(3) && undone.name == "Add")
    #expect(try undone.initialSnapshot == .list([1, 2]) && undone.finalSnapshot == .list([1]))
    let batch = try #require(await batches.next())
    #expect(batch.base == Revision(2) && batch.target == Revision(3))
    #expect(batch.difference == undone.difference && batch.snapshot == undone.finalSnapshot)

    let redone = try #require(try await source.redo())
    #expect(redone.name == "Add" && redone.conflicts.isEmpty)
    #expect(try await source.snapshot == .list([1, 2]))
    #expect(await batches.next()?.target == Revision(4))
  }

  @Test func `There may be nothing to undo or redo`() async throws {
    let source = Source()
    #expect(try await source.undo() == nil)
    #expect(try await source.redo() == nil)
    try await source.apply(.list([1]))
    #expect(try await source.undo(.named) == nil)
    #expect(try await source.redo() == nil)
    _ = try await source.undo()
    try await source.apply(.list([2]))
    #expect(try await source.redo() == nil, "a new change makes an end of redo")
    #expect(await source.revision == Revision(3))
    await source.finish()
    await #expect(throws: DataSourceError.finished) { try await source.undo() }
  }

  @Test func `A menu knows what comes next`() async throws {
    let source = try Source(.list([1]))
    #expect(source.nextUndo() == nil || source.nextUndo()?.name == nil)
    try await source.update(named: "Add") { try $0.appendItems([2]) }
    try await source.update { try $0.appendItems([3]) }
    #expect(source.nextUndo()?.revision == Revision(3))
    #expect(source.nextUndo(.named)?.name == "Add")
    #expect(source.nextRedo(.named) == nil)
    try await source.undo(.named)
    #expect(source.nextRedo(.named)?.name == "Add")
    #expect(try await source.snapshot == .list([1, 3]))
    try await source.update { try $0.appendItems([4]) }
    try await source.redo(.named)
    #expect(try await source.snapshot == .list([1, 2, 3, 4]))
  }

  @Test func `Undo takes back what a change did, and leaves what others did since`() async throws {
    let source = try Source(.list([1, 2, 3, 4]))
    try await source.update(named: "Move") { try $0.moveItem(1, afterItem: 4) }
    try await source.update { snapshot in
      snapshot.deleteItems([3])
      try snapshot.insertItems([9], beforeItem: 2)
    }
    let undone = try #require(try await source.undo(.named))
    #expect(undone.conflicts.isEmpty)
    #expect(await source.snapshot.itemIdentifiers == [9, 1, 2, 4])
    try await source.update(named: "Delete") { $0.deleteItems([2]) }
    try await source.update { try $0.moveItem(4, beforeItem: 9) }
    try await source.undo(.named)
    #expect(Set(await source.snapshot.itemIdentifiers) == [4, 9, 1, 2])
  }

  @Test func `A change that others have undone already is taken back without effect`() async throws
  {
    let source = try Source(.list([1]))
    try await source.update(named: "First") { try $0.appendItems([2]) }
    try await source.update(named: "Second") { try $0.appendItems([3]) }
    try await source.update { $0.deleteItems([3]) }
    #expect(source.nextUndo(.named)?.name == "Second")
    let idle = try #require(try await source.undo(.named))
    #expect(idle.name == "Second" && idle.difference.isEmpty)
    #expect(idle.target == Revision(4) && idle.initialSnapshot == idle.finalSnapshot)
    #expect(source.nextRedo(.named) == nil, "nothing was undone that could be redone")
    #expect(source.nextUndo(.named)?.name == "First")
    let undone = try #require(try await source.undo(.named))
    #expect(undone.name == "First")
    #expect(await source.snapshot.itemIdentifiers == [1])
    #expect(try await source.undo(.named) == nil)
    #expect(await source.revision == Revision(5))
  }

  @Test func `Undo refreshes what the change refreshed`() async throws {
    let source = try Source(.list([1, 2]))
    try await source.apply(.list([1, 2], reload: [1], reconfigure: [2]))
    let undone = try #require(try await source.undo())
    #expect(undone.difference.itemReloads == [ItemPath(section: 0, item: 0)])
    #expect(undone.difference.itemReconfigures == [ItemPath(section: 0, item: 1)])
    #expect(!undone.difference.isStructural)
  }

  @Test func `Undo goes back as far as the history`() async throws {
    let source = Source(options: SourceOptions(history: 8))
    for last in 1...20 { try await source.apply(.list(0..<last)) }
    var undone = 0
    while try await source.undo() != nil { undone += 1 }
    #expect(undone == 4)
    #expect(try await source.snapshot == .list(0..<16))
    for _ in 0..<undone { #expect(try await source.redo() != nil) }
    #expect(try await source.snapshot == .list(0..<20))
    #expect(source.snapshot(at: Revision(19)) == nil)
    #expect(try source.snapshot(at: Revision(28)) == .list(0..<20))
    #expect(source.snapshot(at: Revision(29)) == nil)
  }

  @Test func `Any walk back and forth meets the states of two stacks`() async throws {
    for seed in 0..<UInt64(rounds(30)) {
      var generator = SnapshotGenerator<String, Int>(
        seed: seed, section: { "s\($0)" }, item: { $0 })
      let source = Source(options: SourceOptions(history: 500))
      var (past, present, future) = ([List](), List(), [List]())
      for _ in 0..<60 {
        switch generator.random.number(below: 5) {
        case 0, 1:
          let next = generator.changing(
            present.numberOfSections == 0
              ? generator.snapshot(.even(sections: 2, itemsEach: 3)) : present, by: .mixed)
          guard try await source.apply(next).change != nil else { continue }
          past.append(present)
          // Where a list is applied to an outline, the outline stays.
          present = await source.snapshot
          future = []
        case 2, 3:
          let undone = try await source.undo()
          #expect((undone == nil) == past.isEmpty, "seed \(seed)")
          guard let state = past.popLast() else { continue }
          future.append(present)
          present = state
        default:
          let redone = try await source.redo()
          #expect((redone == nil) == future.isEmpty, "seed \(seed)")
          guard let state = future.popLast() else { continue }
          past.append(present)
          present = state
        }
        #expect(await source.snapshot == present, "seed \(seed)")
      }
    }
  }

  @Test func `Merging into the revision one started from equals applying`() async throws {
    for seed in 0..<UInt64(rounds(50)) {
      var generator = SnapshotGenerator<String, Int>(
        seed: seed, section: { "s\($0)" }, item: { $0 })
      let start = generator.snapshot(.uneven(sections: 3, items: 20))
      let next = generator.changing(start, by: .mixed)
      let epoch = Epoch()
      let (merging, applying) = (
        try Source(start, options: SourceOptions(epoch: epoch)),
        try Source(start, options: SourceOptions(epoch: epoch))
      )
      var mergedBatches = merging.updates(after: merging.token(for: Revision(1)))
        .makeAsyncIterator()
      var appliedBatches = applying.updates(after: applying.token(for: Revision(1)))
        .makeAsyncIterator()
      let merged = try await merging.merge(next, basedOn: Revision(1))
      let revision = try await applying.apply(next).revision
      #expect(merged.target == revision && merged.finalSnapshot == next, "seed \(seed)")
      #expect(merged.conflicts.isEmpty, "seed \(seed)")
      guard revision > Revision(1) else { continue }
      let batches = (await mergedBatches.next(), await appliedBatches.next())
      #expect(batches.0 == batches.1, "seed \(seed)")
    }
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
    var batches = lenient.updates().makeAsyncIterator()
    _ = await batches.next()
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

  @Test func `A transaction lists what changed by section`() async throws {
    var start = List()
    start.appendSections(["a", "b", "c"])
    for (section, items) in [("a", [1, 2, 3]), ("b", [4]), ("c", [5])] {
      try start.appendItems(items, toSection: section)
    }
    let source = try Source(start)
    var copy = start
    try copy.moveItem(1, afterItem: 4)
    copy.deleteSections(["c"])
    let sections = try await source.merge(copy, basedOn: Revision(1)).sectionTransactions
    #expect(sections.map(\.sectionIdentifier) == ["a", "b", "c"])
    #expect(sections.map(\.initialItems) == [[1, 2, 3], [4], [5]])
    #expect(sections.map(\.finalItems) == [[2, 3], [4, 1], []])
    for section in sections {
      #expect(section.initialItems.applying(section.difference) == section.finalItems)
    }
  }
}
