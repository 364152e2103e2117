import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable

@Suite("A source that is told of another identifier", .deadline)
struct RenamingSourceTests {
  @Test(
    "A subscriber that has missed more marks than the list has items learns what its rows are called",
    .enabled(if: !checksInvariants, "the checks look at all rows each time"),
    arguments: [0, 1_000])
  func manyMarks(history: Int) async throws {
    let rows = 1_100
    let source = try Source(.list(0..<rows), options: SourceOptions(history: history))
    var batches = await source.changes()
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
    var batches = await source.changes()
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

  @Test(
    "What is applied keeps the laws of differences, made of the live state or anew",
    arguments: [false, true], [2, 12, 150])
  func applied(isAnew: Bool, itemsEach: Int) async throws {
    for seed in 0..<UInt64(rounds(24, least: 10)) {
      var generator = SnapshotGenerator<String, Int>(
        seed: seed, section: { "s\($0)" }, item: { $0 })
      let old = generator.snapshot(.even(sections: 2, itemsEach: itemsEach))
      let source = try Source(old)
      var batches = await source.changes()
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

  @Test("An item of a long list stays or moves as it would under its old name")
  func amongMoves() async throws {
    let old = Array(0..<150)
    for renamed in [0, 10, 40, 75, 149] {
      for (from, to) in [(10, 100), (100, 10), (0, 149), (149, 0), (70, 80)] {
        var items = old
        items.insert(items.remove(at: from), at: to)
        let moves = try Snapshot.list(items).difference(from: .list(old)).itemMoves
        // A list that is made anew knows nothing of the old one but the name.
        var next = Snapshot<String, Int>(
          sections: ["list"], items: [items.map { $0 == renamed ? -1 : $0 }])
        next.marks.rename([ItemRename(old: renamed, new: -1)])
        let source = try Source(.list(old))
        var batches = await source.changes()
        try await source.apply(next)
        let difference = try #require(await batches.next()).difference
        let comment: Comment = "\(renamed) gets another name, and \(from) goes to \(to)"
        #expect(difference.itemMoves == moves && difference.itemRenames.count == 1, comment)
        #expect(difference.itemInserts.isEmpty && difference.itemDeletes.isEmpty, comment)
      }
    }
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

  @Test func `A model with a name that is taken, or of no row, is refused`() async throws {
    let source = Notes()
    try await source.apply((1...3).map { Note(id: $0) }, section: \.folder)
    for (old, new) in [(1, 3), (9, 90)] {
      await #expect(throws: (any Error).self) {
        try await source.update { try $0.renameItem(old, to: Note(id: new)) }
      }
    }
    #expect(await source.snapshot.itemIdentifiers == [1, 2, 3])
  }
}
