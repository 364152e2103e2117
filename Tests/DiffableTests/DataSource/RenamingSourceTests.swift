import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable

@Suite("A source that is told of another identifier")
struct RenamingSourceTests {
  private func item(_ place: Int) -> ItemPath { ItemPath(section: 0, item: place) }

  @Test func `A batch of several revisions names the last one`() async throws {
    let source = try Source(.list(1...4))
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await source.update { try $0.renameItem(2, to: 20) }
    try await source.update { snapshot in
      try snapshot.renameItem(20, to: 21)
      try snapshot.moveItem(21, afterItem: 4)
      try snapshot.renameItem(3, to: 30)
    }
    let batch = try #require(await batches.next())
    #expect(batch.snapshot.itemIdentifiers == [1, 30, 4, 21])
    #expect(batch.difference.itemMoves == [Move(from: item(1), to: item(3))])
    #expect(Array(batch.difference.itemRenames) == [item(1), item(3)])
    #expect(batch.difference.itemReconfigures == batch.difference.itemRenames)
    #expect(batch.difference.itemDeletes.isEmpty && batch.difference.itemInserts.isEmpty)
    #expect(Set(batch.renamedItems) == [ItemRename(old: 2, new: 21), ItemRename(old: 3, new: 30)])
    let way = try #require(await source.difference(from: Revision(1), to: Revision(3)))
    #expect(way == batch.difference)
    #expect(await source.difference(from: Revision(3), to: Revision(1)) == way.inverse)
  }

  @Test(
    "A subscriber that has missed more marks than the list has items learns what its rows are called",
    .enabled(if: !checksInvariants, "the checks look at all rows each time"),
    arguments: [0, 1_000])
  func manyMarks(history: Int) async throws {
    let rows = 1_100
    let source = try Source(.list(0..<rows), options: SourceOptions(history: history))
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    for item in 0..<rows {
      try await source.update { snapshot in
        try snapshot.renameItem(item, to: item + rows)
        try snapshot.reloadItems([item + rows])
      }
      // Rows that come and go mark more.
      try await source.update { try $0.appendItems([-1 - item]) }
      try await source.update { try $0.reloadItems([-1 - item]) }
      try await source.update { $0.deleteItems([-1 - item]) }
    }
    let batch = try #require(await batches.next())
    #expect(batch.presentation == .reset)
    #expect(
      Set(batch.renamedItems) == Set((0..<rows).map { ItemRename(old: $0, new: $0 + rows) }))
  }

  @Test func `Renames of rows that come and go do not pile up`() async throws {
    let source = try Source(.list(0..<10), options: SourceOptions(history: 0))
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    for item in 0..<10 { try await source.update { try $0.renameItem(item, to: item + 10) } }
    for number in 100..<2_400 {
      try await source.update { try $0.appendItems([-number]) }
      try await source.update { try $0.renameItem(-number, to: number) }
      try await source.update { $0.deleteItems([number]) }
    }
    let batch = try #require(await batches.next())
    let own = batch.renamedItems.filter { $0.old >= 0 }
    #expect(Set(own) == Set((0..<10).map { ItemRename(old: $0, new: $0 + 10) }))
    #expect(batch.renamedItems.count < 1_000)
    #expect(batch.base != nil && batch.difference.itemRenames.count == 10)
  }

  @Test func `A row that came on the way under another name has come`() async throws {
    let source = try Source(.list([1]))
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await source.update { try $0.appendItems([2]) }
    try await source.update { try $0.renameItem(2, to: 20) }
    let batch = try #require(await batches.next())
    #expect("\(batch.difference)" == "+0:1")
  }

  @Test func `An applied snapshot and an enqueued one say it as an edit does`() async throws {
    let source = try Source(.list(1...3))
    var next = await source.snapshot
    try next.renameItem(1, to: 10)
    try await source.apply(next)
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try next.renameItem(2, to: 20)
    _ = await source.enqueue(next).outcome
    let batch = try #require(await batches.next())
    #expect("\(batch.difference)" == "~0:1 ⇝0:1")
  }

  @Test(
    "What is applied keeps the laws of differences, made of the live state or anew",
    arguments: [false, true], [2, 12, 150])
  func applied(isAnew: Bool, itemsEach: Int) async throws {
    for seed in 0..<UInt64(rounds(24, least: 10)) {
      var generator = SnapshotGenerator<String, Int>(
        seed: seed, section: { "s\($0)" }, item: { $0 })
      let old = generator.snapshot(.even(sections: 2, itemsEach: itemsEach))
      let source = try Source(old)
      var batches = source.updates().makeAsyncIterator()
      _ = await batches.next()
      // Names are given where items move as well.
      var next = await source.snapshot
      for change in [SnapshotChange.renamedItems, .movedItems] {
        let marks = next.marks
        next = generator.changing(next, by: change)
        next.marks.formUnion(marks)
      }
      try await source.apply(isAnew ? next.detached : next)
      let batch = try #require(await batches.next())
      let comment: Comment = "seed \(seed): \(batch)"
      let violations = DifferenceLaw.violations(
        of: batch.difference, from: old, to: batch.snapshot)
      #expect(violations.isEmpty, comment)
      let difference = try next.difference(from: old)
      #expect(batch.difference.itemRenames == difference.itemRenames, comment)
      #expect(batch.difference.changeCount == difference.changeCount, comment)
    }
  }

  @Test func `Undo and redo give back the names, and leave what others did`() async throws {
    let source = try Source(.list(1...4))
    try await source.update(named: "send") { snapshot in
      try snapshot.renameItem(2, to: 20)
      try snapshot.reloadItems([20])
    }
    try await source.update { try $0.moveItem(20, beforeItem: 1) }
    let undone = try #require(try await source.undo(.named))
    #expect(undone.finalSnapshot.itemIdentifiers == [2, 1, 3, 4])
    #expect("\(undone.difference)" == "*0:0 ⇝0:0" && undone.conflicts.isEmpty)
    let redone = try #require(try await source.redo(.named))
    #expect(redone.finalSnapshot.itemIdentifiers == [20, 1, 3, 4])
    #expect("\(redone.difference)" == "*0:0 ⇝0:0")
    #expect(try await source.undo()?.finalSnapshot.itemIdentifiers == [2, 1, 3, 4])
  }

  @Test func `What a writer did to the old name is done to the new one`() async throws {
    let source = try Source(.list(1...5))
    let (base, revision) = (await source.snapshot, await source.revision)
    try await source.update { snapshot in
      try snapshot.renameItem(2, to: 20)
      try snapshot.renameItem(4, to: 40)
    }
    try await source.update { try $0.renameItem(5, to: 50) }
    var stale = base
    try stale.moveItem(2, afterItem: 5)
    stale.deleteItems([4])
    try stale.reloadItems([5])
    let merged = try await source.merge(stale, basedOn: revision)
    #expect(merged.finalSnapshot.itemIdentifiers == [1, 3, 50, 20])
    #expect(merged.conflicts.isEmpty)
    #expect(merged.difference.itemReloads == [item(4)])
  }

  @Test func `Of two names the writer's counts, and a deleted row stays deleted`() async throws {
    let source = try Source(.list(1...3))
    let (base, revision) = (await source.snapshot, await source.revision)
    try await source.update { snapshot in
      try snapshot.renameItem(1, to: 10)
      snapshot.deleteItems([3])
      try snapshot.appendItems([4])
    }
    var stale = base
    try stale.renameItem(1, to: 11)
    try stale.renameItem(3, to: 30)
    let merged = try await source.merge(stale, basedOn: revision)
    #expect(merged.finalSnapshot.itemIdentifiers == [11, 2, 4])
    #expect("\(merged.difference)" == "~0:0 ⇝0:0")
    // As a value, where nothing is known of what others renamed.
    var live = base
    try live.moveItem(1, afterItem: 3)
    #expect(try live.merging(stale, basedOn: base).snapshot.itemIdentifiers == [2, 30, 11])
  }

  @Test func `A drag goes on with a row that was named meanwhile`() async throws {
    let source = try Source(.list(1...4))
    var drag = try #require(try await source.beginReorder([1]))
    _ = try drag.proposed(to: .after(3))
    try await source.update { try $0.renameItem(1, to: 10) }
    let committed = try await drag.commit()
    let dropped = try #require(committed)
    #expect(dropped.finalSnapshot.itemIdentifiers == [2, 3, 10, 4])
    #expect(dropped.conflicts.isEmpty)
  }

  @Test("Merging a rename is the same whatever others did", arguments: 0..<30 as Range<UInt64>)
  func merges(seed: UInt64) async throws {
    var generator = SnapshotGenerator<String, Int>(
      seed: seed, section: { "s\($0)" }, item: { $0 })
    for step in 0..<rounds(10) {
      let base = generator.snapshot(.even(sections: 2, itemsEach: 6))
      let source = try Source(base)
      let live = generator.changing(base, by: .mixed)
      try await source.apply(live)
      let picked = generator.random.element(of: base.itemIdentifiers)
      let item = try #require(picked)
      var theirs = base
      try theirs.renameItem(item, to: -1)
      let merged = try await source.merge(theirs, basedOn: Revision(1))
      // The row is renamed where it is; everything else is as it was.
      let comment: Comment = "seed \(seed), step \(step), \(item) in \(live)"
      // An identifier that is in both states names the same row, whatever was renamed.
      let rename = live.renamedItems.first { $0.old == item && !base.containsItem($0.new) }
      let name = live.containsItem(item) ? item : rename?.new ?? item
      var expected = live
      if live.containsItem(name) { try expected.renameItem(name, to: -1) }
      #expect(merged.finalSnapshot == expected, comment)
    }
  }

  @Test func `A model comes with its name, and goes back with it`() async throws {
    let source = Notes()
    try await source.apply([Note(id: 1), Note(id: 2, title: 1), Note(id: 3)], section: \.folder)
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await source.update { draft in
      try draft.renameItem(2, to: Note(id: 20, title: 2))
      #expect(draft.model(for: 20)?.title == 2)
    }
    let batch = try #require(await batches.next())
    #expect("\(batch.difference)" == "~0:1 ⇝0:1")
    #expect(batch.models == [20: Note(id: 20, title: 2)] && batch.removedItems == [2])
    #expect(batch.previousModel(for: 2)?.title == 1)
    try await source.undo()
    #expect(await source.model(for: 2)?.title == 1)
    #expect(await source.snapshot.itemIdentifiers == [1, 2, 3])
    await #expect(throws: (any Error).self) {
      try await source.update { try $0.renameItem(1, to: Note(id: 3)) }
    }
    await #expect(throws: (any Error).self) {
      try await source.update { try $0.renameItem(9, to: Note(id: 90)) }
    }
    #expect(await source.snapshot.itemIdentifiers == [1, 2, 3])
  }
}
