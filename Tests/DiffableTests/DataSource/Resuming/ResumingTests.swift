import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite("Resuming, in the same life of a source and in another", .deadline)
struct ResumingTests {
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
