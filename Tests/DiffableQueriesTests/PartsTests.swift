import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("One element, several rows", .deadline) struct PartsTests {
  struct Take: Identifiable, Equatable, Sendable {
    let id: Int
    var length = 0
  }

  static let takes: @Sendable (Note) -> [Take] = { note in
    (0..<note.text).map { Take(id: (note.title + $0 * $0) % 3, length: note.title) }
  }

  static func naive(_ notes: PlainRows<Note>) -> PlainRows<PartRow<Int, Take>> {
    PlainRows(
      sections: notes.sections.map { section, notes in
        (
          section,
          notes.flatMap { note in
            var known: Set<Int> = []
            return takes(note).filter { known.insert($0.id).inserted }
              .map { PartRow($0, of: note.id) }
          }
        )
      })
  }

  @Test("Rows follow their elements, however these change", arguments: 1...rounds(60 as UInt64))
  func law(seed: UInt64) async throws {
    var lists = try await NamingLists(seed: seed, size: seed % 10 == 0 ? 300 : 3 + Int(seed % 9))
    let parts = lists.left.flatMapped(options: .strict, Self.takes)
    var follower = RowFollower(parts)
    for step in 0..<30 {
      let expected = Self.naive(PlainRows(await lists.left.snapshot))
      let shown = try await follower.rows()
      #expect(shown == expected, "seed \(seed), step \(step)")
      try await lists.edit()
      if step % 3 == 0 { try await lists.edit() }
    }
  }

  @Test func `A row stays when its element changes, is renamed and marked`() async throws {
    let notes = try await Notes.of([Note(id: 1, title: 1, text: 2), Note(id: 2, title: 0, text: 1)])
    let parts = notes.flatMapped(options: .strict, Self.takes)
    var batches = parts.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.description == "0[1/1 1/2 2/0]")
    try await notes.update { try $0.update(1) { $0.text = 1 } }
    #expect(await batches.next()?.difference.description == "-0:1")
    try await notes.update { try $0.renameItem(1, to: Note(id: 3, title: 1, text: 1)) }
    let renamed = try #require(await batches.next())
    #expect(renamed.snapshot.description == "0[3/1 2/0]")
    #expect(!renamed.difference.isStructural && !renamed.difference.itemRenames.isEmpty)
    try await notes.updateOrder { try $0.reloadItems([2]) }
    #expect(await batches.next()?.difference.itemReloads.count == 1)
    try await notes.updateOrder { try $0.moveItem(2, beforeItem: 3) }
    #expect(await batches.next()?.difference.itemMoves.count == 1)
    try await notes.setSectionModel("title", for: 0)
    #expect(await parts.snapshot.sectionModel(of: 0) == "title")
    var drag = try #require(try await parts.beginReorder([PartID(whole: 2, part: 0)]))
    _ = try drag.proposed(to: .end(of: 0))
    #expect(drag.refusal == .readOnly)
  }
}
