import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("The first rows of each section, and how many more; one element, several rows", .deadline)
struct AbridgedTests {
  typealias Row = AbridgedRow<Folder, Note>

  struct Take: Identifiable, Equatable, Sendable {
    let id: Int
    var length = 0
  }

  static let takes: @Sendable (Note) -> [Take] = { note in
    (0..<note.text).map { Take(id: (note.title + $0 * $0) % 3, length: note.title) }
  }

  private static func abridged(_ notes: PlainRows<Note>, _ count: Int) -> PlainRows<Row> {
    PlainRows(
      sections: notes.sections.map { section, notes in
        let more = notes.count - count
        return (
          section, notes.prefix(count).map { .row($0) } + (more > 0 ? [.more(section, more)] : [])
        )
      })
  }

  private static func parts(of notes: PlainRows<Note>) -> PlainRows<PartRow<Int, Take>> {
    PlainRows(
      sections: notes.sections.map { section, notes in
        let parts = notes.flatMap { note in
          var known: Set<Int> = []
          return takes(note).filter { known.insert($0.id).inserted }
            .map { PartRow($0, of: note.id) }
        }
        return (section, parts)
      })
  }

  @Test("However rows and sections change, come, go and move", arguments: 1...rounds(60 as UInt64))
  func law(seed: UInt64) async throws {
    var lists = try await NamingLists(seed: seed, size: seed % 10 == 0 ? 300 : 3 + Int(seed % 9))
    let count = Int(seed % 4)
    let sorted = lists.left.derived { $0.sectionsSorted(by: .count, reverse: true) }
    var first = RowFollower(lists.left.abridged(to: count, options: .strict))
    var firstInOrder = RowFollower(sorted.abridged(to: count, options: .strict))
    var parts = RowFollower(lists.left.flatMapped(options: .strict, Self.takes))
    for step in 0..<30 {
      let (list, inOrder) = (
        PlainRows<Note>(await lists.left.snapshot), PlainRows<Note>(await sorted.snapshot)
      )
      let comment: Comment = "seed \(seed), step \(step)"
      #expect(try await first.rows() == Self.abridged(list, count), comment)
      #expect(try await firstInOrder.rows() == Self.abridged(inOrder, count), comment)
      #expect(try await parts.rows() == Self.parts(of: list), comment)
      try await lists.edit()
      if step % 3 == 0 { try await lists.edit() }
    }
  }

  @Test func `The last row stays while its number changes`() async throws {
    let notes = try await Notes.of((0..<5).map { Note(id: $0) })
    for (count, rows) in [(Int.min, 1), (-1, 1), (Int.max, 5)] {
      #expect(await notes.abridged(to: count).snapshot.numberOfItems == rows)
    }
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
    try await notes.update { $0.deleteItems([2, 3]) }
    #expect(await batches.next()?.snapshot.itemIdentifiers == [.row(0), .row(1)])
    var drag = try #require(try await abridged.beginReorder([.row(1)]))
    _ = try drag.proposed(to: .end(of: 0))
    #expect(drag.refusal == .readOnly)
  }

  @Test func `A part stays when its element changes or moves`() async throws {
    let notes = try await Notes.of([Note(id: 1, title: 1, text: 2), Note(id: 2, title: 0, text: 1)])
    let parts = notes.flatMapped(options: .strict, Self.takes)
    var batches = parts.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.description == "0[1/1 1/2 2/0]")
    try await notes.update { try $0.update(1) { $0.text = 1 } }
    #expect(await batches.next()?.difference.description == "-0:1")
    try await notes.updateOrder { try $0.moveItem(2, beforeItem: 1) }
    #expect(await batches.next()?.difference.itemMoves.count == 1)
    try await notes.setSectionModel("title", for: 0)
    #expect(await parts.snapshot.sectionModel(of: 0) == "title")
    var drag = try #require(try await parts.beginReorder([PartID(whole: 2, part: 0)]))
    _ = try drag.proposed(to: .end(of: 0))
    #expect(drag.refusal == .readOnly)
  }
}
