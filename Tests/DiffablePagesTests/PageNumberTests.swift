import Synchronization
import Testing
import TestScope

@testable import Diffable
@testable import DiffablePages

/// Numbers that a backend or a program gives a loader, at their extremes.
@Suite(.deadline) struct PageNumberTests {
  private static let numbers = [
    Int.min, .min + 1, -1, 0, 1, 2, 7, 1 << 32, .max / 4, .max / 4 + 1, .max / 2, .max - 1, .max,
  ]

  @Test("The least limit leaves room for a page, and for what is loaded ahead on both sides")
  func limits() {
    for (size, distance) in [(1, 0), (1, 1), (5, 2), (2, 5), (0, -3)] {
      for maximum in [Int.min, -1, 0, 1, 8, 9, 10, 50, .max] {
        let options = PageOptions(pageSize: size, prefetchDistance: distance, maximumCount: maximum)
        let least = max(1, size) + max(0, distance) + max(0, distance)
        #expect(options.limit == (maximum < least ? least : maximum), "\(size), \(distance)")
      }
      #expect(PageOptions(pageSize: size, prefetchDistance: distance).limit == nil)
    }
  }

  private func loader(
    _ options: PageOptions, _ counts: @escaping @Sendable (_ start: Int) -> (Int?, Int?)
  ) -> TestedLoader {
    TestedLoader(
      PagedSource(), section: "rows", options: options, origin: .after(40),
      rows: PageLoaderRows(placeholder: { PagedRow(id: -1 - $0) })
    ) { request in
      let start =
        switch request.place {
        case .first: 40
        case .after(let cursor): cursor
        case .before(let cursor): cursor - 2
        }
      #expect(request.size >= 1)
      let (before, after) = counts(start)
      return Page(
        [PagedRow(id: start), PagedRow(id: start + 1)], previous: start, next: start + 2,
        countBefore: before, countAfter: after)
    }
  }

  /// Expects placeholders around some rows, and nothing else.
  private func expect(
    _ loader: TestedLoader, has rows: ClosedRange<Int>, atMost limit: Int, _ comment: Comment
  ) async {
    let all = await loader.rows
    let start = Array(all.prefix(while: { $0 < 0 }))
    let end = Array(all.reversed().prefix(while: { $0 < 0 }).reversed())
    #expect(all.dropFirst(start.count).dropLast(end.count) == Array(rows)[...], comment)
    for placeholders in [start, end] {
      #expect(placeholders.count <= limit, comment)
      let indices = placeholders.map { -1 - $0 }
      #expect(indices.isEmpty || indices == Array(indices[0]..<indices[0] + indices.count), comment)
    }
  }

  @Test(arguments: numbers)
  func `Counts of a backend`(_ count: Int) async {
    let limit = 5
    for (before, after) in [(count, count), (3, count), (count, 3), (nil, count), (count, nil)] {
      let loader = loader(PageOptions(pageSize: 2, maximumPlaceholderCount: limit)) { _ in
        (before, after)
      }
      let comment: Comment = "\(String(describing: before)), \(String(describing: after))"
      #expect(await loader.refresh().isIdle, comment)
      await expect(loader, has: 40...41, atMost: limit, comment)
      let rows = await loader.rows
      #expect(
        rows.count == 2 + min(limit, max(0, before ?? 0)) + min(limit, max(0, after ?? 0)), comment)
      await loader.load(.end)
      await expect(loader, has: 40...43, atMost: limit, comment)
      await loader.load(.start)
      await expect(loader, has: 38...43, atMost: limit, comment)
      #expect(await loader.refresh().isIdle, comment)
      await expect(loader, has: 38...43, atMost: limit, comment)
    }
  }

  @Test(arguments: PageEnd.allCases)
  func `Where no cursor leads there is no placeholder, whatever is counted there`(
    _ end: PageEnd
  ) async {
    let loader = TestedLoader(
      PagedSource(), section: "rows", options: PageOptions(pageSize: 2),
      rows: PageLoaderRows(placeholder: { PagedRow(id: -1 - $0) })
    ) { _ in
      Page(
        [PagedRow(id: 40), PagedRow(id: 41)], previous: end == .start ? nil : 40,
        next: end == .end ? nil : 42, countBefore: 3, countAfter: 3)
    }
    for _ in 0..<2 {
      #expect(await loader.refresh().isIdle)
      let rows = await loader.rows
      #expect((end == .start ? rows.first : rows.last) == (end == .start ? 40 : 41))
      #expect(rows.count == 5)
    }
  }

  @Test(arguments: numbers)
  func `Counts that differ from page to page`(_ count: Int) async {
    let loader = loader(PageOptions(pageSize: 2, maximumPlaceholderCount: 4)) { start in
      start == 40 ? (count, 3) : start < 40 ? (2, count) : (3, count)
    }
    for _ in 0..<2 {
      await loader.refresh()
      await loader.load(.end)
      await loader.load(.start)
    }
    await expect(loader, has: 36...45, atMost: 4, "\(count)")
  }

  @Test func `Counts that one page has hold for a refresh of several`() async {
    let loader = loader(PageOptions(pageSize: 2)) { $0 == 40 ? (3, 9) : (nil, nil) }
    await loader.refresh()
    for end in [PageEnd.end, .start] {
      await loader.load(end)
      let rows = await loader.rows
      #expect(rows.count == 14)
      #expect(await loader.refresh().isIdle)
      #expect(await loader.rows == rows)
    }
  }

  @Test(arguments: numbers)
  func `Options of a program`(_ number: Int) async {
    for options in [
      PageOptions(pageSize: number), PageOptions(prefetchDistance: number),
      PageOptions(maximumCount: number),
      PageOptions(pageSize: number, prefetchDistance: number, maximumCount: number),
      PageOptions(pageSize: 2, prefetchDistance: 0, maximumCount: number),
      PageOptions(pageSize: 2, maximumPlaceholderCount: min(number, 9)),
    ] {
      let loader = loader(options) { start in (3, 4) }
      #expect(await loader.refresh().isIdle)
      for end in [PageEnd.end, .start, .end] { await loader.load(end) }
      #expect(!loader.states.isLoading)
      #expect(await loader.refresh().isIdle)
      let rows = await loader.rows.filter { $0 >= 0 }
      #expect(!rows.isEmpty && rows == Array(rows[0]...rows[rows.count - 1]), "\(options)")
      #expect(PageOptions(maximumPlaceholderCount: number).placeholderLimit <= 10_000_000)
    }
  }

  @Test(arguments: [
    Duration.seconds(Int64.min), .seconds(-1), .zero, .nanoseconds(1), .seconds(Int64.max),
  ])
  func `Delays of retries`(_ delay: Duration) async throws {
    let loader = TestedLoader(
      PagedSource(), section: "rows", options: PageOptions(retryDelays: [delay])
    ) { _ in throw Offline() }
    #expect(await loader.refresh().error is Offline)
    await loader.cancel()
    // Without a delay the retry may have begun before it was cancelled.
    #expect(!loader.states.isLoading)
  }

  @Test func `More placeholders than there may be: those next to the rows`() async {
    let loader = loader(PageOptions(pageSize: 2, maximumPlaceholderCount: 2)) { start in
      (start, 100 - start)
    }
    await loader.refresh()
    #expect(await loader.rows == [-39, -40, 40, 41, -43, -44])
    await loader.load(.end)
    #expect(await loader.rows == [-39, -40, 40, 41, 42, 43, -45, -46])
    await loader.load(.start)
    #expect(await loader.rows == [-37, -38, 38, 39, 40, 41, 42, 43, -45, -46])
  }

  @Test func `Very many placeholders are each made once`() async {
    // Each is looked up a few times, whatever others there are.
    let count = scoped(usual: 20_000, wide: 200_000)
    let loader = loader(PageOptions()) { _ in (nil, count) }
    await loader.refresh()
    #expect(await loader.rows.count == 2 + count)
  }

  @Test(
    "Rows that are at the other end all of a sudden",
    arguments: [(18, 0), (0, 18), (2, 9)], [(3, 15), (15, 3), (0, 0)])
  func crossing(first: (Int, Int), then: (Int, Int)) async {
    let counts = Lock(first)
    let loader = loader(PageOptions(pageSize: 2)) { _ in counts.withLock { ($0.0, $0.1) } }
    #expect(await loader.refresh().isIdle)
    counts.withLock { $0 = then }
    #expect(await loader.refresh().isIdle)
    let end = then.0 + 2..<then.0 + 2 + then.1
    #expect(await loader.rows == (0..<then.0).map { -1 - $0 } + [40, 41] + end.map { -1 - $0 })
  }
}
