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
}
