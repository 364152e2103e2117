import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("A joined list is the first, with what each row names in the second", .deadline)
struct JoinTests {
  /// What a note of the first list shows, given the note that it names.
  private static func join(_ note: Note, _ found: Note?) -> Note {
    var joined = note
    joined.text = note.text + 10 * (found.map { $0.text + 1 } ?? 0)
    return joined
  }

  private static func name(in note: Note) -> Int? { note.title > 0 ? 3 * note.title : nil }

  @Test("Only rows that name what has changed are made again")
  func updates() async throws {
    let (base, other) = (Notes(), Notes())
    try await base.apply((0..<300).map { Note(id: $0, title: $0 % 3) }, section: \.folder)
    try await other.apply((0..<9).map { Note(id: $0) }, section: \.folder)
    let counts = CallCounter()
    let joined = base.joined(with: other, by: { Self.name(in: $0) }) { note, found in
      counts.count()
      return Self.join(note, found)
    }
    var batches = joined.updates().makeAsyncIterator()
    _ = await batches.next()
    #expect(counts.value == 300)
    // Two rows by another name for what they look up: one in the table, and nobody's.
    try await base.setModels([Note(id: 7, title: 0), Note(id: 11, title: 1)])
    _ = await batches.next()
    #expect(counts.value == 302)
    try await other.setModel(Note(id: 8, text: 1))
    try await other.setModel(Note(id: 3, text: 1))
    let batch = try #require(await batches.next())
    #expect(batch.models.count == 100)
    #expect(batch.models.values.allSatisfy { $0.title == 1 && $0.text == 20 })
    #expect(counts.value == 402)
    // Rows that only move, some of which have just been made again, are not made anew.
    try await base.updateOrder { snapshot in
      for item in 3..<9 { try snapshot.moveItem(item, beforeItem: 30 * item) }
    }
    #expect(await batches.next()?.difference.itemMoves.isEmpty == false)
    #expect(counts.value == 402)
  }
}
