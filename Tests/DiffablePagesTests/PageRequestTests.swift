import Diffable
import TestScope
import Testing

@testable import DiffablePages

/// Pages that are requested by `load(_:)` while a refresh runs, or when one begins.
@Suite(.deadline) struct PageRequestTests {
  private let desk = PageDesk()
  private let source = PagedSource()

  private func loader() -> TestedLoader {
    desk.loader(source, size: 3)
  }

  /// Lets a loader refresh, and asks for a page meanwhile.
  private func ask(
    _ loader: TestedLoader, _ end: PageEnd = .end
  ) async throws -> (refresh: Task<PageLoadState, Never>, load: Task<PageLoadState, Never>) {
    let refresh = Task { await loader.refresh() }
    try await wait { desk.requests.count == 1 }
    let load = Task { await loader.load(end) }
    try await wait { await loader.machine.wanted == [end] }
    return (refresh, load)
  }

  private func loaded() async throws -> TestedLoader {
    let loader = loader()
    try await desk.refresh(loader, [4, 5, 6], previous: 4, next: 6)
    return loader
  }

  /// What becomes of a refresh.
  enum Outcome: CaseIterable { case pages, failure, end }

  @Test(arguments: PageEnd.allCases, Outcome.allCases)
  func `It is loaded after the refresh, also if that fails, unless there is no more`(
    _ end: PageEnd, _ outcome: Outcome
  ) async throws {
    let loader = try await loaded()
    let (refresh, state) = try await ask(loader, end)
    try await desk.answer { _ in
      if outcome == .failure { throw Offline() }
      return Page(
        (4...6).map { PagedRow(id: $0) }, previous: outcome == .end && end == .start ? nil : 4,
        next: outcome == .end && end == .end ? nil : 6)
    }
    #expect(await (refresh.value.error is Offline) == (outcome == .failure))
    if outcome != .end {
      #expect(try await !desk.answer(end == .start ? [1, 2, 3] : [7, 8, 9]).isRefresh)
    }
    #expect(await state.value.isEndReached)
    let rows = end == .start ? [1, 2, 3, 4, 5, 6] : [4, 5, 6, 7, 8, 9]
    #expect(await loader.rows == (outcome == .end ? [4, 5, 6] : rows))
    #expect(loader.states[PageLoad(end)].isEndReached && desk.requests.isEmpty)
    #expect(await loader.machine.wanted.isEmpty)
  }

  @Test func `It is loaded after the first page`() async throws {
    let loader = loader()
    let (refresh, state) = try await ask(loader)
    try await desk.answer([4, 5, 6], next: 6)
    _ = await refresh.value
    try await desk.answer([7], next: 7)
    #expect(await state.value.word == "idle")
    #expect(await loader.rows == [4, 5, 6, 7])
  }

  @Test func `It is loaded again after a refresh that has begun meanwhile`() async throws {
    let loader = try await loaded()
    async let state = loader.load(.end)
    try await wait { desk.requests.count == 1 }
    async let refresh = loader.refresh()
    try await wait { desk.cancelled == 1 && desk.requests.count == 1 }
    try await desk.answer([4, 5, 6], previous: 4, next: 6)
    _ = await refresh
    try await desk.answer([7])
    #expect(await state.isEndReached)
    #expect(await loader.rows == [4, 5, 6, 7])
  }

  @Test func `It is given up when everything is cancelled`() async throws {
    let loader = try await loaded()
    let (refresh, state) = try await ask(loader)
    await loader.cancel()
    #expect(await state.value.word == "idle")
    #expect(await refresh.value.word == "idle")
    #expect(await loader.machine.wanted.isEmpty && desk.requests.isEmpty)
  }

  @Test func `All who wait for one load get its state, and it is one request`() async throws {
    let loader = try await loaded()
    let loads = (0..<3).map { _ in Task { await loader.load(.end) } }
    try await wait { await loader.waiters.count == 3 }
    let other = Task { await loader.load(.start) }
    try await wait { desk.requests.count == 2 }
    for _ in 0..<2 {
      try await desk.answer { request in
        request.place == .after(6)
          ? Page([PagedRow(id: 7)]) : Page([PagedRow(id: 3)], previous: 3)
      }
    }
    for load in loads { #expect(await load.value.isEndReached) }
    #expect(await other.value.word == "idle")
    #expect(desk.count == 3)
    #expect(await loader.rows == [3, 4, 5, 6, 7])
  }

  @Test(arguments: PageEnd.allCases)
  func `Where there is nothing to load, nobody waits`(_ end: PageEnd) async throws {
    let loader = loader()
    #expect(await loader.load(end).word == "idle", "there is no page yet")
    try await desk.refresh(loader, [4, 5, 6])
    #expect(await loader.load(end).isEndReached)
    await loader.retry()
    #expect(!loader.states.isLoading && desk.count == 1)
    await loader.finish()
    #expect(await loader.load(end).isEndReached)
    await loader.retry()
    #expect(await loader.refresh().word == "idle")
    #expect(desk.requests.isEmpty && desk.count == 1)
    #expect(await loader.rows == [4, 5, 6])
  }

  @Test func `A task that stops waiting does not stop the load`() async throws {
    let loader = try await loaded()
    let (refresh, waiting) = try await ask(loader)
    waiting.cancel()
    _ = await waiting.value
    try await desk.answer([4, 5, 6], previous: 4, next: 6)
    _ = await refresh.value
    try await desk.answer([7])
    try await wait { await loader.rows == [4, 5, 6, 7] }
  }
}
