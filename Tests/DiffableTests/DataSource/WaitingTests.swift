import Diffable
import ListSupport
import TestScope
import Testing

@testable import DiffableEngine

@Suite("Tasks that wait are woken once, by another one or by their cancellation", .deadline)
@MainActor struct WaitingTasksTests {
  /// Starts tasks that wait, and returns when the last of them has called ``WaitingTasks/wait``.
  private func start(
    _ goals: [Int], in tasks: WaitingTasks
  ) async throws -> [Task<Bool, Never>] {
    var count = 0
    let started = goals.map { goal in
      Task {
        count += 1
        return await tasks.wait(for: Revision(goal))
      }
    }
    try await wait { count == goals.count }
    return started
  }

  @Test func `A task gives up its actor only when it can be woken`() async throws {
    for _ in 0..<100 {
      let tasks = WaitingTasks()
      let waiting = try await start([1], in: tasks)
      #expect(!tasks.isEmpty && tasks.wakeFirst())
      #expect(await waiting[0].value)
    }
  }

  /// A list that tasks wait for.
  private actor Shown {
    private var revision = 0
    private let tasks = WaitingTasks()

    func wait(for goal: Int) async -> Bool {
      guard revision < goal else { return true }
      return await tasks.wait(for: Revision(goal))
    }

    func show(_ revision: Int) {
      self.revision = revision
      tasks.wake { $0.number <= revision }
    }
  }

  @Test func `No wake is lost that comes when a task begins to wait`() async {
    for _ in 0..<rounds(5_000) {
      let list = Shown()
      async let isShown = list.wait(for: 1)
      await list.show(1)
      #expect(await isShown)
    }
  }

  @Test func `Those are woken whose goal is reached`() async throws {
    let tasks = WaitingTasks()
    let waiting = try await start([3, 1, 2], in: tasks)
    tasks.wake { $0.number <= 2 }
    #expect(await waiting[1].value)
    #expect(await waiting[2].value)
    #expect(!tasks.isEmpty)
    tasks.wake(returning: false)
    #expect(await !waiting[0].value)
    #expect(tasks.isEmpty && !tasks.wakeFirst())
  }

  @Test func `A task that is cancelled, before or while it waits, is woken with false`()
    async throws
  {
    let tasks = WaitingTasks()
    let waiting = try await start([1, 2], in: tasks)
    waiting[0].cancel()
    #expect(await !waiting[0].value)
    let late = Task { await tasks.wait(for: Revision(3)) }
    late.cancel()
    #expect(await !late.value)
    #expect(tasks.wakeFirst())
    #expect(await waiting[1].value && tasks.isEmpty)
  }

  @Test func `Tasks go on waiting elsewhere, for another goal`() async throws {
    let (tasks, others) = (WaitingTasks(), WaitingTasks())
    let waiting = try await start([9], in: tasks)
    tasks.move(to: others, for: Revision(1))
    #expect(tasks.isEmpty)
    others.wake { $0.number <= 1 }
    #expect(await waiting[0].value)
  }

  @Test func `A turn passes from one task to the next, in the order of their requests`()
    async throws
  {
    let turns = Turns()
    var order: [Int] = []
    #expect(turns.takeIfFree() && !turns.takeIfFree())
    var (tasks, count) = ([Task<Void, Never>](), 0)
    for number in 0..<4 {
      tasks.append(
        Task {
          count += 1
          if number == 2 {
            guard await turns.take(turns.makeNumber()) else { return }
          } else {
            await turns.take()
          }
          order.append(number)
          turns.pass()
        })
      try await wait { count > number }
    }
    tasks[2].cancel()
    await tasks[2].value
    turns.pass()
    for task in tasks { await task.value }
    #expect(order == [0, 1, 3] && turns.takeIfFree())
  }
}

/// Waiting until subscribers have been handed a revision.
@Suite(.deadline) struct SettledTests {
  private let source: Source

  init() throws {
    source = try Source(.list([1]))
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
    var batches = await source.changes()
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
    var batches = await source.changes()
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
