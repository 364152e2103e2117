import Synchronization
import Testing
import TestScope

@testable import Diffable
@testable import DiffablePages

@Suite("What is shown decides what is loaded next, and what is dropped", .deadline)
struct ShownPagesTests {
  @Test(arguments: PageEnd.allCases, [0, 1, 4, 6])
  func `A page is dropped unless it would be loaded again at once`(
    _ end: PageEnd, distance: Int
  ) async throws {
    // Rows 1 to 20 or 6 to 25 on four pages, when a fifth one comes at the end or at the start.
    let backend = PagedBackend(end == .end ? 1...40 : 1...25, cap: 5)
    for shown in 1...10 {
      let loader = backend.loader(
        size: 5, ahead: distance, limit: 20, from: end == .end ? .first : .after(20))
      await loader.refresh()
      for _ in 0..<3 { await loader.load(end) }
      #expect(await loader.rows == Array(end == .end ? 1...20 : 6...25))
      await loader.show([end == .end ? shown : 26 - shown])
      await loader.load(end)
      try await wait { !loader.states.isLoading }
      // The rows that would be left between what is shown and the dropped page.
      let isDropped = shown - 1 - 5 > distance
      let expected =
        switch (end, isDropped) {
        case (.end, true): 6...25
        case (.start, true): 1...20
        default: 1...25
        }
      #expect(await loader.rows == Array(expected), "\(shown) rows from the far end")
    }
  }

  /// What is shown beyond the end whose pages could be dropped.
  enum Beyond: CaseIterable {
    case nothing
    /// A row of another section, which is shown before there is any page, or when there are some.
    case early, late
    /// A row of the last page that others have put into the other section since.
    case moved
  }

  @Test(arguments: PageEnd.allCases, Beyond.allCases)
  func `What is shown beyond an end keeps the pages there`(
    _ end: PageEnd, beyond: Beyond
  ) async throws {
    // The last page comes at one end when there are four, up to the other end.
    let backend = PagedBackend(1...25, cap: 5)
    for distance in [0, 1, 4] {
      let source = PagedSource()
      try await source.apply(
        [PagedRow(id: -1), PagedRow(id: -2)], section: { $0.id == -1 ? "before" : "after" },
        sections: ["before", "rows", "after"])
      let loader = backend.loader(
        source, size: 5, ahead: distance, limit: 20, from: end == .end ? .first : .after(20))
      let (row, outermost) = end == .end ? (-1, 1) : (-2, 25)
      if beyond == .early { await loader.show([row]) }
      await loader.refresh()
      for _ in 0..<3 { await loader.load(end) }
      let comment: Comment = "distance \(distance)"
      #expect(await loader.rows == Array(end == .end ? 1...20 : 6...25), comment)
      if beyond == .late { await loader.show([row]) }
      if beyond == .moved {
        await loader.show([outermost])
        try await source.update {
          try $0.moveItem(outermost, toSection: end == .end ? "before" : "after")
        }
      }
      await loader.load(end)
      try await wait { !loader.states.isLoading }
      let isDropped = beyond == .nothing
      let expected = isDropped ? Array(end == .end ? 6...25 : 1...20) : Array(1...25)
      #expect(
        await loader.rows == expected.filter { beyond != .moved || $0 != outermost }, comment)
    }
  }

  @Test(arguments: PageEnd.allCases)
  func `A row of another section stands for the nearest loaded row, as long as it is shown`(
    _ end: PageEnd
  ) async throws {
    let desk = PageDesk()
    let loader = desk.loader(
      size: 3,
      rows: PageLoaderRows(before: "before", after: "after") { load, state in
        load.end.map { PagedRow(id: $0 == .start ? -1 : -2, text: "\(state)") }
      })
    try await desk.refresh(loader, [4, 5, 6], previous: 4, next: 6)
    await loader.show([5])
    #expect(desk.count == 1 && !loader.states.isLoading)
    let row = end == .start ? -1 : -2
    await loader.show([row])
    let request = try await desk.answer(
      end == .start ? [1, 2, 3] : [7, 8, 9], previous: 1, next: 9)
    #expect(request.place == (end == .start ? .before(4) : .after(6)))
    try await wait { !loader.states.isLoading }
    // It is shown beside a row that is no longer the nearest one.
    await loader.show([row])
    #expect(!loader.states.isLoading && desk.count == 2)
    // After another report, it stands for the nearest one again.
    await loader.show([5])
    await loader.show([row])
    #expect(loader.states[PageLoad(end)].isLoading)
    #expect(
      try await desk.answer([]).place == (end == .start ? .before(1) : .after(9)))
  }

  @Test func `A refresh looks for what is shown, and not for ever`() async throws {
    let backend = Lock(PagedBackend(1...5))
    let loader = TestedLoader(
      PagedSource(), section: "rows", options: PageOptions(pageSize: 5, prefetchDistance: 0)
    ) { request in backend.withLock { $0.page(for: request) } }
    backend.withLock { $0.cap = 5 }
    await loader.refresh()
    await loader.show([3])
    // Many new rows are before the shown one: it comes with the third page.
    backend.withLock { $0.rows = (-9...100).map { PagedRow(id: $0) } }
    await loader.refresh()
    #expect(await loader.rows == Array(-9...5))
    // Now all are others.
    backend.withLock { $0.rows = (1001...2000).map { PagedRow(id: $0) } }
    await loader.refresh()
    let rows = await loader.rows
    #expect(rows.count > 15 && rows.count <= 2 * 15 + 4 * 5)
    #expect(rows == Array(1001..<1001 + rows.count))
  }

  @Test func `A list that shows none of the rows lets pages come at both ends`() async throws {
    let desk = PageDesk()
    let loader = desk.loader(size: 3)
    try await desk.refresh(loader, [4, 5, 6], previous: 4, next: 6)
    let list = DataSourceActor<String, Int>()
    try await list.update { $0.appendSections(["rows"]) }
    loader.willShow([Int](), of: list)
    let places = [try await desk.answer([]).place, try await desk.answer([]).place]
    #expect(places.contains(.before(4)) && places.contains(.after(6)))
    try await wait { !loader.states.isLoading }
    #expect(await list.snapshot.numberOfItems == 0)
  }

  /// A list that shows some rows only, as a filtered one does.
  private func list(_ rows: some Sequence<Int>) async throws -> DataSourceActor<String, Int> {
    let list = DataSourceActor<String, Int>()
    let rows = Array(rows)
    try await list.update { draft in
      draft.appendSections(["rows"])
      try draft.appendItems(rows)
    }
    return list
  }

  @Test func `Pages that another list needs are not dropped, so loading comes to an end`()
    async throws
  {
    let backend = PagedBackend(1...100, cap: 5)
    let loader = backend.loader(size: 5, limit: 20, from: .after(45))
    await loader.refresh()
    #expect(await loader.rows == Array(46...50))
    let list = try await list([48])
    loader.named.put(ShownRows(of: list))
    await loader.show([48])
    try await wait { loader.states.start.isEndReached && loader.states.end.isEndReached }
    #expect(await loader.rows == Array(1...100))
    withExtendedLifetime(list) {}
  }

  @Test(arguments: [
    (Array(1...100), true), ([10, 33, 49, 70], true), ([33, 49, 70], false), ([1, 2], true),
  ])
  func `A page is dropped unless another list would load it again at once`(
    _ rows: [Int], isDropped: Bool
  ) async throws {
    let backend = PagedBackend(1...100, cap: 5)
    let loader = backend.loader(size: 5, limit: 20, from: .after(30))
    await loader.refresh()
    for _ in 0..<3 { await loader.load(.end) }
    #expect(await loader.rows == Array(31...50))
    let list = try await list(rows)
    loader.named.put(ShownRows(of: list))
    await loader.show([49])
    await loader.load(.end)
    try await wait { !loader.states.isLoading }
    #expect(await loader.rows == Array((isDropped ? 36 : 31)...55))
    withExtendedLifetime(list) {}
  }

  @Test func `A list counts although more reports than can be kept come after it`() async throws {
    let backend = PagedBackend(1...40, cap: 5)
    let source = PagedSource()
    let loader = backend.loader(source, size: 5)
    await loader.refresh()
    let list = try await list([3])
    // The loader has to wait for the source, so it takes no report meanwhile, or one.
    try await source.update { _ in
      loader.willShow([3])
      loader.willShow([3], of: list)
      for _ in 0..<100 { loader.willShow([3]) }
    }
    try await wait { loader.states.end.isEndReached }
    #expect(await loader.rows == Array(1...40))
    withExtendedLifetime(list) {}
  }

  @Test func `How near an end is counts the rows of all sections that the list has`() async throws {
    for sizes in (0..<27).map({ [$0 % 3, $0 / 3 % 3, $0 / 9] }) {
      let sections = sizes.enumerated().map { section, size in
        (name: "\(section)", rows: (0..<size).map { 10 * section + $0 })
      }
      let list = DataSourceActor<String, Int>()
      try await list.update { draft in
        draft.appendSections(sections.map(\.name))
        for (name, rows) in sections { try draft.appendItems(rows, toSection: name) }
      }
      let rows = sections.flatMap(\.rows)
      let shown = ShownRows(of: list)
      for distance in 0...3 {
        for (first, last) in rows.indices.flatMap({ first in rows.indices.map { (first, $0) } }) {
          // In any order, and beside rows that the list hides.
          let near = await shown.nearEnds([99, rows[first], rows[last]], distance)
          let expected = EndPair(
            start: min(first, last) <= distance,
            end: rows.count - 1 - max(first, last) <= distance)
          #expect(near == expected, "\(sizes): \(first), \(last), distance \(distance)")
        }
        let hidden = await shown.nearEnds([99], distance)
        #expect(hidden == (rows.isEmpty ? EndPair(start: true, end: true) : nil), "\(sizes)")
      }
      // What is shown does not hold it.
      withExtendedLifetime(list) {}
    }
  }

  @Test(arguments: [Presentation.immediate, .animated, .inPlace], [false, true])
  func `What comes before the first row pushes nothing away, and the rest comes as it is to`(
    _ presentation: Presentation, hasStatus: Bool
  ) async throws {
    let (desk, source) = (PageDesk(), PagedSource())
    let rows = PageLoaderRows<String, PagedRow>(before: "before", after: "after") { load, state in
      state.isLoading ? PagedRow(id: load == .start ? -1 : -2) : nil
    }
    let loader = TestedLoader(
      source, section: "rows",
      options: PageOptions(pageSize: 3, prefetchDistance: 0, presentation: presentation),
      rows: hasStatus ? rows : PageLoaderRows()
    ) { try await desk.page(for: $0) }
    var batches = source.updates(.every(limit: 100)).makeAsyncIterator()
    _ = await batches.next()
    func expect(_ expected: Presentation, _ comment: Comment) async {
      // Both that a load has begun, and that its page has come.
      for _ in 0..<(hasStatus ? 2 : 1) {
        #expect(await batches.next()?.presentation == expected, comment)
      }
    }
    try await desk.refresh(loader, [4, 5, 6], previous: 4, next: 6)
    await expect(presentation, "a refresh")
    try await desk.load(.end, loader, [7, 8, 9], next: 9)
    await expect(presentation, "a page at the end")
    try await desk.load(.start, loader, [1, 2, 3])
    await expect(max(.inPlace, presentation), "a page at the start")
  }

  @Test func `All who follow the states see the last ones, whoever stops`() async throws {
    let desk = PageDesk()
    let loader = TestedLoader(PagedSource(), section: "rows") { try await desk.page(for: $0) }
    let streams = (0..<3).map { _ in loader.stateUpdates() }
    var readers = streams.map { $0.makeAsyncIterator() }
    for index in readers.indices { #expect(await readers[index].next()?.isLoading == false) }
    try await desk.refresh(loader, [1], next: 1)
    for index in readers.indices { #expect(await readers[index].next()?.end.word == "idle") }
    let stopped = Task { [stream = streams[1]] in for await _ in stream {} }
    stopped.cancel()
    await stopped.value
    try await desk.load(.end, loader, [2])
    for index in [0, 2] {
      #expect(await readers[index].next()?.end.isEndReached == true, "\(index)")
    }
    await loader.finish()
    for index in readers.indices { #expect(await readers[index].next() == nil) }
  }

  @Test func `Placeholders are no loaded rows, so the next page comes by itself`() async throws {
    let desk = PageDesk()
    let loader = desk.loader(
      size: 2, ahead: 1, rows: PageLoaderRows(placeholder: { PagedRow(id: -1 - $0) }))
    loader.willShow([0])
    try await wait { await !loader.report.items.isEmpty }
    async let state = loader.refresh()
    try await desk.answer { _ in
      Page([PagedRow(id: 0), PagedRow(id: 1)], next: 2, countAfter: 18)
    }
    _ = await state
    #expect(await loader.rows.count == 20)
    let request = try await desk.answer([2, 3])
    #expect(request.place == .after(2))
  }

  @Test func `A shown row that gets another identifier while a page comes is near its end still`()
    async throws
  {
    let (desk, source) = (PageDesk(), PagedSource())
    let loader = desk.loader(source, size: 3, ahead: 6)
    try await desk.refresh(loader, [4, 5, 6], next: 6)
    loader.willShow([6])
    try await wait { desk.requests.count == 1 }
    try await source.update { try $0.renameItem(6, to: PagedRow(id: 60)) }
    try await desk.answer([7], next: 7)
    try await wait {
      let isLoading = loader.states.isLoading
      return desk.count == 3 || !isLoading
    }
    // The refresh, the page that has come, and the next one.
    try #require(desk.count == 3)
    #expect(try await desk.answer([8]).place == .after(7))
    try await wait { !loader.states.isLoading }
    #expect(await loader.rows == [4, 5, 60, 7, 8])
  }

  @Test func `A row of others that has found its place among loaded rows is no end of them`()
    async throws
  {
    let source = PagedSource()
    let loader = PagedBackend(1...60, cap: 5).loader(source, size: 5, ahead: 2, limit: 12)
    _ = await (loader.refresh(), loader.load(.end))
    try await source.update { try $0.insertItems([PagedRow(id: 999)], afterItem: 8) }
    for _ in 0..<2 { await loader.load(.end) }
    #expect(await loader.rows == [999] + Array(11...20))
    // It is near to the start until the page with the rows around 999 comes.
    await loader.show([11])
    try await wait { !loader.states.isLoading }
    #expect(await loader.rows == [6, 7, 8, 999] + Array(9...15))
  }

  @Test func `A row of others at an end loads one page when it is shown, under whatever names`()
    async throws
  {
    let source = PagedSource()
    let loader = try await loaderWithoutFirstPages(of: source)
    #expect(await loader.rows == [999] + Array(11...20))
    for name in [999, 777, 555] {
      await loader.show([name])
      try await wait { !loader.states.isLoading }
      #expect(await loader.rows == [name] + Array(6...15))
      let next = name - 222
      try await source.update { try $0.renameItem(name, to: PagedRow(id: next)) }
    }
  }
}
