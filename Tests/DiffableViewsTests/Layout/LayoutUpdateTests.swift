import Diffable
import DiffableLayout
import DiffableTesting
import DiffableViews
import Testing
import TestScope

@Suite("A batch tells the layout what it leaves valid")
struct LayoutUpdateTests {
  typealias List = Snapshot<Int, Int>

  /// Measured heights by identifier.
  struct Sizes {
    var items: [Int: Double] = [:]
    var headers: [Int: Double] = [:]
  }

  private static let changes = SnapshotChange.allCases

  @Test("The layout after a batch is the one solved from scratch", arguments: changes)
  func replay(change: SnapshotChange) throws {
    for seed in 0..<rounds(40 as UInt64) {
      let comment: Comment = "\(change), seed \(seed)"
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let old = generator.snapshot(
        seed % 2 == 0 ? .uneven(sections: 5, items: 30) : .anyOf(sections: 6, items: 30))
      let new = generator.changing(old, by: change)
      var sizes = Sizes()
      for item in generator.random.sample(old.itemIdentifiers, oneIn: 2) {
        sizes.items[item] = Double(50 + generator.random.number(below: 100))
      }
      for section in generator.random.sample(old.sectionIdentifiers, oneIn: 2) {
        sizes.headers[section] = Double(25 + generator.random.number(below: 30))
      }
      let batch = try UpdateBatch(from: old, to: new)
      for section in [list(), pairs(), shelf()] {
        var layout = try CompositionalLayout(section: section).solve(old, in: phone)
        try measure(&layout, of: old, sizes)
        let updated = try layout.updated(by: batch)

        var fresh = try CompositionalLayout(section: section).solve(new, in: phone)
        try measure(&fresh, of: new, surviving(sizes, from: old, to: new, batch.difference))
        #expect(updated.itemCounts == fresh.itemCounts, comment)
        #expect(updated.frames == fresh.frames, comment)
        #expect(updated.contentSize == fresh.contentSize, comment)
      }
    }
  }

  /// The sizes that are valid after a change, by identifiers and marks alone.
  private func surviving(
    _ sizes: Sizes, from old: List, to new: List, _ difference: SnapshotDifference
  ) -> Sizes {
    let reloaded = Set(
      difference.sectionReloads.ranges.joined().compactMap(old.sectionIdentifier(at:)))
    let refreshed = Set(
      difference.itemReloads.compactMap(old.itemIdentifier(for:))
        + difference.itemReconfigures.compactMap(new.itemIdentifier(for:)))
    var result = Sizes()
    let reconfigured = Set(
      difference.sectionReconfigures.ranges.joined().compactMap(new.sectionIdentifier(at:)))
    result.headers = sizes.headers.filter {
      new.containsSection($0.key) && !reloaded.contains($0.key) && !reconfigured.contains($0.key)
    }
    result.items = sizes.items.filter { item, _ in
      guard let before = old.sectionIdentifier(containingItem: item),
        let after = new.sectionIdentifier(containingItem: item), new.itemPath(for: item) != nil
      else { return false }
      // The items of sections that come or go come and go with them.
      return new.containsSection(before) && old.containsSection(after)
        && !reloaded.contains(before) && !reloaded.contains(after) && !refreshed.contains(item)
    }
    return result
  }

  private func measure(_ layout: inout SolvedLayout, of snapshot: List, _ sizes: Sizes) throws {
    for (item, height) in sizes.items {
      let path = try #require(snapshot.itemPath(for: item))
      try layout.setMeasuredSize(LayoutExtent(width: 320, height: height), of: path)
    }
    for (section, height) in sizes.headers {
      let index = try #require(snapshot.indexOfSection(section))
      // A header without room for it is not measured.
      guard layout.sizeProposal(for: header(index)) != nil else { continue }
      try layout.setMeasuredSize(LayoutExtent(width: 320, height: height), of: header(index))
    }
  }

  @Test("Sections before the first touched one are not solved again")
  func untouched() throws {
    let calls = Counter()
    let layout = CompositionalLayout(id: "counted") { _, _ in
      calls.count()
      return list()
    }
    var old = List()
    old.appendSections(Array(0..<6))
    for section in 0..<6 {
      try old.appendItems(section * 10..<section * 10 + 3, toSection: section)
    }
    var solved = try layout.solve(old, in: phone)
    try solved.setMeasuredSize(
      LayoutExtent(width: 320, height: 99), of: ItemPath(section: 1, item: 1))

    func solvedSections(_ edit: (inout List) throws -> Void) throws -> (Int, SolvedLayout) {
      var new = old
      try edit(&new)
      let before = calls.value
      let updated = try solved.updated(by: UpdateBatch(from: old, to: new))
      return (calls.value - before, updated)
    }
    #expect(try solvedSections { $0.deleteItems([41]) }.0 == 2)
    #expect(try solvedSections { try $0.insertItems([999], beforeItem: 30) }.0 == 3)
    #expect(try solvedSections { try $0.moveItem(50, beforeItem: 20) }.0 == 4)
    #expect(try solvedSections { try $0.moveSection(5, beforeSection: 3) }.0 == 3)
    #expect(try solvedSections { $0.appendSections([77]) }.0 == 1)
    #expect(try solvedSections { $0.deleteSections([5]) }.0 == 0)
    #expect(try solvedSections { try $0.reloadSections([4]) }.0 == 2)
    #expect(try solvedSections { _ in }.1.frames == solved.frames)
    // What is only refreshed is measured again, and nothing is solved for it.
    for mark: (inout List) throws -> Void in [
      { try $0.reconfigureItems([11]) }, { try $0.reloadItems([11]) },
    ] {
      let (count, updated) = try solvedSections(mark)
      #expect(count == 0)
      #expect(updated.frame(for: ItemPath(section: 1, item: 1))?.height == 44)
    }
  }

  @Test("A batch from scratch, and one that is not for this layout")
  func strangers() throws {
    var generator = SnapshotGenerator<Int, Int>(seed: 1, section: { $0 }, item: { $0 })
    let layout = CompositionalLayout(section: list())
    for seed: UInt64 in 0..<60 {
      generator.random = SplitMix64(seed: seed)
      let (other, old) = (
        generator.snapshot(.anyOf(sections: 5, items: 20)),
        generator.snapshot(.anyOf(sections: 5, items: 20))
      )
      let new = generator.changing(old, by: .mixed)
      let fresh = try layout.solve(new, in: phone)
      let batch = try UpdateBatch(from: old, to: new)
      let updated = try layout.solve(other, in: phone).updated(by: batch)
      #expect(updated.itemCounts == fresh.itemCounts, "seed \(seed)")
      #expect(updated.frames == fresh.frames, "seed \(seed)")
      // What was measured is kept as long as the sections have the items of the state before.
      var measured = try layout.solve(other, in: phone)
      for (section, count) in measured.itemCounts.enumerated() {
        for item in 0..<count {
          try measured.setMeasuredSize(
            LayoutExtent(width: 320, height: 99), of: ItemPath(section: section, item: item))
        }
      }
      var sizes = Sizes()
      for (section, count) in measured.itemCounts.enumerated() {
        guard section < old.numberOfSections else { break }
        let items = old.items(inSectionAt: section)
        guard items.count == count else { break }
        for item in items { sizes.items[item] = 99 }
      }
      var expected = fresh
      try measure(&expected, of: new, surviving(sizes, from: old, to: new, batch.difference))
      #expect(try measured.updated(by: batch).frames == expected.frames, "seed \(seed)")
      var reset = batch
      reset.base = nil
      reset.difference = SnapshotDifference()
      reset.previousSnapshot = nil
      #expect(
        try layout.solve(other, in: phone).updated(by: reset).frames == fresh.frames,
        "seed \(seed)")
    }
  }

  @Test("Paths of items are paths of the layout")
  func paths() throws {
    var snapshot = List()
    snapshot.appendSections([0, 1])
    try snapshot.appendItems(0..<9, toSection: 1)
    var layout = try CompositionalLayout(section: list()).solve(snapshot, in: phone)
    var sizes = MeasuredSizes<Int>()
    sizes.record(LayoutExtent(width: 320, height: 70), for: 4, fixedLength: 320)
    sizes.record(LayoutExtent(width: 320, height: 70), for: 99, fixedLength: 320)
    try sizes.apply(to: &layout, of: snapshot)
    let path = ItemPath(section: 1, item: 4)
    #expect(layout.frame(for: path)?.height == 70)
    #expect(layout.frame(for: path) == layout.frame(for: LayoutPath(section: 1, item: 4)))
    #expect(layout.attributes(for: path)?.element.itemPath == path)
    #expect(layout.sizeProposal(for: path)?.fixedLength == 320)
    #expect(layout.frame(for: ItemPath(section: 1, item: 9)) == nil)
    #expect(header(1).itemPath == nil)
  }
}
