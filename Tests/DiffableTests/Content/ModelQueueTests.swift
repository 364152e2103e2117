import Diffable
import ListSupport
import TestScope
import Testing

/// Lists of models that are handed over without waiting.
@Suite(.deadline) struct ModelQueueTests {
  private static let notes = [Note(id: 1), Note(id: 2, folder: Folder(1)), Note(id: 3)]

  @Test func `The newest list wins, and every other write comes after it`() async throws {
    let source = Notes()
    let tickets = try await source.update { draft in
      draft.snapshot.appendSections([Folder(0)])
      return (1...3).map { count in
        source.enqueue(Array(Self.notes.prefix(count)), section: \.folder)
      }
    }.value
    #expect(await tickets[0].outcome == .superseded)
    #expect(await tickets[1].outcome == .superseded)
    #expect(await tickets[2].outcome == .applied(Revision(2)))
    #expect(await source.snapshot.itemIdentifiers == [1, 3, 2])
    let ticket = source.enqueue([Note(id: 1, text: 5)], section: \.folder)
    try await source.update { $0.snapshot.deleteSections([Folder(1)]) }
    #expect(await ticket.outcome == .applied(Revision(3)))
    #expect(await source.model(for: 1)?.text == 5)
    #expect(source.metrics.superseded == 2)
    let refused = await source.enqueue([Self.notes[0], Self.notes[0]], section: \.folder).outcome
    guard case .rejected(.invalidSnapshot(.duplicateItems)) = refused else {
      Issue.record("\(refused)")
      return
    }
    await source.finish()
    #expect(await source.enqueue([], section: \.folder).outcome == .rejected(.finished))
  }

  @Test func `A source follows a sequence of model arrays to its end`() async throws {
    let source = Notes()
    let (lists, input) = AsyncThrowingStream.makeStream(of: [Note].self)
    for count in 1...3 { input.yield(Array(Self.notes.prefix(count))) }
    input.finish(throwing: CancellationError())
    await #expect(throws: CancellationError.self) {
      try await source.follow(lists, section: \.folder)
    }
    #expect(await source.revision == Revision(3))
    #expect(await source.model(for: 3) == Self.notes[2])
  }
}
