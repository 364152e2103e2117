import DiffableTesting
import TestScope
import Testing

@testable import Diffable

@Suite("What the policy for duplicates keeps, and what it tells", .deadline)
struct DroppedDuplicateTests {
  private typealias List = Snapshot<Int, Int>

  /// A section as rows with their levels; in a list all are at level 0.
  private struct Section: Equatable {
    let id: Int
    let isTree: Bool
    var rows: [(item: Int, level: Int)] = []

    static func == (left: Section, right: Section) -> Bool {
      left.id == right.id && left.isTree == right.isTree
        && left.rows.elementsEqual(right.rows) { $0 == $1 }
    }

    init(_ random: inout SplitMix64) {
      (id, isTree) = (random.number(below: 4), random.chance(oneIn: 2))
      for _ in 0..<random.number(below: 6) {
        let item = random.number(below: 9)
        // A tree has no item twice.
        if isTree, rows.contains(where: { $0.item == item }) { continue }
        let deepest = isTree ? (rows.last?.level ?? -1) + 1 : 0
        rows.append((item, random.number(below: deepest + 1)))
      }
    }

    init(_ list: List, at index: Int) {
      id = list.sectionIdentifiers[index]
      let outline = list.outline(ofSectionAt: index)
      isTree = outline != nil
      rows = (outline?.items ?? Array(list.items(inSectionAt: index))).map {
        ($0, outline?.level(of: $0) ?? 0)
      }
    }

    func contents(_ random: inout SplitMix64) throws -> (id: Int, rows: List.Rows) {
      guard isTree else { return (id, .list(rows.map(\.item))) }
      let levels = rows.map { (level: $0.level, isExpanded: random.chance(oneIn: 2)) }
      return (id, .outline(try Outline(rows.map(\.item), levels)))
    }
  }

  /// Of sections in the order in which they count: those that stay, without rows that were there before or
  /// that are below such rows.
  private static func kept(
    _ sections: [Section]
  ) -> (kept: [Section], sections: [Int], items: [Int]) {
    var (kept, dropped): ([Section], (sections: [Int], items: [Int])) = ([], ([], []))
    var seen: Set<Int> = []
    for section in sections {
      guard !kept.contains(where: { $0.id == section.id }) else {
        dropped.sections.append(section.id)
        dropped.items += section.rows.map(\.item)
        continue
      }
      var (rest, gone) = (section, Int.max)
      rest.rows = section.rows.filter { row in
        if row.level <= gone { gone = seen.contains(row.item) ? row.level : .max }
        let isGone = gone != .max
        if isGone { dropped.items.append(row.item) } else { seen.insert(row.item) }
        if !section.isTree { gone = .max }
        return !isGone
      }
      kept.append(rest)
    }
    return (kept, dropped.sections, dropped.items)
  }

  @Test(arguments: 0..<UInt64(rounds(320, least: 20)))
  func `Each place counts, or is told`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<10 {
      let sections = (0...random.number(below: 4)).map { _ in Section(&random) }
      let contents = try sections.map { try $0.contents(&random) }
      for policy in [DuplicatePolicy.keepFirst, .keepLast] {
        let isLast = policy == .keepLast
        // The last place counts where the first one does, read from the end; trees are read as they are.
        func turned(_ sections: [Section]) -> [Section] {
          guard isLast else { return sections }
          return sections.reversed().map { section in
            var section = section
            if !section.isTree { section.rows.reverse() }
            return section
          }
        }
        let expected = Self.kept(turned(sections))
        let list = List(List.makeKernels(), sections: contents)
        let options = SourceOptions(duplicates: policy)
        // A source begins with the list, or the list is applied to it.
        let isFirst = round.isMultiple(of: 2)
        let source = try DataSourceActor<Int, Int>(isFirst ? list : List(), options: options)
        var batches = source.updates().makeAsyncIterator()
        if !isFirst {
          _ = await batches.next()
          try await source.apply(list)
        }
        let batch = try #require(await batches.next())
        let comment: Comment = "seed \(seed), round \(round), \(policy): \(sections), \(batch)"
        let found = (0..<batch.snapshot.numberOfSections).map { Section(batch.snapshot, at: $0) }
        #expect(found == turned(expected.kept), comment)
        #expect(batch.droppedSections.sorted() == expected.sections.sorted(), comment)
        #expect(Set(batch.droppedItems) == Set(expected.items), comment)
        #expect(batch.droppedItems.count == expected.items.count, comment)
        try batch.snapshot.validate()
      }
    }
  }

  @Test(arguments: [DuplicatePolicy.keepFirst, .keepLast], [false, true])
  func `What is said of rows is said of the places that count`(
    policy: DuplicatePolicy, isSectionTwice: Bool
  ) async throws {
    let source = try DataSourceActor<Int, Int>(
      List(sections: [0, 1], items: [[1, 2, 3], []]), options: SourceOptions(duplicates: policy))
    var batches = await source.changes()
    var list = await source.snapshot
    try list.renameItem(2, to: 20)
    try list.reloadItems([1])
    try list.reconfigureItems([3])
    try list.reconfigureSections([1])
    try list.appendItems([20, 1, 3], toSection: 1)
    if isSectionTwice { list.appendSections([1]) }
    try await source.apply(list)
    let batch = try #require(await batches.next())
    let (difference, new) = (batch.difference, batch.snapshot)
    #expect(Set(batch.droppedItems) == [1, 3, 20] && batch.droppedItems.count == 3)
    #expect(batch.renamedItems == [ItemRename(old: 2, new: 20)])
    #expect(difference.itemRenames.compactMap(new.itemIdentifier(for:)) == [20])
    #expect(difference.itemReloads.elementsEqual([ItemPath(section: 0, item: 0)]))
    #expect(Set(difference.itemReconfigures.compactMap(new.itemIdentifier(for:))) == [3, 20])
    #expect(difference.sectionReconfigures == RangeSet(1..<2))
  }
}
