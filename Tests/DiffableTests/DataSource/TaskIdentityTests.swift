import Diffable
import ListSupport
import TestScope
import Testing

@testable import DiffableEngine

@Suite("A task is never taken for one that has ended", .deadline)
struct TaskIdentityTests {
  @Test("No two tasks share an identity, however short they live, and a task keeps its own")
  func distinct() async {
    let own = TaskIdentity.current
    var known: Set<TaskIdentity?> = [own]
    for _ in 0..<rounds(1_000) {
      let detached = await Task.detached { TaskIdentity.current }.value
      async let child = TaskIdentity.current
      let (first, second) = await (child, Task { TaskIdentity.current }.value)
      let member = await withTaskGroup { group in
        group.addTask { TaskIdentity.current }
        return await group.next() ?? nil
      }
      for task in [detached, first, second, member] { #expect(known.insert(task).inserted) }
    }
    #expect(!known.contains(nil))
    #expect(TaskIdentity.current == own)
    await Task.yield()
    #expect(TaskIdentity.current == own)
  }

  /// A stream that outlives the tasks that request its batches.
  private final class Shared: Sendable {
    private let batches: Lock<AsyncStream<UpdateBatch<String, Int>>.AsyncIterator>

    init(_ source: Source) {
      batches = Lock(source.updates().makeAsyncIterator())
    }

    func next() async -> Revision? {
      var batches = batches.withLock { $0 }
      return await batches.next()?.target
    }
  }

  @Test("A task that waits for subscribers waits for one whose own task has ended")
  func endedTasks() async throws {
    let source = try Source(.list([1]))
    let shared = Shared(source)
    // The address of a task is free as soon as it has ended.
    await Task.detached { _ = await shared.next() }.value
    for number in 0..<rounds(300) {
      let revision = try await source.apply(.list([number, -1])).revision
      let waiting = Task.detached { await source.delivered(revision) }
      try await wait { source.population.settling == 1 }
      await Task.detached { _ = await shared.next() }.value
      try await ended { await waiting.value }
    }
  }

  @Test(
    "A task in whose loop the batches are requested is exempt, also as a child",
    arguments: [false, true])
  func ownTask(isChild: Bool) async throws {
    let source = try Source(.list([1]))
    @Sendable func follow() async -> Bool {
      for await batch in source.updates() {
        await source.delivered(Revision(batch.target.number + 1))
        return true
      }
      return false
    }
    let hasFollowed = try await ended {
      guard isChild else { return await follow() }
      async let following = follow()
      return await following
    }
    #expect(hasFollowed)
  }
}
