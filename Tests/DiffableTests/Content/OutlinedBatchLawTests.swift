import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// Models, and rows that go from outlines to lists, to other outlines and back, with sections that go.
@Suite("A batch draws anew exactly what shows something else", .deadline)
struct OutlinedBatchLawTests {
  private struct Writer {
    var random: SplitMix64
    var last = 100

    mutating func fresh() -> Int {
      last += 1
      return last
    }

    /// A tree of some rows, in any order.
    mutating func outline(of rows: [Int]) throws -> Outline<Int> {
      var outline = try random.outline(of: random.shuffled(rows))
      outline.setChildrenUnloaded(of: random.sample(rows, oneIn: 6))
      return outline
    }

    /// Makes a change; one that is not possible changes nothing.
    mutating func edit(_ draft: inout ModelDraft<Folder, Note>) throws {
      let list = draft.snapshot
      let sections = list.sectionIdentifiers
      guard let section = random.element(of: sections), let place = random.element(of: sections)
      else { return draft.appendSections([Folder(fresh())]) }
      let rows = list.allItems
      let own = list.rows(of: section)
      let (row, other) = (random.element(of: rows) ?? 0, random.element(of: rows) ?? 0)
      switch random.number(below: 14) {
      case 0, 1:
        guard list.containsItem(row) else { return }
        try draft.update(row) { $0.text += 1 }
      case 2: try draft.snapshot.moveItem(row, beforeItem: other)
      case 3: try draft.snapshot.moveItem(row, afterItem: other)
      case 4: try draft.snapshot.moveItem(row, intoItem: other)
      case 5: try draft.snapshot.moveItem(row, toSection: section)
      case 6: try draft.appendItems([Note(id: fresh())], toSection: section)
      case 7: draft.deleteItems([row])
      case 8: try draft.snapshot.setOutline(outline(of: own), forSection: section)
      case 9: try draft.snapshot.removeOutline(ofSection: section)
      case 10: draft.snapshot.expandItems([row, other])
      case 11: draft.snapshot.collapseItems([row])
      case 12: try draft.snapshot.moveSection(section, beforeSection: place)
      default:
        try draft.snapshot.insertSections([Folder(fresh())], beforeSection: place)
        if random.chance(oneIn: 2) { draft.snapshot.deleteSections([section]) }
      }
    }
  }

  private static func expectExact(_ batch: ModelBatch<Folder, Note>, _ comment: Comment) throws {
    let (old, new) = (try #require(batch.previousSnapshot), batch.snapshot)
    func stays(_ item: Int, in list: Snapshot<Folder, Int>) -> Bool {
      let section = list.sectionIdentifier(containingItem: item)
      let isThere = section.map { old.containsSection($0) && new.containsSection($0) } ?? false
      return isThere && list.itemPath(for: item) != nil
    }
    let drawn = new.itemIdentifiers.filter { item in
      guard stays(item, in: old), stays(item, in: new) else { return false }
      let signs = [old, new].map { $0.disclosure(of: item) ?? Disclosure() }
      return signs[0] != signs[1] || batch.previousModel(for: item) != batch.model(for: item)
    }
    let found = batch.difference.itemReconfigures.compactMap(new.itemIdentifier(for:))
    #expect(Set(found) == Set(drawn), comment)
    #expect(batch.difference.itemReloads.isEmpty, comment)
    let gone = Set(old.allItems).subtracting(new.allItems)
    #expect(batch.removedItems.sorted() == gone.sorted(), comment)
    let replayed = try old.applying(batch.difference, insertsFrom: new)
    #expect(replayed == new, comment)
  }

  @Test(arguments: 0..<UInt64(rounds(128, least: 8)))
  func `Of one change, or of several`(seed: UInt64) async throws {
    var writer = Writer(random: SplitMix64(seed: seed))
    let source = Notes()
    let first = (0..<9).map { Note(id: $0, folder: Folder($0 / 3)) }
    try await source.apply(first, section: \.folder)
    var batches = source.updates().makeAsyncIterator()
    var shown = try #require(await batches.next()).target
    for step in 0..<40 {
      var next = writer
      let edited = try? await source.update { [next] draft in
        var writer = next
        try writer.edit(&draft)
        return writer
      }
      if let edited { next = edited.value } else { _ = next.random.next() }
      writer = next
      guard writer.random.chance(oneIn: 2), await source.revision != shown else { continue }
      let batch = try #require(await batches.next())
      shown = batch.target
      try Self.expectExact(batch, "seed \(seed), step \(step): \(batch)")
    }
  }
}
