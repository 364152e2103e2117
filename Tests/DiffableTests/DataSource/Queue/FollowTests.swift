import Diffable
import ListSupport
import TestScope
import Testing

/// Sources that follow a sequence of snapshots.
@Suite(.deadline) struct FollowTests {
  private struct Broken: Error {}

  @Test func `An error of the sequence surfaces`() async throws {
    let source = Source()
    let (stream, input) = AsyncThrowingStream.makeStream(of: List.self)
    input.yield(try .list([1]))
    input.finish(throwing: Broken())
    await #expect(throws: Broken.self) { try await source.follow(stream) }
    #expect(try await source.snapshot == .list([1]))
  }

  @Test func `A snapshot that is rejected ends it`() async throws {
    let source = Source()
    let (stream, input) = AsyncStream.makeStream(of: List.self)
    input.yield(try .list([1]))
    input.yield(try .duplicates())
    input.yield(try .list([2]))
    await #expect(throws: DataSourceError.self) { try await source.follow(stream) }
    #expect(try await source.snapshot == .list([1]))
    await source.finish()
    await #expect(throws: DataSourceError.finished) { try await source.follow(stream) }
  }

  @Test func `A task that is cancelled stops following`() async throws {
    let source = Source()
    let (stream, input) = AsyncStream.makeStream(of: List.self)
    input.yield(try .list([1]))
    let task = Task { try await source.follow(stream) }
    try await wait { await source.revision == Revision(1) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    input.yield(try .list([2]))
    #expect(try await source.snapshot == .list([1]))
  }

  /// A sequence that does not end with its task, which is cancelled while it makes its third snapshot.
  private struct Stubborn: AsyncSequence {
    struct Iterator: AsyncIteratorProtocol {
      var count = 0

      mutating func next() async throws -> List? {
        count += 1
        if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
        return count > 5 ? nil : try .list(0..<count)
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator() }
  }

  @Test func `A task that is cancelled takes no more of a sequence that goes on`() async throws {
    let source = Source()
    let task = Task { try await source.follow(Stubborn()) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await source.snapshot == .list(0..<2))
  }

  /// A sequence that cannot be sent, and checks that the snapshot before was applied.
  private struct Steps: AsyncSequence {
    let source: Source
    var cache: NotSendable = NotSendable()

    final class NotSendable {}

    struct Iterator: AsyncIteratorProtocol {
      let steps: Steps
      var count = 0

      mutating func next() async throws -> List? {
        #expect(await steps.source.revision == Revision(count))
        count += 1
        return count > 3 ? nil : try .list(0..<count)
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(steps: self) }
  }

  @Test @MainActor func `A sequence that stays on the main actor is asked when there is time`()
    async throws
  {
    let source = Source()
    let steps = Steps(source: source)
    try await source.follow(steps)
    #expect(try await source.snapshot == .list(0..<3))
    _ = steps.cache
  }
}
