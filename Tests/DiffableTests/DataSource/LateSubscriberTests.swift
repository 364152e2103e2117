import Diffable
import DiffableTesting
import TestScope
import Testing

/// A subscriber that takes each revision against one that takes all of them together.
@Suite("Who comes late shows anew what others have shown anew", .deadline)
struct LateSubscriberTests {
  private typealias List = Snapshot<Int, Int>
  private typealias Source = DataSourceActor<Int, Int>

  /// Changes lists at random; no identifier is used twice.
  private struct Writer {
    var random: SplitMix64
    var last = 100
    /// The rows that are to be reconfigured in the newest list.
    var reconfigured: Set<Int> = []

    mutating func start() throws -> List {
      var list = List()
      list.appendSections([0, 1, 2])
      try list.appendItems([10, 11, 12, 13], toSection: 0)
      try list.appendItems([20, 21, 22], toSection: 1)
      var outline = try Outline([30, 31])
      try outline.append([32, 33], to: 30)
      outline.expand([30])
      try list.setOutline(outline, forSection: 2)
      return list
    }

    mutating func fresh() -> Int {
      last += 1
      return last
    }

    mutating func edit(_ list: inout List) throws {
      let row = random.element(of: list.itemIdentifiers) ?? 0
      let other = random.element(of: list.itemIdentifiers) ?? 0
      let section = random.element(of: list.sectionIdentifiers) ?? 0
      let place = random.element(of: list.sectionIdentifiers) ?? 0
      switch random.number(below: 12) {
      case 0, 1: try list.moveItem(row, beforeItem: other)
      case 2, 3: try list.moveItem(row, toSection: section)
      case 4: try list.insertItems([fresh()], afterItem: row)
      case 5: list.deleteItems([row])
      case 6, 7: try list.renameItem(row, to: fresh())
      case 8: try list.moveSection(section, beforeSection: place)
      case 9: try list.insertSections([fresh()], beforeSection: section)
      case 10: if random.chance(oneIn: 3) { list.deleteSections([section]) }
      default:
        list.expandItems([row])
        list.collapseItems([other])
      }
    }

    /// Another list than an earlier one, with marks.
    mutating func next(after list: List) throws -> List {
      var list = list
      // What is not possible changes nothing.
      for _ in 0..<random.number(below: 4) { try? edit(&list) }
      let rows = list.itemIdentifiers
      try list.reloadItems(random.sample(rows, oneIn: 12))
      try list.reconfigureItems(random.sample(rows, oneIn: 12))
      try list.reloadSections(random.sample(list.sectionIdentifiers, oneIn: 6))
      reconfigured = Set(list.reconfiguredItemIdentifiers)
      return list
    }
  }

  /// A row of the first list that has never been away.
  private struct Row {
    var path: ItemPath
    var isReloaded = false
    var isReconfigured = false
    /// The sections that were reloaded while it was there.
    var reloadedSections: Set<Int> = []

    /// Follows one batch; `false` if it goes.
    mutating func take(_ batch: UpdateBatch<Int, Int>, _ map: PositionMap, _ marked: Set<Int>)
      -> Bool
    {
      guard let new = map.newPath(forOld: path), let section = map.oldSection(forNew: new.section),
        let item = batch.snapshot.itemIdentifier(for: new)
      else { return false }
      if batch.difference.itemReloads.contains(path) { isReloaded = true }
      if batch.difference.sectionReloads.contains(section),
        let name = batch.snapshot.sectionIdentifier(at: new.section)
      {
        reloadedSections.insert(name)
      }
      if marked.contains(item) { isReconfigured = true }
      path = new
      return true
    }
  }

  @Test func `A row comes back from a reloaded section that is gone then`() async throws {
    var list = List()
    list.appendSections([0, 1])
    try list.appendItems([1], toSection: 0)
    try list.appendItems([2], toSection: 1)
    let source = try Source(list)
    var late = source.updates().makeAsyncIterator()
    _ = await late.next()
    try await source.update { try $0.moveItem(1, toSection: 1) }
    try await source.update { try $0.reloadSections([1]) }
    try await source.update { try $0.moveItem(1, toSection: 0) }
    try await source.update { $0.deleteSections([1]) }
    let batch = try #require(await late.next())
    #expect(batch.difference.itemReloads.contains(ItemPath(section: 0, item: 0)))
  }

  @Test(arguments: 0..<UInt64(rounds(160, least: 12)))
  func `Row by row`(seed: UInt64) async throws {
    for round in 0..<UInt64(6) {
      var writer = Writer(random: SplitMix64(seed: seed * 100 + round))
      let source = try Source(writer.start())
      var early = source.updates(.every(limit: 100)).makeAsyncIterator()
      var late = source.updates().makeAsyncIterator()
      _ = await late.next()
      var rows: [ItemPath: Row] = [:]
      let base = try #require(await early.next()).snapshot
      for item in base.itemIdentifiers {
        guard let path = base.itemPath(for: item) else { continue }
        rows[path] = Row(path: path)
      }
      for _ in 0..<6 {
        let before = await source.revision
        try await source.apply(writer.next(after: await source.snapshot))
        guard await source.revision != before else { continue }
        let batch = try #require(await early.next())
        let map = PositionMap(batch.difference)
        for (start, row) in rows {
          var row = row
          rows[start] = row.take(batch, map, writer.reconfigured) ? row : nil
        }
      }
      guard await source.revision > Revision(1) else { continue }
      let batch = try #require(await late.next())
      let (difference, map) = (batch.difference, PositionMap(batch.difference))
      #expect(await source.difference(from: Revision(1), to: batch.target) == difference)
      for (start, row) in rows {
        // A row that has changed its section for one that is new counts as another one.
        guard let path = map.newPath(forOld: start),
          let section = map.oldSection(forNew: path.section)
        else { continue }
        let comment: Comment = "seed \(seed), round \(round), \(start): \(row), \(base) \(batch)"
        #expect(path == row.path, comment)
        let old = try #require(base.itemIdentifier(for: start))
        let new = try #require(batch.snapshot.itemIdentifier(for: path))
        #expect(difference.itemRenames.contains(path) == (old != new), comment)
        #expect(
          batch.renamedRows.contains(ItemRename(old: old, new: new)) == (old != new), comment)
        let isReloaded =
          difference.itemReloads.contains(start) || difference.sectionReloads.contains(section)
        let hasCause = row.isReloaded || !row.reloadedSections.isEmpty
        #expect(isReloaded || !hasCause, comment)
        #expect(
          isReloaded || difference.itemReconfigures.contains(path) || !row.isReconfigured, comment)
        #expect(hasCause || !difference.itemReloads.contains(start), comment)
      }
    }
  }
}
