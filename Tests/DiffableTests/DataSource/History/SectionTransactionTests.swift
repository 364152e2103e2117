import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite("A transaction says what it has changed in each section") struct SectionTransactionTests {
  typealias List = Snapshot<Int, Int>

  private func transaction<Item>(
    from old: Snapshot<Int, Item>, to new: Snapshot<Int, Item>
  ) async throws -> Transaction<Int, Item> {
    let source = DataSourceActor<Int, Item>()
    let base = try await source.apply(old).revision
    return try await source.merge(new, basedOn: base)
  }

  @Test("For every transition of small lists, with the fewest changes", arguments: 0..<8)
  func everyTransition(part: Int) async throws {
    let lists = everySnapshot(sections: 2, items: 2)
    for old in stride(from: part, to: lists.count, by: 8).map({ lists[$0] }) {
      for new in lists where areNumberedInOrder(old, new) {
        try await check(from: old, to: new, "\(old) → \(new)")
      }
    }
  }

  @Test("For random transitions", arguments: SnapshotChange.allCases)
  func random(change: SnapshotChange) async throws {
    for seed in 0..<rounds(20 as UInt64) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let old = generator.snapshot(.anyOf(sections: 5, items: 30))
      try await check(from: old, to: generator.changing(old, by: change), "\(change), seed \(seed)")
    }
  }

  private func check(from old: List, to new: List, _ comment: Comment) async throws {
    let transaction = try await transaction(from: old, to: new)
    let gone = old.sectionIdentifiers.filter { !new.containsSection($0) }
    let renamed = !transaction.difference.itemRenames.isEmpty
    var rest = transaction.sectionTransactions[...]
    for section in new.sectionIdentifiers + gone {
      let (initial, final) = (
        old.itemIdentifiers(inSection: section), new.itemIdentifiers(inSection: section)
      )
      guard initial != final else { continue }
      guard let change = rest.popFirst(), change.sectionIdentifier == section else {
        Issue.record("section \(section) is missing, \(comment)")
        return
      }
      #expect(change.initialItems == initial && change.finalItems == final, comment)
      #expect(initial.applying(change.difference) == final, comment)
      guard !renamed else { continue }
      #expect(change.difference.inferringMoves() == change.difference, comment)
      #expect(change.difference.count == final.difference(from: initial).count, comment)
    }
    #expect(rest.isEmpty, comment)
  }

  @Test func `An item that is renamed has left for another one`() async throws {
    let old = List.sections([1, 2, 3])
    var new = old
    try new.renameItem(2, to: 9)
    try new.moveItem(3, beforeItem: 1)
    let change = try #require(try await transaction(from: old, to: new).sectionTransactions.first)
    #expect(change.finalItems == [3, 1, 9])
    #expect(change.initialItems.applying(change.difference) == [3, 1, 9])
    #expect(change.difference.count == 4)
  }

  @Test func `However many items were shuffled, none is compared`() async throws {
    let counter = IdentifierCounter()
    var generator = SnapshotGenerator<Int, CountedIdentifier>(
      seed: 1, section: { $0 }, item: { CountedIdentifier(number: $0, counter: counter) })
    let old = generator.snapshot(.uneven(sections: 3, items: 2_000))
    let transaction = try await transaction(
      from: old, to: generator.changing(old, by: .shuffledItems))
    counter.reset()
    #expect(transaction.sectionTransactions.isEmpty == false)
    #expect(counter.comparisonCount == 0)
    #expect(counter.hashCount == 0)
  }
}

extension Snapshot where SectionID == Int, ItemID == Int {
  /// A section for each list, numbered from 0.
  fileprivate static func sections(_ lists: [Int]...) -> Snapshot {
    Snapshot(contents: lists.enumerated().map { (id: $0.offset, items: $0.element) })
  }
}
