import Diffable
import DiffablePages
import ListSupport
import TestScope
import Testing

/// A loader with its tasks, on a source that others write to.
@Suite(.deadline) struct PageLoaderTests {
  private let desk = PageDesk()
  private let source = PagedSource()

  private func loader(
    _ options: PageOptions = PageOptions(pageSize: 3, prefetchDistance: 1)
  ) -> TestedLoader {
    TestedLoader(source, section: "rows", options: options) { [desk] in
      try await desk.page(for: $0)
    }
  }

  /// Loads the first page.
  private func loaded(
    _ options: PageOptions = PageOptions(pageSize: 3, prefetchDistance: 1)
  ) async throws -> TestedLoader {
    let loader = loader(options)
    try await desk.refresh(loader, [4, 5, 6], previous: 4, next: 6)
    return loader
  }

  @Test func `A page comes when a renderer is near to an end, and once however often it says so`()
    async throws
  {
    let loader = try await loaded()
    #expect(loader.states.description == "refresh idle, start idle, end idle")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { loader.willShow([5, 6]) } }
    }
    try await wait {
      let states = loader.states
      return states.start.isLoading && states.end.isLoading
    }
    // Both ends are near to the middle row; the third word comes while they are being loaded.
    loader.willShow([6])
    let places = [try await desk.answer([], next: nil), try await desk.answer([], next: nil)]
      .map(\.place)
    #expect(places.contains(.before(4)) && places.contains(.after(6)) && desk.count == 3)
    try await wait { !loader.states.isLoading }
    #expect(loader.states.description == "refresh idle, start end reached, end end reached")
    #expect(await loader.rows == [4, 5, 6])
  }

  @Test func `Failed loads are tried again by themselves when their time has come`() async throws {
    let clock = ManualClock()
    let loader = TestedLoader(
      PagedSource(options: SourceOptions(clock: clock)), section: "rows",
      options: PageOptions(pageSize: 3, retryDelays: [.seconds(1), .seconds(5)])
    ) { [desk] in try await desk.page(for: $0) }
    async let first = loader.refresh()
    try await desk.answer { _ in throw Offline() }
    #expect(await first.error is Offline)
    try await wait { clock.sleeping == 1 }
    clock.advance(by: .seconds(1))
    try await desk.answer { _ in throw Offline() }
    try await wait { clock.sleeping == 1 }
    clock.advance(by: .seconds(4))
    #expect(desk.requests.isEmpty && desk.count == 2)
    clock.advance(by: .seconds(1))
    try await desk.answer { _ in throw Offline() }
    try await wait { loader.states.refresh.error != nil }
    #expect(clock.sleeping == 0, "two attempts and no more")
    await loader.retry()
    try await desk.answer([1])
    try await wait { await loader.rows == [1] }
    // A timer ends when somebody is faster, and when all is cancelled.
    async let again = loader.refresh()
    try await desk.answer { _ in throw Offline() }
    _ = await again
    try await wait { clock.sleeping == 1 }
    await loader.cancel()
    try await wait { clock.sleeping == 0 }
    #expect(loader.states.refresh.error is Offline)
  }

  @Test func `Rows on the screen stay when many have come before them`() async throws {
    let loader = try await loaded()
    loader.willShow([5])
    try await desk.answer([])
    try await desk.answer([])
    try await wait { !loader.states.isLoading }
    async let state = loader.refresh()
    try await desk.answer([-1, 0, 1], next: 1)
    try await desk.answer([2, 3, 4], next: 4)
    try await desk.answer([5, 6, 7], next: 7)
    #expect(await state.word == "idle")
    #expect(await loader.rows == [-1, 0, 1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `A row on two pages of one refresh shows what the backend said last`() async throws {
    let loader = try await loaded()
    try await desk.load(.end, loader, [7, 8, 9], next: 9)
    async let refreshed = loader.refresh()
    // A row comes while the pages are on their way, and pushes the last one of the first page on.
    let first = try await desk.answer([4, 5, 6], next: 6, text: "first")
    #expect(first == PageRequest(.first, size: 6, isRefresh: true))
    let second = try await desk.answer([6, 7, 8], next: 8, text: "second")
    #expect(second == PageRequest(.after(6), size: 3, isRefresh: true))
    #expect(await refreshed.word == "idle")
    #expect(await loader.rows == [4, 5, 6, 7, 8])
    #expect(await source.model(for: 5)?.text == "first")
    #expect(await source.model(for: 6)?.text == "second")
  }

  @Test func `A refresh towards the start goes on until all rows on the screen have come`()
    async throws
  {
    let loader = loader(PageOptions(pageSize: 3, prefetchDistance: 2))
    async let first = loader.refresh()
    try await desk.answer([40, 50, 60], previous: 40, next: 60)
    _ = await first
    async let second = loader.load(.start)
    try await desk.answer([10, 20, 30])
    _ = await second
    loader.willShow([10, 20, 30, 40])
    try await desk.answer([])
    try await wait { !loader.states.isLoading }
    async let state = loader.refresh()
    try await desk.answer([40, 50, 60], previous: 40)
    // A row has come before the fourth, and pushes the first one on to another page.
    try await desk.answer([20, 30, 35], previous: 20)
    let last = try await desk.answer([10])
    #expect(last == PageRequest(.before(20), size: 3, isRefresh: true))
    #expect(await state.word == "idle")
    #expect(await loader.rows == [10, 20, 30, 35, 40, 50, 60])
  }

  @Test(arguments: PageEnd.allCases)
  func `A row of others stays beside the rows that come back, if those on its other side are gone`(
    _ end: PageEnd
  ) async throws {
    /// The same from the other end.
    func mirrored(_ row: Int) -> Int { end == .start || row == 999 ? row : 41 - row }
    let backend = Lock(PagedBackend(1...40, cap: 5))
    let loader = TestedLoader(
      source, section: "rows",
      options: PageOptions(pageSize: 5, prefetchDistance: 0, maximumCount: 12),
      origin: end == .start ? .first : .before(41)
    ) { request in backend.withLock { $0.page(for: request) } }
    let other = end == .start ? PageEnd.end : .start
    await loader.refresh()
    await loader.load(other)
    try await source.update { draft in
      let (row, neighbour) = (PagedRow(id: 999), end == .start ? 9 : 33)
      try draft.insertItems([row], beforeItem: neighbour)
    }
    for _ in 0..<2 { await loader.load(other) }
    let gone = (6...8).map(mirrored)
    backend.withLock { backend in
      backend.cap = 2
      backend.rows.removeAll { gone.contains($0.id) }
    }
    for expected in [[999] + Array(9...15), [4, 5, 999] + Array(9...15)] {
      await loader.load(end)
      let rows = expected.map(mirrored)
      #expect(await loader.rows == (end == .start ? rows : rows.reversed()))
    }
  }

  @Test func `Rows of a dropped page have the order of the page that has them too`() async throws {
    let loader = loader(PageOptions(pageSize: 4, prefetchDistance: 0, maximumCount: 4))
    async let first = loader.refresh()
    try await desk.answer([1, 2, 3, 4], next: 4)
    _ = await first
    async let second = loader.load(.end)
    try await desk.answer([5, 3, 4, 6], next: 6)
    _ = await second
    #expect(await loader.rows == [5, 3, 4, 6])
  }

  @Test(arguments: PageEnd.allCases)
  func `In which order rows of another list are reported does not matter`(
    _ end: PageEnd
  ) async throws {
    let loader = loader(PageOptions(pageSize: 20, prefetchDistance: 1))
    try await desk.refresh(loader, 1...20, previous: 1, next: 20)
    let other = DataSourceActor<String, Int>()
    try await other.update {
      $0.appendSections(["rows"])
      try $0.appendItems([8, 9, 10, 11, 12, 13])
    }
    loader.willShow(end == .start ? [10, 8, 9] : [12, 13, 11], of: other)
    let request = try await desk.answer([])
    #expect(request.place == (end == .start ? .before(1) : .after(20)))
    // The loader does not hold the list.
    #expect(await other.snapshot.numberOfItems == 6)
  }
}
