import Diffable
import DiffableTesting
import ListSupport
import Testing

@Suite("Identifiers are compared and hashed a linear number of times")
struct CountedIdentifierTests {
  static let changes: [SnapshotChange] = [
    .none, .reversedItems, .shuffledItems, .swappedHalves, .rotatedItems, .movedItems,
    .scatteredItems, .deletedItems, .insertedItems, .reversedSections, .shuffledSections,
    .deletedSections, .mergedSections, .insertedSections, .splitSections, .replacedEverything,
  ]

  /// How often each identifier may be hashed, and how often compared.
  ///
  /// Two validations and one matching pass ask a question or two each. Quadratic behaviour would
  /// show as hundreds.
  static let questionsEach = 4

  @Test("a difference", arguments: changes)
  func difference(change: SnapshotChange) throws {
    for size in [500, 4_000] {
      let counter = IdentifierCounter()
      let (old, new) = transition(change, size: size, counter)
      counter.reset()
      _ = try new.difference(from: old)
      let count = old.numberOfItems + new.numberOfItems + 40
      expectLinear(counter, in: count, "\(change) of \(size)")
    }
  }

  @Test("stages of a batch", arguments: changes)
  func stages(change: SnapshotChange) throws {
    let size = 2_000
    let counter = IdentifierCounter()
    let (old, new) = transition(change, size: size, counter)
    let batch = try UpdateBatch(from: old, to: new)
    counter.reset()
    _ = batch.stages(for: .collectionView)
    _ = batch.stages(for: .tableView)
    expectLinear(counter, in: old.numberOfItems + new.numberOfItems + 40, "\(change)")
  }

  @Test("a replay")
  func replay() throws {
    let counter = IdentifierCounter()
    let (old, new) = transition(.mixed, size: 3_000, counter)
    let difference = try new.difference(from: old)
    counter.reset()
    _ = try old.applying(difference, insertsFrom: new)
    expectLinear(counter, in: old.numberOfItems + new.numberOfItems + 40, "replay")
  }

  @Test(
    "a deletion of rows that were placed, at once",
    .enabled(if: !checksInvariants, "the checks ask identifiers too"))
  func deletingPlacedRows() throws {
    typealias List = Snapshot<Int, CountedIdentifier>
    for size in [100, 500] {
      let counter = IdentifierCounter()
      let rows = (0..<size).map { CountedIdentifier(number: $0, counter: counter) }
      let sections = Array(0..<size / 5)
      let deletions: [(inout List) -> Void] = [
        { $0.deleteItems(rows) }, { $0.deleteItems { _ in true } }, { $0.deleteSections(sections) },
        { try? $0.keepLastItems(0, inSection: 0) },
      ]
      for (number, delete) in deletions.enumerated() {
        var list = List()
        list.appendSections(sections)
        try list.appendItems(rows, toSection: 0)
        for row in rows.dropLast() { try list.moveItem(row, afterItem: rows[size - 1]) }
        if number == 2 {
          for row in rows { try list.moveItem(row, toSection: row.number % sections.count) }
        }
        counter.reset()
        delete(&list)
        expectLinear(counter, in: 2 * size, "deletion \(number) of \(size)")
        #expect(list.numberOfItems == 0 && list.placedItemIdentifiers.isEmpty)
      }
    }
  }

  @Test(
    "renames of rows that were placed, one by one",
    .enabled(if: !checksInvariants, "the checks ask identifiers too"))
  func renamingPlacedRows() throws {
    for size in [100, 1_000] {
      let counter = IdentifierCounter()
      let rows = (0..<2 * size).map { CountedIdentifier(number: $0, counter: counter) }
      var list = Snapshot<Int, CountedIdentifier>()
      list.appendSections([0])
      try list.appendItems(rows[..<size], toSection: 0)
      for row in rows[..<size].dropLast() { try list.moveItem(row, afterItem: rows[size - 1]) }
      counter.reset()
      for number in 0..<size { try list.renameItem(rows[number], to: rows[size + number]) }
      expectLinear(counter, in: 16 * size, "\(size) renames")
      #expect(list.placedItemIdentifiers == Array(rows[size..<2 * size - 1]))
    }
  }

  @Test(
    "a merge after which no ancestor is left of rows that others have put below a deep chain",
    .enabled(if: !checksInvariants, "the checks ask identifiers too"))
  func mergingBelowChain() throws {
    let depth = 3_000
    let counter = IdentifierCounter()
    let rows = (0..<2 * depth).map { CountedIdentifier(number: $0, counter: counter) }
    var chain = try Outline([rows[0]])
    for level in 1..<depth { try chain.append([rows[level]], to: rows[level - 1]) }
    let base = try Snapshot<Int, CountedIdentifier>(chain, in: 0)
    for level in 0..<depth { try chain.append([rows[depth + level]], to: rows[level]) }
    var (live, theirs) = (base, base)
    try live.setOutline(chain, forSection: 0)
    theirs.deleteItems([rows[0]])
    counter.reset()
    let merged = try live.merging(theirs, basedOn: base).snapshot
    expectLinear(counter, in: 100 * depth, "a chain of \(depth) rows")
    #expect(merged.outline(ofSection: 0).map { Set($0.rootItems) } == Set(rows[depth...]))
  }

  @Test(
    "a merge that brings back sections below whose rows others have put others",
    .enabled(if: !checksInvariants, "the checks ask identifiers too"))
  func restoringSections() throws {
    let size = 2_000
    let counter = IdentifierCounter()
    let sections = (0..<size).map { CountedIdentifier(number: $0, counter: counter) }
    var base = Snapshot<CountedIdentifier, Int>()
    base.appendSections(sections)
    for (row, section) in sections.enumerated() {
      try base.setOutline(Outline([row]), forSection: section)
    }
    var (live, theirs) = (base, base)
    for row in 0..<size { try live.appendItems([size + row], toItem: row) }
    theirs.deleteSections(sections)
    counter.reset()
    let merged = try live.merging(theirs, basedOn: base).snapshot
    expectLinear(counter, in: 100 * size, "\(size) sections")
    #expect(merged.sectionIdentifiers == sections)
  }

  private func transition(
    _ change: SnapshotChange, size: Int, _ counter: IdentifierCounter
  ) -> (Snapshot<Int, CountedIdentifier>, Snapshot<Int, CountedIdentifier>) {
    var generator = SnapshotGenerator<Int, CountedIdentifier>(
      seed: 1, section: { $0 }, item: { CountedIdentifier(number: $0, counter: counter) })
    let old = generator.snapshot(.uneven(sections: 8, items: size))
    return (old, generator.changing(old, by: change))
  }

  private func expectLinear(_ counter: IdentifierCounter, in count: Int, _ comment: Comment) {
    #expect(counter.hashCount <= Self.questionsEach * count, comment)
    #expect(counter.comparisonCount <= Self.questionsEach * count, comment)
  }
}
