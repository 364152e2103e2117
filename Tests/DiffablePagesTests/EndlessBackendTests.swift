import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffablePages

/// Backends whose pages have a cursor for ever: a loader asks them a few times, says so, and goes on
/// when it is told to.
@Suite(.deadline) struct EndlessBackendTests {
  /// What a backend answers beyond the pages that it has.
  enum Habit: CaseIterable { case emptyPages, theSameEmptyPage, aRowThatIsThere }

  /// A backend with four pages of twenty rows, which begins with the third.
  private final class Backend: Sendable {
    struct State {
      var places: [PagePlace<Int>] = []
      /// Whether its outermost page has no rows any more.
      var hasShrunk = false
      /// Whether there is always a cursor.
      var isEndless = false
    }

    let state = Lock(State())
    private let habit: Habit
    /// The end at which it has no end.
    private let end: PageEnd

    init(_ habit: Habit, at end: PageEnd) { (self.habit, self.end) = (habit, end) }

    var places: [PagePlace<Int>] { state.withLock { $0.places } }

    /// A cursor is the number of a page; the pages from 0 to 3 have rows.
    func page(for request: PageRequest<Int>) -> Page<PagedRow, Int> {
      let state = state.withLock { state in
        state.places.append(request.place)
        return state
      }
      let number =
        switch request.place {
        case .first: 2
        case .after(let cursor): cursor + 1
        case .before(let cursor): cursor - 1
        }
      let isBeyond = !(0...3).contains(number)
      let isGone = isBeyond || state.hasShrunk && number == (end == .end ? 3 : 0)
      let rows = !isGone ? number * 20..<number * 20 + 20 : 0..<0
      func cursor(_ side: PageEnd) -> Int? {
        let isLast = side == .end ? number >= 3 : number <= 0
        guard isLast else { return number }
        guard side == end, state.isEndless else { return nil }
        return isBeyond && habit == .theSameEmptyPage ? number + (end == .end ? -1 : 1) : number
      }
      return Page(
        (isBeyond && habit == .aRowThatIsThere ? 40..<41 : rows).map { PagedRow(id: $0) },
        previous: cursor(.start), next: cursor(.end))
    }
  }

  private static let patience = TestedLoader.Machine.patience

  /// A loader that has loaded all rows.
  private func loaded(_ backend: Backend, _ options: PageOptions) async -> TestedLoader {
    let loader = TestedLoader(PagedSource(), section: "rows", options: options) {
      backend.page(for: $0)
    }
    await loader.refresh()
    for end in [PageEnd.end, .start, .start] { await loader.load(end) }
    #expect(await loader.rows == Array(0..<80))
    return loader
  }

  @Test(arguments: Habit.allCases, PageEnd.allCases)
  func `A refresh fails, nothing has changed, and it can go on`(
    _ habit: Habit, _ end: PageEnd
  ) async throws {
    let backend = Backend(habit, at: end)
    let loader = await loaded(backend, PageOptions(pageSize: 20, prefetchDistance: 0))
    let revision = await loader.source.revision
    backend.state.withLock { ($0.hasShrunk, $0.isEndless, $0.places) = (true, true, []) }
    let state = await loader.refresh()
    #expect(state.error as? PageLoadError == .noNewRows(pageCount: Self.patience))
    #expect(await loader.rows == Array(0..<80))
    #expect(await loader.source.revision == revision)
    #expect(loader.states.isLoading == false)
    let count = backend.places.count
    #expect(count <= 4 + Self.patience)

    await loader.retry()
    try await wait { !loader.states.isLoading }
    #expect(loader.states.refresh.error is PageLoadError)
    #expect(backend.places.count == count + Self.patience)
    if habit == .emptyPages {
      #expect(Set(backend.places.map { "\($0)" }).count == backend.places.count, "it goes on")
    }
    // A new refresh begins again.
    _ = await loader.refresh()
    #expect(backend.places.dropFirst(count + Self.patience).first == .first)
    #expect(await loader.rows == Array(0..<80))

    backend.state.withLock { $0.isEndless = false }
    await loader.retry()
    try await wait { !loader.states.isLoading }
    #expect(loader.states.refresh.isIdle)
    // A row that is repeated before the others is at its first place.
    #expect(await loader.rows.sorted() == (end == .end ? Array(0..<60) : Array(20..<80)))
  }

  @Test(arguments: PageEnd.allCases)
  func `A page that is loaded in between lets a refresh begin again`(_ end: PageEnd) async throws {
    let backend = Backend(.emptyPages, at: end)
    backend.state.withLock { $0.isEndless = true }
    let loader = await loaded(backend, PageOptions(pageSize: 20, prefetchDistance: 0))
    backend.state.withLock { $0.hasShrunk = true }
    #expect(await loader.refresh().error is PageLoadError)
    await loader.load(end)
    backend.state.withLock { ($0.isEndless, $0.places) = (false, []) }
    await loader.retry()
    try await wait { !loader.states.isLoading }
    #expect(loader.states.refresh.isIdle)
    #expect(backend.places.contains(.first), "what was loaded is not forgotten")
  }

  @Test func `Automatic retries of a refresh are as many as there are delays`() async throws {
    let backend = Backend(.emptyPages, at: .end)
    let loader = TestedLoader(
      PagedSource(options: SourceOptions(clock: ImmediateClock())), section: "rows",
      options: PageOptions(pageSize: 20, prefetchDistance: 0, retryDelays: [.zero, .seconds(3600)])
    ) { backend.page(for: $0) }
    await loader.refresh()
    await loader.load(.end)
    backend.state.withLock { ($0.hasShrunk, $0.isEndless, $0.places) = (true, true, []) }
    _ = await loader.refresh()
    try await wait { backend.places.count >= 1 + 3 * Self.patience }
    try await wait { !loader.states.isLoading }
    #expect(loader.states.refresh.error is PageLoadError)
    #expect(backend.places.count <= 2 + 3 * Self.patience)
  }

  @Test(arguments: Habit.allCases, PageEnd.allCases)
  func `An end pauses, whatever a renderer repeats, and goes on when it is asked to`(
    _ habit: Habit, _ end: PageEnd
  ) async throws {
    let backend = Backend(habit, at: end)
    backend.state.withLock { $0.isEndless = true }
    let loader = await loaded(backend, PageOptions(pageSize: 20, prefetchDistance: 0))
    backend.state.withLock { $0.places = [] }
    let row = end == .end ? 79 : 0
    await loader.show([row])
    try await wait { !loader.states.isLoading }
    let count = backend.places.count
    #expect((1...Self.patience).contains(count))
    // A row that shows a state comes and goes with the loads; it is not news.
    for shown in [[row], [row, -1], [row], [-1, row]] {
      await loader.show(shown)
      #expect(loader.states.isLoading == false)
    }
    #expect(backend.places.count == count)
    #expect(loader.states[PageLoad(end)].isIdle, "there may be more")

    await loader.load(end)
    #expect(backend.places.count == count + 1)
    await loader.show([row, 40])
    try await wait { !loader.states.isLoading }
    #expect(backend.places.count <= count + 1 + Self.patience)
    #expect(await loader.rows == Array(0..<80))
  }
}
