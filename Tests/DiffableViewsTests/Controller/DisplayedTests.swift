import Diffable
import DiffableTesting
import DiffableViews
import Dispatch
import ListSupport
import TestScope
import Testing

@Suite("A list says when a revision is on the screen", .deadline)
@MainActor
struct DisplayedTests {
  private func shown(_ items: [Int]) throws -> Snapshot<Int, Int> { try list(items) }

  @Test func `It is there when the host has shown the stage to its end, and not before`()
    async throws
  {
    let source = DataSourceActor<Int, Int>()
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    controller.start(following: source)
    #expect(await controller.displayed(try await source.apply(shown([1])).revision))
    host.holdsStages = true
    let revision = try await source.apply(shown([1, 2])).revision
    var isDisplayed = false
    let wait = Task {
      let result = await controller.displayed(revision)
      isDisplayed = true
      return result
    }
    await host.stageBegun()
    for _ in 0..<50 { await Task.yield() }
    #expect(!isDisplayed)
    host.endStage()
    #expect(await wait.value)
    #expect(host.texts == ["1", "2"])
    #expect(await controller.displayed(revision), "it is there already")
    #expect(await controller.displayed(.empty), "and so is what came before")
  }

  @Test("What is on the screen stays there when its source is released", arguments: [false, true])
  func releasedSource(isStopped: Bool) async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    let observed = ObservableList<Int, Int>()
    weak var released: DataSourceActor<Int, Int>?
    func show() async throws -> Revision {
      let source = DataSourceActor<Int, Int>()
      released = source
      controller.start(following: source)
      observed.start(following: source)
      let revision = try await source.apply(shown([1])).revision
      #expect(await controller.displayed(revision))
      #expect(await observed.displayed(revision))
      if isStopped {
        controller.stop()
        observed.stop()
      }
      return revision
    }
    let revision = try await show()
    try await wait { released == nil }
    #expect(await controller.displayed(revision))
    #expect(await observed.displayed(revision))
    #expect(await !controller.displayed(Revision(9)))
    #expect(await !observed.displayed(Revision(9)))
    // Of another source nothing is on the screen yet.
    let other = DataSourceActor<Int, Int>()
    controller.start(following: other)
    observed.start(following: other)
    controller.stop()
    observed.stop()
    #expect(await !controller.displayed(revision))
    #expect(await !observed.displayed(revision))
  }

  @Test func `Who waits for what will not come is told`() async throws {
    let source = DataSourceActor<Int, Int>()
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    #expect(await !controller.displayed(Revision(1)), "nothing is followed")
    controller.start(following: source)
    let waits = (0..<3).map { _ in Task { await controller.displayed(Revision(9)) } }
    for _ in 0..<50 { await Task.yield() }
    waits[0].cancel()
    #expect(await !waits[0].value)
    await source.finish()
    for wait in waits { #expect(await !wait.value) }

    let other = DataSourceActor<Int, Int>()
    controller.start(following: other)
    let wait = Task { await controller.displayed(Revision(9)) }
    for _ in 0..<50 { await Task.yield() }
    controller.start(following: DataSourceActor<Int, Int>())
    #expect(try await !ended { await wait.value }, "the list follows another source")
    let last = Task { await controller.displayed(Revision(9)) }
    for _ in 0..<50 { await Task.yield() }
    controller.stop()
    #expect(await !last.value, "the list follows nothing")
  }

  @Test func `Many writers each see their revision`() async throws {
    let source = DataSourceActor<Int, Int>()
    try await source.apply(shown([0]))
    let host = Host(profile: .tableView)
    let controller = Rows().controller(of: host)
    controller.start(following: source)
    await withTaskGroup(of: Void.self) { tasks in
      for item in 1...20 {
        tasks.addTask {
          let revision = try? await source.update { try $0.appendItems([item]) }.revision
          await #expect(controller.displayed(revision ?? .empty))
          #expect(await controller.itemPath(for: item) != nil)
        }
      }
    }
    #expect(host.violations.isEmpty)
  }

  @Test func `An observable list says so as well`() async throws {
    let source = DataSourceActor<Int, Int>()
    let observed = ObservableList<Int, Int>()
    observed.start(following: source)
    #expect(await observed.displayed(try await source.apply(shown([1, 2])).revision))
    #expect(observed.snapshot.itemIdentifiers == [1, 2])
    let wait = Task { await observed.displayed(Revision(5)) }
    for _ in 0..<50 { await Task.yield() }
    var batches = Batches()
    observed.show(try batches.next(shown([7])))
    #expect(await !wait.value)
  }
}

@Suite("A list that follows a source for long keeps nothing of the task that started it", .deadline)
@MainActor
struct StartingTests {
  private enum Request {
    @TaskLocal static var name: String?
  }

  @Test(arguments: [TaskPriority.background, .high])
  func nothing(priority: TaskPriority) async throws {
    let source = DataSourceActor<Int, Int>()
    let host = Host(profile: .collectionView)
    var seen: [String?] = []
    var priorities: Set<UInt8> = []
    let controller = Rows().controller(of: host)
    controller.displayHandler = { _ in
      seen.append(Request.name)
      priorities.insert(Task.currentPriority.rawValue)
    }
    let observed = ObservableList<Int, Int>()
    await Task(priority: priority) {
      Request.$name.withValue("first") {
        controller.start(following: source)
        observed.start(following: source)
      }
    }.value
    let revision = try await source.apply(list([1])).revision
    #expect(await controller.displayed(revision))
    #expect(await observed.displayed(revision))
    #expect(!seen.isEmpty && seen.allSatisfy { $0 == nil })
    #expect(priorities == [TaskPriority.userInitiated.rawValue])
  }
}

/// The main actor does not release what a list has shown, however long its host takes.
@Suite(.deadline) @MainActor struct ReleaseTests {
  @Test func `A host that is slower than the task that releases`() async throws {
    let ledger = ReleaseLedger()
    let host = PlainHost()
    host.work = Self.letOthersRun
    let controller = ListController<Int, LedgerID, PlainHost>(host: host) { _, _, _ in nil }
    var first: DataSourceActor<Int, LedgerID>? = try await Self.source(ledger)
    if let first { controller.start(following: first) }
    try await wait { controller.revision != nil }
    first = nil
    controller.start(following: DataSourceActor<Int, LedgerID>())
    try await wait { ledger.released == Self.count }
    #expect(ledger.releasedOnMain == 0)
  }

  @Test func `A controller that is the last to hold its list`() async throws {
    let ledger = ReleaseLedger()
    let host = PlainHost()
    host.work = Self.letOthersRun
    do {
      let controller = ListController<Int, LedgerID, PlainHost>(host: host) { _, _, _ in nil }
      var source: DataSourceActor<Int, LedgerID>? = try await Self.source(ledger)
      if let source { controller.start(following: source) }
      try await wait { controller.revision != nil }
      controller.stop()
      source = nil
    }
    try await wait { ledger.released == Self.count }
    #expect(ledger.releasedOnMain == 0)
  }

  @Test func `An observable list that is the last to hold its list`() async throws {
    let ledger = ReleaseLedger()
    do {
      let list = ObservableList<Int, LedgerID>()
      var source: DataSourceActor<Int, LedgerID>? = try await Self.source(ledger)
      if let source { list.start(following: source) }
      try await wait { list.revision != nil }
      list.stop()
      source = nil
      withExtendedLifetime(list, Self.letOthersRun)
    }
    try await wait { ledger.released == Self.count }
    #expect(ledger.releasedOnMain == 0)
  }

  /// More identifiers than are worth releasing on the spot.
  private nonisolated static let count = 10_000

  /// Lets all tasks run that were started before.
  private static func letOthersRun() {
    for _ in 0..<8 {
      let hasRun = DispatchSemaphore(value: 0)
      Task.detached(priority: .utility) { hasRun.signal() }
      _ = hasRun.wait(timeout: .now() + .seconds(10))
    }
  }

  private nonisolated static func source(
    _ ledger: ReleaseLedger
  ) async throws -> DataSourceActor<Int, LedgerID> {
    var snapshot = Snapshot<Int, LedgerID>()
    snapshot.appendSections([0])
    try snapshot.appendItems((0..<count).map { _ in LedgerID(ledger) })
    return try DataSourceActor(snapshot)
  }
}
