import Diffable
import ListSupport
import Testing
import TestScope

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
