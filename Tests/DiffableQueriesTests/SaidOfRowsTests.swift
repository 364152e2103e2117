import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

/// What a batch says of rows that stay, in words, since lists have identifiers of any types.
private struct SaidOfRows: Equatable {
  var renamed: [String] = []
  var reloaded: Set<String> = []
  var reconfigured: Set<String> = []
  /// The sections whose headers have to be configured again.
  var headers: Set<String> = []
  var isStructural = false

  init() {}

  init<SectionID, ItemID>(_ batch: UpdateBatch<SectionID, ItemID>) {
    let (difference, map, new) = (batch.difference, PositionMap(batch.difference), batch.snapshot)
    func words(_ items: some Sequence<ItemID>) -> [String] { items.map { "\($0)" } }
    renamed = batch.renamedRows.map { "\($0.old) → \($0.new)" }
    let paths = Array(map.newPaths(forOld: difference.itemReloads))
    reloaded = Set(words(paths.compactMap { new.itemIdentifier(for: $0) }))
    for section in map.newSections(forOld: difference.sectionReloads).ranges.joined() {
      reloaded.formUnion(words(new.itemIdentifiers(inSection: new.section(at: section))))
    }
    reconfigured = Set(
      words(difference.itemReconfigures.compactMap { new.itemIdentifier(for: $0) }))
    headers = Set(difference.sectionReconfigures.ranges.joined().map { "\(new.section(at: $0))" })
    isStructural = difference.isStructural
  }
}

/// A list that is made of one or two others, and its next batch.
private final class MadeList {
  let name: String
  /// The rows that show a row of the first list, and of the second.
  let rows: [(Int) -> [String]]
  private let read: (isolated (any Actor)?) async -> SaidOfRows

  init<Source: ListSource>(
    _ name: String, _ source: Source, _ first: @escaping (Int) -> [String],
    _ second: @escaping (Int) -> [String] = { _ in [] }
  ) {
    (self.name, rows) = (name, [first, second])
    var batches = source.updates().makeAsyncIterator()
    var shown: Revision?
    read = { actor in
      // What no row shows makes no batch.
      guard await source.current.revision != shown, let batch = await batches.next(isolation: actor)
      else { return SaidOfRows() }
      shown = batch.update.target
      return SaidOfRows(batch.update)
    }
  }

  func next(isolation actor: isolated (any Actor)? = #isolation) async -> SaidOfRows {
    await read(actor)
  }
}

@Suite("What is said of a row is said of all rows that are made of it", .deadline)
struct SaidOfRowsTests {
  private let left = Notes()
  private let right = Notes()
  private let others = Notes()

  /// Rows 1 to 3, of which the second list has none, and rows 10 to 12, of which the first two name row 1.
  private func makeLists() async throws -> [MadeList] {
    try await left.apply((1...3).map { Note(id: $0, text: $0) }, section: \.folder)
    try await right.apply(
      [(10, 1), (11, 1), (12, 9)].map { Note(id: $0, folder: 1, title: $1) }, section: \.folder)
    try await others.apply([2, 20, 30].map { Note(id: $0, folder: 2) }, section: \.folder)
    let own: (Int) -> [String] = { ["\($0)"] }
    // The rows of row 1 are shown by those that name it.
    let partners: (Int) -> [String] = { $0 == 1 ? ["right(10)", "right(11)"] : ["left(\($0))"] }
    let named: (Int) -> [String] = { $0 == 12 ? [] : ["right(\($0))"] }
    return [
      MadeList("filter", left.derived { $0.filter { $0.id != 3 } }, { $0 == 3 ? [] : ["\($0)"] }),
      MadeList("sort", left.derived { $0.sorted(by: \.text, reverse: true) }, own),
      MadeList("group", left.derived { $0.grouped(by: { Folder($0.text % 2) }, order: >) }, own),
      MadeList("map", left.derived { $0.map { Note(id: $0.id, text: $0.text + 1) } }, own),
      MadeList("search", left.derived { $0.searched(for: "", in: { "\($0.text)" }) }, own),
      MadeList("tree", left.derived { $0.outlined { _ in nil } }, own),
      MadeList(
        "found in a tree", left.derived { $0.outlined { _ in nil }.searched { $0.id > 0 } }, own),
      MadeList(
        "totals", left.derived { $0.outlined { _ in nil }.countingDescendants { note, _ in note } },
        own),
      MadeList("window", left.derived { $0.window(0..<9) }, own),
      MadeList("sections in an order", left.derived { $0.sectionsSorted(by: .count) }, own),
      MadeList("derived twice", left.derived { $0 }.derived { $0.distinct(by: \.text) }, own),
      MadeList("merged", left.merged(with: right), own, own),
      MadeList("merged as the second", right.merged(with: left), own, own),
      MadeList("subtracting", left.subtracting(right), own),
      MadeList(
        "intersection", left.intersection(others), { [2, 20].contains($0) ? ["\($0)"] : [] }),
      MadeList("joined", left.joined(with: right, by: { _ in 10 }) { note, _ in note }, own),
      MadeList(
        "joined with many", left.joined(withMany: right, by: \.title) { note, _ in note }, own),
      MadeList("joined with each", left.joined(withEachOf: right, by: \.title), partners, named),
      MadeList(
        "joined with all", left.joined(withEachOf: right, by: \.title, .full(unmatchedIn: 7)),
        partners, { ["right(\($0))"] }),
      MadeList(
        "outlined with each", left.outlined(withEachOf: right, by: \.title), { ["left(\($0))"] },
        named),
      MadeList(
        "parts", left.flatMapped { note in (0..<2).map { Note(id: $0, text: note.text) } },
        { ["\($0)/0", "\($0)/1"] }),
      MadeList("abridged", left.abridged(to: 2), { $0 == 3 ? [] : ["row(\($0))"] }),
    ]
  }

  /// Expects that each list says something, and nothing else.
  private func expect(
    _ lists: [MadeList], says: (MadeList) -> SaidOfRows, _ write: Comment
  ) async {
    for list in lists {
      let (said, expected) = (await list.next(), says(list))
      #expect(said == expected, "\(write) in \(list.name)")
    }
  }

  @Test("It is reloaded, or has to be configured again", arguments: [0, 1])
  func marks(number: Int) async throws {
    let lists = try await makeLists()
    for list in lists { _ = await list.next() }
    let (source, rows) = (number == 0 ? left : right, number == 0 ? [1, 2, 3] : [10, 11, 12])
    for row in rows {
      try await source.updateOrder { try $0.reloadItems([row]) }
      await expect(
        lists,
        says: {
          var said = SaidOfRows()
          said.reloaded = Set($0.rows[number](row))
          return said
        }, "a reload of \(row)")
      try await source.updateOrder { try $0.reconfigureItems([row]) }
      await expect(
        lists,
        says: {
          var said = SaidOfRows()
          said.reconfigured = Set($0.rows[number](row))
          return said
        }, "a mark of \(row)")
    }
    try await source.updateOrder { try $0.reloadSections([Folder(number)]) }
    for list in lists {
      let reloaded = await list.next().reloaded
      #expect(reloaded.isSuperset(of: rows.flatMap(list.rows[number])), "a section, \(list.name)")
    }
    let merged = ["merged", "merged as the second"]
    try await source.updateOrder { try $0.reconfigureSections([Folder(number)]) }
    for list in lists {
      let isShown = number == 0 ? list.name != "group" : merged.contains(list.name)
      let headers = await list.next().headers
      #expect(headers == (isShown ? ["\(Folder(number))"] : []), "a header, \(list.name)")
    }
  }

  @Test(
    "It gets another identifier, and perhaps is moved at once", arguments: [0, 1], [false, true])
  func renames(number: Int, isMoved: Bool) async throws {
    let lists = try await makeLists()
    for list in lists { _ = await list.next() }
    let (source, old, anchor) = number == 0 ? (left, 2, 1) : (right, 11, 10)
    let new = 10 * old
    try await source.update { draft in
      let note = try #require(draft.model(for: old))
      try draft.renameItem(
        old, to: Note(id: new, folder: note.folder, title: note.title, text: note.text))
      if isMoved { try draft.moveItem(new, beforeItem: anchor) }
    }
    for list in lists {
      let said = await list.next()
      let expected = zip(list.rows[number](old), list.rows[number](new)).map { "\($0) → \($1)" }
      #expect(said.renamed.sorted() == expected, "\(list.name)")
      if !isMoved { #expect(!said.isStructural, "\(list.name)") }
    }
  }
}
