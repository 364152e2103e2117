import Diffable
import DiffablePages
import Synchronization
import TestScope
import Testing

/// A backend whose answers a test hands out, one by one.
final class PageDesk: Sendable {
  typealias Answer = Page<PagedRow, Int>

  private struct State {
    var calls: [(number: Int, request: PageRequest<Int>)] = []
    var waiting: [Int: CheckedContinuation<Answer, any Error>] = [:]
    var count = 0
    var cancelled = 0
  }

  private let state = Lock(State())

  /// The questions that wait for an answer.
  var requests: [PageRequest<Int>] { state.withLock { $0.calls.map(\.request) } }
  /// How many questions there were so far.
  var count: Int { state.withLock { $0.count } }
  /// How many of them were cancelled.
  var cancelled: Int { state.withLock { $0.cancelled } }

  /// Waits for an answer.
  func page(for request: PageRequest<Int>) async throws -> Answer {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting in
        state.withLock { state in
          state.calls.append((number, request))
          state.waiting[number] = waiting
        }
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    let waiting = state.withLock { state in
      guard let waiting = state.waiting.removeValue(forKey: number) else {
        return nil as CheckedContinuation<Answer, any Error>?
      }
      state.calls.removeAll { $0.number == number }
      state.cancelled += 1
      return waiting
    }
    waiting?.resume(throwing: CancellationError())
  }

  /// Answers the oldest question, once there is one.
  @discardableResult
  func answer(
    _ make: (PageRequest<Int>) throws -> Answer
  ) async throws -> PageRequest<Int> {
    try await wait { !self.requests.isEmpty }
    let (call, waiting) = state.withLock { state in
      let call = state.calls.removeFirst()
      return (call, state.waiting.removeValue(forKey: call.number))
    }
    waiting?.resume(with: Result { try make(call.request) })
    return call.request
  }

  /// Answers the oldest question with rows, and a cursor where to go on.
  @discardableResult
  func answer(
    _ ids: some Sequence<Int>, previous: Int? = nil, next: Int? = nil, text: String = "new"
  ) async throws -> PageRequest<Int> {
    try await answer { _ in
      Page(ids.map { PagedRow(id: $0, text: text) }, previous: previous, next: next)
    }
  }

  /// Lets a loader refresh, and answers that with rows.
  func refresh(
    _ loader: TestedLoader, _ ids: some Sequence<Int> & Sendable, previous: Int? = nil,
    next: Int? = nil, text: String = "new"
  ) async throws {
    async let state = loader.refresh()
    try await answer(ids, previous: previous, next: next, text: text)
    _ = await state
  }

  /// Lets a loader load the page beyond an end, and answers that with rows.
  func load(
    _ end: PageEnd, _ loader: TestedLoader, _ ids: some Sequence<Int> & Sendable,
    next: Int? = nil, text: String = "new"
  ) async throws {
    async let state = loader.load(end)
    try await answer(ids, next: next, text: text)
    _ = await state
  }
}

/// What answers the questions of a loader.
protocol PageAnswering: Sendable {
  func page(for request: PageRequest<Int>) async throws -> Page<PagedRow, Int>
}

extension PageDesk: PageAnswering {}
extension PagedBackend: PageAnswering {}

extension PageAnswering {
  /// A loader whose pages come from here.
  func loader(
    _ source: PagedSource = PagedSource(), size: Int, ahead: Int = 0, limit: Int? = nil,
    from origin: PagePlace<Int> = .first,
    rows: PageLoaderRows<String, PagedRow> = PageLoaderRows()
  ) -> TestedLoader {
    TestedLoader(
      source, section: "rows",
      options: PageOptions(pageSize: size, prefetchDistance: ahead, maximumCount: limit),
      origin: origin, rows: rows
    ) { try await page(for: $0) }
  }
}

struct Offline: Error, Equatable {}

extension PageLoadState {
  /// What is compared in tests.
  var word: String { description }
}

typealias PagedSource = ModelSource<String, PagedRow>
typealias TestedLoader = PageLoader<String, PagedRow, Int>

extension PageLoader where SectionID == String, Model == PagedRow, Cursor == Int {
  /// What the section of the rows has.
  var rows: [Int] { source.assumeIsolated { $0.snapshot.itemIdentifiers(inSection: section) } }
}

/// A loader that has dropped its first two pages, and with them the rows around 999, which others have put after
/// row 3: that is followed by rows 11 to 20.
func loaderWithoutFirstPages(of source: PagedSource) async throws -> TestedLoader {
  let backend = PagedBackend(1...60, cap: 5)
  let loader = backend.loader(source, size: 5, limit: 12)
  await loader.refresh()
  try await source.update { try $0.insertItems([PagedRow(id: 999)], afterItem: 3) }
  for _ in 0..<3 { await loader.load(.end) }
  return loader
}
