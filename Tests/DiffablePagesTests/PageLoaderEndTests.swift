import Diffable
import DiffablePages
import ListSupport
import TestScope
import Testing

/// Rows beside those of the backend, and how a loader ends.
@Suite(.deadline) struct PageLoaderEndTests {
  private let desk = PageDesk()
  private let source = PagedSource()

  @Test func `Status rows come and go in the revisions of the pages`() async throws {
    let loader = desk.loader(
      source, size: 2,
      rows: PageLoaderRows(before: "before", after: "after") { load, state in
        switch (load, state) {
        case (.refresh, .loading): PagedRow(id: -1, text: "loading")
        case (.end, .loading): PagedRow(id: -3, text: "loading")
        case (.end, .failed(let error)): PagedRow(id: -3, text: "\(error)")
        case (.end, .endReached): PagedRow(id: -4, text: "the end")
        default: nil
        }
      })
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
    try await desk.refresh(loader, [1, 2, 3, 4])
    let last = await source.snapshot
    #expect(last.sectionIdentifiers == ["before", "rows", "after"], "sections are made again")
    #expect(last.itemIdentifiers(inSection: "rows") == [4], "what was deleted stays so")
  }

  @Test func `Placeholders stand for what is not loaded, and keep their names`() async throws {
    let loader = desk.loader(
      source, size: 2, from: .after(3),
      rows: PageLoaderRows(placeholder: { PagedRow(id: 1000 + $0, text: "…") }))
    async let first = loader.refresh()
    try await desk.answer { _ in
      Page([PagedRow(id: 3), PagedRow(id: 4)], previous: 3, next: 4, countBefore: 3, countAfter: 4)
    }
    _ = await first
    #expect(await loader.rows == [1000, 1001, 1002, 3, 4, 1005, 1006, 1007, 1008])
    // What is shown is further away than a page.
    loader.willShow([1007])
    try await desk.answer { _ in Page([PagedRow(id: 5), PagedRow(id: 6)], next: 6) }
    try await desk.answer { _ in Page([PagedRow(id: 7)], next: 7, countAfter: 3) }
    try await wait { !loader.states.isLoading }
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

  @Test func `A row deleted before its page was dropped does not come back with a refresh`()
    async throws
  {
    let loader = desk.loader(source, size: 3, limit: 6)
    for ids in [1...3, 4...6, 7...9] {
      async let state = ids.contains(1) ? loader.refresh() : loader.load(.end)
      try await desk.answer(ids, previous: ids.lowerBound, next: ids.upperBound)
      _ = await state
      if ids.contains(1) { try await source.update { $0.deleteItems([2]) } }
    }
    #expect(await loader.rows == [4, 5, 6, 7, 8, 9])
    // The backend has put the rows of the dropped page between the others.
    try await desk.refresh(loader, [4, 1, 2, 3, 5, 6], next: 6)
    #expect(loader.states.refresh.error == nil)
    #expect(await loader.rows == [4, 1, 3, 5, 6])
  }

  @Test(arguments: [
    (PagePlace.first, true), (.after(20), true), (.before(21), true), (.first, false),
    (.after(20), false), (.before(21), false),
  ])
  func `A refresh asks for the pages that the list has, whichever have come and gone at its ends`(
    origin: PagePlace<Int>, isTwoWay: Bool
  ) async throws {
    let backend = PagedBackend(1...40, cap: 5, isTwoWay: isTwoWay)
    let loader = backend.loader(source, size: 5, limit: 10, from: origin)
    for end in [nil, PageEnd.end, .end, .end, .start, .start, .start, .start, .end, .end] {
      if let end { _ = await loader.load(end) } else { _ = await loader.refresh() }
      let rows = await loader.rows
      #expect(rows.count == 5 || rows.count == 10)
      // Nothing has changed, neither here nor there.
      await loader.refresh()
      #expect(await loader.rows == rows, "after a load at the \(String(describing: end))")
    }
  }

  @Test(arguments: [true, false])
  func `A row that was put between loaded rows is there again when they are`(isTwoWay: Bool)
    async throws
  {
    let backend = PagedBackend(1...100, cap: 10, isTwoWay: isTwoWay)
    let loader = backend.loader(source, size: 10, limit: 30)
    await loader.refresh()
    try await source.update { draft in
      try draft.insertItems([PagedRow(id: 999)], afterItem: 3)
      try draft.insertItems([PagedRow(id: 998)], beforeItem: 1)
      // It is a row of the loader's under another name.
      try draft.renameItem(7, to: PagedRow(id: 777))
    }
    var keys = [998: 0.5, 999: 3.5, 777: 7]
    /// Goes to the end or to the start, and looks whether all is in order on the way.
    func go(to end: PageEnd) async {
      for _ in 0..<12 {
        await loader.load(end)
        let rows = await loader.rows
        let places = rows.map { keys[$0] ?? Double($0) }
        #expect(places == places.sorted(), "\(rows)")
        #expect(Set(rows).isSuperset(of: keys.keys) && Set(rows).count == rows.count, "\(rows)")
      }
    }
    await loader.load(.end)
    await loader.load(.end)
    try await source.update { try $0.insertItems([PagedRow(id: 997)], afterItem: 25) }
    keys[997] = 25.5
    await go(to: .end)
    await go(to: .start)
    let first = [998, 1, 2, 3, 999, 4, 5, 6, 777, 8, 9, 10, 11]
    #expect(Array(await loader.rows.prefix(first.count)) == first)
    try await source.update { try $0.moveItem(999, afterItem: 15) }
    keys[999] = 15.5
    await go(to: .end)
    await go(to: .start)
  }

  @Test func `A row that was moved while pages were away stays where it is`() async throws {
    let loader = try await loaderWithoutFirstPages(of: source)
    try await source.update { try $0.moveItem(999, afterItem: 13) }
    for _ in 0..<2 { await loader.load(.start) }
    #expect(await loader.rows == Array(1...10) + [999])
  }

  @Test func `A row that was renamed while pages were away is between the same rows again`()
    async throws
  {
    let loader = try await loaderWithoutFirstPages(of: source)
    #expect(await loader.rows == [999] + Array(11...20))
    try await source.update { try $0.renameItem(999, to: PagedRow(id: 777)) }
    await loader.load(.start)
    try await source.update { try $0.renameItem(777, to: PagedRow(id: 555)) }
    await loader.load(.start)
    #expect(await loader.rows == [1, 2, 3, 555] + Array(4...10))
  }

  @Test(arguments: [
    [901, 902, 903], [901, 903, 902], [902, 901, 903], [902, 903, 901], [903, 901, 902],
    [903, 902, 901],
  ])
  func `Rows that others have put into an order while pages were away keep it`(
    order: [Int]
  ) async throws {
    let backend = PagedBackend(1...60, cap: 5)
    let loader = backend.loader(source, size: 5, limit: 14)
    await loader.refresh()
    try await source.update { draft in
      for item in 1...3 { try draft.insertItems([PagedRow(id: 900 + item)], afterItem: item) }
    }
    for _ in 0..<3 { await loader.load(.end) }
    try await source.update { draft in
      for item in order { try draft.moveItem(item, beforeItem: 11) }
    }
    #expect(await loader.rows == order + Array(11...20))
    for _ in 0..<2 { await loader.load(.start) }
    // Each is behind the row that it was put behind, and no farther than the order asks for.
    var (expected, last) = ([Int](), 0)
    for item in order {
      let anchor = max(last, item - 900)
      expected += Array(last..<anchor).map { $0 + 1 } + [item]
      last = anchor
    }
    #expect(await loader.rows == expected + Array(last + 1...10))
  }

  /// Rows 1 to 10 on two pages, and a row of others among them.
  private func loaderOfTwoPages() async throws -> TestedLoader {
    let loader = desk.loader(source, size: 5)
    try await desk.refresh(loader, 1...5, next: 5)
    try await desk.load(.end, loader, 6...10, next: 10)
    try await source.update { try $0.insertItems([PagedRow(id: 999)], afterItem: 8) }
    return loader
  }

  @Test func `A refresh puts rows around those of others, as a page does`() async throws {
    let loader = try await loaderOfTwoPages()
    // Ten new rows push all that is loaded off the pages.
    try await desk.refresh(loader, [1, 2] + (101...108), next: 108)
    #expect(await loader.rows == [1, 2] + Array(101...108) + [999])
    try await desk.load(.end, loader, 3...7, next: 7)
    #expect(await loader.rows == [1, 2] + Array(101...108) + [3, 4, 5, 6, 7, 999])
    try await desk.load(.end, loader, 8...12, next: 12)
    #expect(await loader.rows.suffix(11) == [3, 4, 5, 6, 7, 8, 999, 9, 10, 11, 12])
  }

  @Test(arguments: [false, true])
  func `A row of others that the backend has stored meanwhile is in the list once`(
    comesWithRefresh: Bool
  ) async throws {
    let loader = try await loaderOfTwoPages()
    try await desk.refresh(loader, [1, 2] + (101...108), next: 108)
    if !comesWithRefresh { try await desk.load(.end, loader, [3, 999, 4], next: 4) }
    async let last = loader.refresh()
    try await desk.answer([1, 2, 3, 999, 4], next: nil)
    #expect(await last.word == "idle")
    #expect(await loader.rows.sorted() == [1, 2, 3, 4, 999])
  }

  @Test func `States are a stream that ends with the loader`() async throws {
    let loader = TestedLoader(source, section: "rows") { [desk] in try await desk.page(for: $0) }
    var states = loader.stateUpdates().makeAsyncIterator()
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
    // A stream that begins late has the last states, and ends.
    let late = await loader.stateUpdates().reduce(into: []) { $0.append($1.description) }
    #expect(late == ["refresh idle, start end reached, end end reached"])
  }

  @Test func `A loader does not pile up the ways to pages that it has dropped`() async throws {
    struct Way: Sendable {
      let index: Int
      let mark: LedgerID
    }
    let ledger = ReleaseLedger()
    let made = Lock(0)
    @Sendable func way(_ index: Int) -> Way {
      made.withLock { $0 += 1 }
      return Way(index: index, mark: LedgerID(ledger))
    }
    let loader = PageLoader<String, PagedRow, Way>(
      source, section: "rows",
      options: PageOptions(pageSize: 2, prefetchDistance: 0, maximumCount: 6)
    ) { request in
      let start =
        switch request.place {
        case .first: 0
        case .after(let way): way.index
        case .before(let way): way.index - 2
        }
      return Page(
        (start..<start + 2).map { PagedRow(id: $0) }, previous: start > 0 ? way(start) : nil,
        next: way(start + 2))
    }
    await loader.refresh()
    for _ in 0..<100 { #expect(await loader.load(.end).word == "idle") }
    #expect(made.withLock { $0 } - ledger.released < 40)
    // All of them come again.
    var rows = Set<Int>()
    while case .idle = await loader.load(.start) {
      rows.formUnion(await source.snapshot.itemIdentifiers(inSection: "rows"))
    }
    #expect(rows.count > 190 && loader.states.start.isEndReached)
  }

  @Test func `A failure is told once, whatever a list shows meanwhile`() async throws {
    let loader = TestedLoader(
      source, section: "rows",
      rows: PageLoaderRows(before: "status") { _, state in
        state.error.map { PagedRow(id: -1, text: "\($0)") }
      }
    ) { _ in throw Offline() }
    var states = loader.stateUpdates().makeAsyncIterator()
    for _ in 0..<2 {
      #expect(await loader.refresh().error is Offline)
      #expect(await states.next()?.refresh.error is Offline)
      // Both are steps that change no state.
      loader.willShow([-1])
      await loader.cancel()
    }
    #expect(await source.snapshot.itemIdentifiers(inSection: "status") == [-1])
    await loader.finish()
    #expect(await states.next() == nil)
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
    #expect(loader.states.isLoading == false)
    #expect(await loader.refresh().word == "idle")
    #expect(desk.count == 1)
  }

  @Test func `What a source refuses is a failure, and nothing has changed`() async throws {
    let loader = TestedLoader(
      source, section: "rows",
      rows: PageLoaderRows(after: "after") { load, state in
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
      rows: PageLoaderRows(before: "before") { load, state in
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
