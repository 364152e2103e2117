import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("The first rows of each section, and how many there are more", .deadline)
struct AbridgedTests {
  typealias Row = AbridgedRow<Folder, Note>

  static func naive(_ notes: PlainRows<Note>, _ count: Int) -> PlainRows<Row> {
    PlainRows(
      sections: notes.sections.map { section, notes in
        let more = notes.count - count
        return (
          section, notes.prefix(count).map { .row($0) } + (more > 0 ? [.more(section, more)] : [])
        )
      })
  }

  @Test("However rows and sections come, go and move", arguments: 1...rounds(60 as UInt64))
  func law(seed: UInt64) async throws {
    var lists = try await NamingLists(seed: seed, size: seed % 10 == 0 ? 300 : 3 + Int(seed % 9))
    let count = Int(seed % 4)
    let abridged = lists.left.abridged(to: count, options: .strict)
    let sorted = lists.left.derived { $0.sectionsSorted(by: .count, reverse: true) }
    let both = sorted.abridged(to: count, options: .strict)
    var (follower, other) = (RowFollower(abridged), RowFollower(both))
    for step in 0..<30 {
      let expected = Self.naive(PlainRows(await lists.left.snapshot), count)
      let inOrder = Self.naive(PlainRows(await sorted.snapshot), count)
      let (shown, shownInOrder) = (try await follower.rows(), try await other.rows())
      #expect(shown == expected, "seed \(seed), step \(step)")
      #expect(shownInOrder == inOrder, "seed \(seed), step \(step)")
      try await lists.edit()
      if step % 3 == 0 { try await lists.edit() }
    }
  }

  @Test func `The last row stays while its number changes`() async throws {
    let notes = try await Notes.of((0..<5).map { Note(id: $0) })
    let abridged = notes.abridged(to: 2, options: .strict)
    var batches = abridged.updates().makeAsyncIterator()
    #expect(await batches.next()?.models[.more(0)] == .more(0, 3))
    try await notes.update { $0.deleteItems([4]) }
    let changed = try #require(await batches.next())
    #expect(changed.models == [.more(0): .more(0, 2)])
    #expect(!changed.difference.isStructural)
    // A row that is not shown.
    let revision = await abridged.revision
    try await notes.setModel(Note(id: 3, text: 1))
    #expect(await abridged.revision == revision)
    try await notes.update { draft in
      try draft.renameItem(0, to: Note(id: 10))
      try draft.snapshot.reloadItems([1, 3])
    }
    let renamed = try #require(await batches.next())
    #expect(renamed.update.renamedItems.map(\.new) == [.row(10)])
    #expect(renamed.difference.itemReloads == [ItemPath(section: 0, item: 1)])
    try await notes.update { $0.deleteItems([2, 3]) }
    #expect(await batches.next()?.snapshot.itemIdentifiers == [.row(10), .row(1)])
    var drag = try #require(try await abridged.beginReorder([.row(1)]))
    _ = try drag.proposed(to: .end(of: 0))
    #expect(drag.refusal == .readOnly)
  }
}
