import Diffable
import DiffablePages
import TestScope
import Testing

/// Rows beside those of the backend, and how a loader ends.
@Suite(.deadline) struct PageLoaderEndTests {
  private let desk = PageDesk()
  private let source = PagedSource()

  @Test func `Status rows come and go in the revisions of the pages`() async throws {
    let loader = TestedLoader(
      source, section: "rows", options: PageOptions(pageSize: 2, prefetchDistance: 0),
      statusRows: PageStatusRows(before: "before", after: "after") { load, state in
        switch (load, state) {
        case (.refresh, .loading): PagedRow(id: -1, text: "loading")
        case (.end, .loading): PagedRow(id: -3, text: "loading")
        case (.end, .failed(let error)): PagedRow(id: -3, text: "\(error)")
        case (.end, .endReached): PagedRow(id: -4, text: "the end")
        default: nil
        }
      }
    ) { [desk] in try await desk.page(for: $0) }
    var batches = source.updates(.every(limit: 100)).makeAsyncIterator()
    func next() async -> String? { await batches.next().map { "\($0.update.snapshot)" } }
    _ = await next()
    async let first = loader.refresh()
    #expect(await next() == "before[-1] rows[] after[]")
    try await desk.answer([1, 2], next: 2)
    _ = await first
    #expect(await next() == "before[] rows[1 2] after[]")
    async let second = loader.load(.end)
    #expect(await next() == "before[] rows[1 2] after[-3]")
    try await desk.answer { _ in throw Offline() }
    _ = await second
    _ = await next()
    #expect(await source.model(for: -3)?.text == "Offline()")
    await loader.retry()
    _ = await next()
    #expect(await source.model(for: -3)?.text == "loading")
    try await desk.answer([3])
    #expect(await next() == "before[] rows[1 2 3] after[-4]")
    try await source.update { $0.snapshot.deleteSections(["rows", "after"]) }
    async let third = loader.refresh()
    try await desk.answer([1, 2, 3, 4])
    _ = await third
    let last = await source.snapshot
    #expect(last.sectionIdentifiers == ["before", "rows", "after"], "sections are made again")
    #expect(last.itemIdentifiers(inSection: "rows") == [4], "what was deleted stays so")
  }

  @Test func `Placeholders stand for what is not loaded, and keep their names`() async throws {
    let loader = TestedLoader(
      source, section: "rows", options: PageOptions(pageSize: 2, prefetchDistance: 0),
      origin: .after(3), placeholder: { PagedRow(id: 1000 + $0, text: "…") }
    ) { [desk] in try await desk.page(for: $0) }
    async let first = loader.refresh()
    try await desk.answer { _ in
      Page(
        [PagedRow(id: 3), PagedRow(id: 4)], previous: 3, next: 4, countBefore: 3, countAfter: 4)
    }
    _ = await first
    #expect(await loader.rows == [1000, 1001, 1002, 3, 4, 1005, 1006, 1007, 1008])
    // What is shown is further away than a page.
    loader.willShow([1007])
    try await desk.answer { _ in Page([PagedRow(id: 5), PagedRow(id: 6)], next: 6) }
    try await desk.answer { _ in Page([PagedRow(id: 7)], next: 7, countAfter: 3) }
    try await wait { await !loader.states.isLoading }
    #expect(await loader.rows == [1000, 1001, 1002, 3, 4, 5, 6, 7, 1008, 1009, 1010])
    async let middle = loader.load(.end)
    try await desk.answer { _ in Page([PagedRow(id: 8), PagedRow(id: 9)], next: 9) }
    _ = await middle
    #expect(await loader.rows == [1000, 1001, 1002, 3, 4, 5, 6, 7, 8, 9, 1010])
    async let start = loader.load(.start)
    try await desk.answer { _ in Page([PagedRow(id: 1), PagedRow(id: 2)], previous: 1) }
    _ = await start
    #expect(await loader.rows == [1000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1010])
    async let end = loader.load(.end)
    try await desk.answer { _ in Page([]) }
    _ = await end
    #expect(await loader.rows == [1000, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  }

  @Test func `Dropped pages come back with what others have made of them`() async throws {
    var backend = PagedBackend(1...12)
    backend.cap = 3
    let loader = TestedLoader(
      source, section: "rows",
      options: PageOptions(pageSize: 3, prefetchDistance: 0, maximumCount: 6)
    ) { [backend] in backend.page(for: $0) }
    await loader.refresh()
    try await source.update { draft in
      draft.setModel(PagedRow(id: 1, text: "mine"))
      draft.deleteItems([2])
    }
    await loader.load(.end)
    #expect(await loader.rows == [1, 3, 4, 5, 6])
    await loader.load(.end)
    #expect(await loader.rows == [4, 5, 6, 7, 8, 9])
    #expect(await loader.states.start.word == "idle")
    await loader.load(.start)
    #expect(await loader.rows == [1, 3, 4, 5, 6])
    #expect(await source.model(for: 1)?.text == "mine")
    #expect(await loader.states.end.word == "idle")
    loader.willShow([1])
    try await wait { await loader.states.start.isEndReached }
    await loader.load(.end)
    await loader.load(.end)
    #expect(await loader.rows.first == 1, "what is shown is not dropped")
  }

  @Test func `States are a stream that ends with the loader`() async throws {
    let loader = TestedLoader(source, section: "rows") { [desk] in try await desk.page(for: $0) }
    var states = await loader.stateUpdates().makeAsyncIterator()
    #expect(await states.next()?.refresh.word == "idle")
    async let first = loader.refresh()
    #expect(await states.next()?.refresh.word == "loading")
    try await desk.answer([1])
    _ = await first
    #expect(await states.next()?.description == "refresh idle, start end reached, end end reached")
    await loader.finish()
    #expect(await states.next() == nil)
    #expect(await loader.refresh().word == "idle")
    #expect(desk.count == 1)
    for await state in await loader.stateUpdates() { #expect(!state.isLoading) }
  }

  @Test func `A loader that nothing holds ends its loads`() async throws {
    var loader: TestedLoader? = TestedLoader(source, section: "rows") { [desk] in
      try await desk.page(for: $0)
    }
    await loader?.retry()
    let waiting = Task { [weak loader] in await loader?.refresh() }
    try await wait { desk.requests.count == 1 }
    waiting.cancel()
    _ = await waiting.value
    loader = nil
    try await wait { desk.cancelled == 1 }
  }

  @Test func `A source that has finished finishes its loader`() async throws {
    let loader = TestedLoader(source, section: "rows") { [desk] in try await desk.page(for: $0) }
    async let state = loader.refresh()
    try await wait { desk.requests.count == 1 }
    await source.finish()
    try await desk.answer([1])
    #expect(await state.word == "idle")
    #expect(await loader.states.isLoading == false)
    #expect(await loader.refresh().word == "idle")
    #expect(desk.count == 1)
  }

  @Test func `What a source refuses is a failure, and nothing has changed`() async throws {
    let loader = TestedLoader(
      source, section: "rows",
      statusRows: PageStatusRows(after: "after") { load, state in
        load == .end && state.isEndReached ? PagedRow(id: 1, text: "the end") : nil
      }
    ) { [desk] in try await desk.page(for: $0) }
    async let state = loader.refresh()
    try await desk.answer([1])
    #expect(await state.error is DataSourceError)
    #expect(await loader.rows == [])
  }

  @Test func `A task that is cancelled does not keep others from their rows`() async throws {
    let loader = TestedLoader(
      source, section: "rows",
      statusRows: PageStatusRows(before: "before") { load, state in
        state.isLoading ? PagedRow(id: -1, text: "\(load)") : nil
      }
    ) { [desk] in try await desk.page(for: $0) }
    let asking = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await loader.refresh()
    }
    #expect(await asking.value.isLoading)
    #expect(await source.snapshot.itemIdentifiers == [-1], "the status row is there")
    try await desk.answer([1, 2])
    try await wait { await loader.rows == [1, 2] }
    #expect(await source.snapshot.itemIdentifiers == [1, 2])
  }
}
