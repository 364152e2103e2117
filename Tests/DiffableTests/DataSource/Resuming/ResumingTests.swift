import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite("Resuming, in the same life of a source and in another", .deadline)
struct ResumingTests {
  @Test("After a restart a subscriber of models starts from scratch, at a revision 22 again")
  func restartOfModels() async throws {
    func notes(from number: Int) async throws -> Notes {
      let source = Notes()
      for last in 1...22 {
        try await source.apply((number..<number + last).map { Note(id: $0) }, section: \.folder)
      }
      return source
    }
    let (before, after) = (try await notes(from: 0), try await notes(from: 100))
    var batches = before.updates().makeAsyncIterator()
    let stored = try #require(await batches.next()).token
    try await after.setModel(Note(id: 100, title: 1))
    var keeper = Keeper()
    var resumed = after.updates(after: stored).makeAsyncIterator()
    let batch = try #require(await resumed.next())
    #expect(batch.update.base == nil && keeper.take(batch))
    #expect(keeper.models.count == 22 && keeper.models[100]?.title == 1)
    resumed = after.updates(after: batch.token).makeAsyncIterator()
    try await after.setModel(Note(id: 101, title: 2))
    let next = try #require(await resumed.next())
    #expect(next.update.baseToken == batch.token && keeper.take(next))
    #expect(next.models == [101: Note(id: 101, title: 2)])
  }

  @Test("Without a revision to resume after there is a reset, never an error and never a wait")
  func resets() async throws {
    let source = Source(options: SourceOptions(history: 2))
    for last in 1...6 { try await source.apply(.list(0..<last)) }
    let (live, lost) = (source.token(for: Revision(6)), source.token(for: Revision(3)))
    let other = try Source(.list([9]))
    let tokens = [
      lost, source.token(for: .empty), source.token(for: Revision(7)),
      source.token(for: Revision(.max)), source.token(for: Revision(-1)),
      source.token(for: Revision(.min)), other.token(for: Revision(6)), ResumeToken(""),
      ResumeToken("6"), ResumeToken("r6"), ResumeToken(source.epoch.description),
    ]
    for token in tokens {
      #expect(source.revision(for: token) == nil)
      for policy in [UpdatePolicy.coalesced, .every(limit: 4), .coalesced(throttle: .seconds(9))] {
        var batches = source.updates(policy, after: token).makeAsyncIterator()
        let batch = try #require(await batches.next())
        #expect(batch.base == nil && batch.token == live)
      }
    }
    // The live state is known: the subscriber waits for the next one.
    var batches = source.updates(after: live).makeAsyncIterator()
    try await source.update { $0.deleteItems([0]) }
    #expect(await batches.next()?.baseToken == live)
  }

  @Test("A writer that comes back with a token merges, or learns that the base is gone")
  func writers() async throws {
    let source = try Source(.list([1, 2]))
    let token = source.token(for: await source.revision)
    try await source.update { try $0.appendItems([3]) }
    let base = try #require(source.revision(for: ResumeToken(token.description)))
    try await source.merge(.list([0, 1, 2]), basedOn: base)
    #expect(await source.snapshot.itemIdentifiers == [0, 1, 2, 3])
    let restarted = try Source(.list([7, 8]))
    #expect(restarted.revision(for: token) == nil)
  }
}
