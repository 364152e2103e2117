import Diffable
import ListSupport
import TestScope
import Testing

/// Waiting until subscribers have been handed a revision.
@Suite(.deadline) struct SettledTests {
  private let source: Source

  init() throws {
    source = try Source(.list([1]))
  }

  @Test func `Without subscribers there is nothing to wait for`() async throws {
    try await ended { [source] in await source.delivered(Revision(1)) }
    try await ended { [source] in await source.delivered(Revision(9)) }
  }

  @Test func `A subscriber that has asked for nothing yet keeps nobody waiting`() async throws {
    let fresh = source.updates()
    let resuming = source.updates(after: source.token(for: Revision(1)))
    let revision = try await source.apply(.list([2])).revision
    try await ended { [source] in await source.delivered(revision) }
    withExtendedLifetime((fresh, resuming)) {}
  }

  @Test func `It ends when the last subscriber has taken the revision`() async throws {
    var first = source.updates().makeAsyncIterator()
    var second = source.updates().makeAsyncIterator()
    _ = await first.next()
    _ = await second.next()
    let revision = try await source.apply(.list([2])).revision
    let settled = Task.detached { [source] in await source.delivered(revision) }
    try await wait { source.population.settling == 1 }
    _ = await first.next()
    #expect(source.population.settling == 1)
    _ = await second.next()
    try await ended { await settled.value }
  }

  @Test func `It waits for a revision that is still to come`() async throws {
    let reader = Task { [source] in
      for await batch in source.updates() where batch.target == Revision(2) { return }
    }
    try await wait { source.population.waiting == 1 }
    let settled = Task { [source] in await source.delivered(Revision(2)) }
    try await wait { source.population.settling == 1 }
    try await source.apply(.list([2]))
    try await ended { await settled.value }
    await reader.value
  }

  @Test func `A subscriber that goes away is not waited for`() async throws {
    let reader = Task { [source] in
      for await _ in source.updates() {}
    }
    try await wait { source.population.waiting == 1 }
    let settled = Task { [source] in await source.delivered(Revision(2)) }
    try await wait { source.population.settling == 1 }
    reader.cancel()
    try await ended { await settled.value }
  }

  @Test func `It ends when its task is cancelled`() async throws {
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    let revision = try await source.apply(.list([2])).revision
    let settled = Task { [source] in await source.delivered(revision) }
    try await wait { source.population.settling == 1 }
    settled.cancel()
    try await ended { await settled.value }
    #expect(source.population.settling == 0)
    await Task { [source] in
      withUnsafeCurrentTask { $0?.cancel() }
      await source.delivered(revision)
    }.value
    _ = await batches.next()
  }

  @Test func `It ends when the source finishes`() async throws {
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    let settled = Task { [source] in await source.delivered(Revision(9)) }
    try await wait { source.population.settling == 1 }
    await source.finish()
    try await ended { await settled.value }
    try await ended { [source] in await source.delivered(Revision(9)) }
    _ = await batches.next()
  }

  @Test func `Two subscribers that wait for each other inside their loops`() async throws {
    let readers = (0..<2).map { _ in
      Task { [source] in
        for await batch in source.updates() where batch.target == Revision(2) {
          await source.delivered(Revision(3))
          return
        }
      }
    }
    try await wait { source.population == Population(subscribers: 2, waiting: 2) }
    try await source.apply(.list([2]))
    for reader in readers { try await ended { await reader.value } }
    #expect(source.population == Population())
  }
}
