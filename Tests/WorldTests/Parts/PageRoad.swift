import ListSupport
import Synchronization
import TestScope

@testable import Diffable
@testable import DiffablePages

/// The road to a backend: questions wait there until the program answers them.
final class PageRoad: Sendable {
  private typealias Waiting = CheckedContinuation<Page<Card, Int>, any Error>

  private struct State {
    var questions: [(number: Int, request: PageRequest<Int>, waiting: Waiting)] = []
    /// Questions that were given up; a backend that does not know it may still answer.
    var late: [Waiting] = []
    /// Those that were given up before they were on the road.
    var cancelled: Set<Int> = []
    var last = 0
    var isClosed = false
  }

  private let state = Lock(State())

  /// How many questions wait that somebody wants to be answered.
  var count: Int { state.withLock { $0.questions.count } }

  var oldest: (number: Int, request: PageRequest<Int>)? {
    state.withLock { state in state.questions.first.map { ($0.number, $0.request) } }
  }

  func page(for request: PageRequest<Int>) async throws -> Page<Card, Int> {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting in
        let isGivenUp = state.withLock { state in
          if state.isClosed || state.cancelled.contains(number) { return true }
          state.questions.append((number, request, waiting))
          return false
        }
        if isGivenUp { waiting.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  private func giveUp(_ number: Int) {
    state.withLock { state in
      state.cancelled.insert(number)
      guard let index = state.questions.firstIndex(where: { $0.number == number }) else { return }
      state.late.append(state.questions.remove(at: index).waiting)
    }
    if state.withLock({ $0.isClosed }) { close() }
  }

  func answer(_ number: Int, with result: Result<Page<Card, Int>, any Error>) {
    let waiting = state.withLock { state in
      state.questions.firstIndex { $0.number == number }.map {
        state.questions.remove(at: $0).waiting
      }
    }
    waiting?.resume(with: result)
  }

  /// Answers what nobody wants to know any more.
  func answerLate(_ page: Page<Card, Int>) {
    let waiting = state.withLock { $0.late.popLast() }
    waiting?.resume(returning: page)
  }

  /// Lets nobody wait for ever.
  func close() {
    let all = state.withLock { state in
      defer { (state.questions, state.late, state.isClosed) = ([], [], true) }
      return state.questions.map(\.waiting) + state.late
    }
    for waiting in all { waiting.resume(throwing: CancellationError()) }
  }
}

extension PageRequest {
  var isBefore: Bool { if case .before = place { true } else { false } }
}

extension PageLoader {
  var runningCount: Int { machine.running.count }
  var pageCount: Int { machine.ledger.numbers.count }
  /// The indices that have placeholders at both ends.
  var placeholders: EndPair<Range<Int>> {
    let placeholders = machine.ledger.placeholders
    return EndPair(start: placeholders.start, end: placeholders.end)
  }

  /// The end at which a page is asked for, after a page with a cursor.
  func end(of request: PageRequest<Int>, after cursor: Int?) -> PageEnd {
    let running = PageEnd.allCases.filter { machine.running[PageLoad($0)] != nil }
    if let end = running.first, running.count == 1 { return end }
    return request.place == cursor.map { .after($0) } ? .end : .start
  }

  /// Begins a load, and the first one with a refresh.
  ///
  /// - Returns: Whether a refresh has begun.
  func begin(
    _ event: @escaping @Sendable (inout Machine, [Model.ID]) -> Machine.Actions
  ) -> Bool {
    step { [shown] in $0.ledger.isEmpty ? $0.refresh(shown: shown) : event(&$0, shown) }
    return machine.states.refresh.isLoading
  }
}

/// The contradictions that the loader has told of since the last event.
final class Told: Sendable {
  private let conflicts = Lock<[PageConflict<Card>]>([])

  func add(_ new: [PageConflict<Card>]) { conflicts.withLock { $0 += new } }

  func take() -> [PageConflict<Card>] {
    conflicts.withLock { conflicts in
      defer { conflicts = [] }
      return conflicts
    }
  }
}

extension PageLoadStates {
  var isWhole: Bool { start.isEndReached && end.isEndReached }
}
