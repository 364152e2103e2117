import Diffable
internal import Synchronization

/// An end of the loaded rows.
public enum PageEnd: String, Hashable, Sendable, CaseIterable {
  /// The end before the first row; the page beyond it is inserted before all others.
  case start
  /// The end after the last row; the page beyond it is inserted after all others.
  case end

  /// The other end.
  var far: PageEnd { self == .start ? .end : .start }
}

/// The kinds of loads of a loader.
public enum PageLoad: String, Hashable, Sendable, CaseIterable {
  /// The first page, or everything that is loaded, once more.
  case refresh
  /// The page before the first row.
  case start
  /// The page after the last row.
  case end

  /// The load of the page beyond an end.
  ///
  /// - Parameter end: The end.
  package init(_ end: PageEnd) { self = end == .start ? .start : .end }

  /// The end of the load; `nil` for a refresh.
  var end: PageEnd? { PageEnd(rawValue: rawValue) }
}

/// The state of a load.
public enum PageLoadState: Sendable {
  /// Nothing is being loaded. At an end, there may be more.
  case idle
  /// A request to the backend is running.
  case loading
  /// The backend threw this error, or the source rejected the page.
  ///
  /// The state stays until the load is requested again, see ``PageLoader/retry()``.
  case failed(any Error)
  /// The backend has no more rows at this end; a refresh is never in this state.
  case endReached

  /// Whether a request to the backend is running.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// Whether the backend has no more rows at this end.
  package var isEndReached: Bool {
    if case .endReached = self { true } else { false }
  }

  /// The error, if the load failed.
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  var isIdle: Bool {
    if case .idle = self { true } else { false }
  }
}

extension PageLoadState: CustomStringConvertible {
  /// The state in a word, with the error if there is one.
  public var description: String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .failed(let error): "failed: \(error)"
    case .endReached: "end reached"
    }
  }
}

/// The states of all loads of a loader at one moment.
public struct PageLoadStates: Sendable {
  /// The state of the refresh, the first page included.
  public internal(set) var refresh = PageLoadState.idle
  /// The state at the start.
  public internal(set) var start = PageLoadState.idle
  /// The state at the end.
  public internal(set) var end = PageLoadState.idle

  /// The states of a new loader.
  public init() {}

  /// The state of one load.
  public internal(set) subscript(load: PageLoad) -> PageLoadState {
    get {
      switch load {
      case .refresh: refresh
      case .start: start
      case .end: end
      }
    }
    set {
      switch load {
      case .refresh: refresh = newValue
      case .start: start = newValue
      case .end: end = newValue
      }
    }
  }

  /// Whether anything is being loaded.
  public var isLoading: Bool { PageLoad.allCases.contains { self[$0].isLoading } }

  subscript(end: PageEnd) -> PageLoadState {
    get { self[PageLoad(end)] }
    set { self[PageLoad(end)] = newValue }
  }
}

extension PageLoadStates: CustomStringConvertible {
  /// The three states in one line.
  public var description: String { "refresh \(refresh), start \(start), end \(end)" }
}

/// Why a loader has ended a load by itself although the backend answered.
public enum PageLoadError: Error, Hashable, Sendable {
  /// The backend has answered a refresh with this many pages in a row that have a cursor to more
  /// rows, but no row that the refresh does not have already.
  ///
  /// Nothing has changed in the list. ``PageLoader/retry()`` continues after the last of these pages;
  /// ``PageLoader/refresh()`` begins again.
  case noNewRows(pageCount: Int)
}

extension PageLoadError: CustomStringConvertible {
  /// What the backend has answered.
  public var description: String {
    switch self {
    case .noNewRows(let pageCount): "\(pageCount) pages in a row have a cursor and no new row"
    }
  }
}

/// The states of the loads, for those who show them.
///
/// They are not part of the actor: a status row or a button must not wait until a page is written.
final class PublishedStates: Sendable {
  private struct State {
    var states = PageLoadStates()
    var isFinished = false
    var observers: [Int: AsyncStream<PageLoadStates>.Continuation] = [:]
    /// The number of the last observer.
    var lastObserver = 0
  }

  private let state = Lock(State())

  deinit { finish() }

  /// The present states.
  var states: PageLoadStates { state.withLock { $0.states } }

  /// The present states, then every change.
  func stream() -> AsyncStream<PageLoadStates> {
    let (stream, observer) = AsyncStream.makeStream(
      of: PageLoadStates.self, bufferingPolicy: .bufferingNewest(1))
    let number: Int? = state.withLock { state in
      // Nobody waits for the stream yet, so this resumes nothing.
      observer.yield(state.states)
      guard !state.isFinished else { return nil }
      state.lastObserver += 1
      state.observers[state.lastObserver] = observer
      return state.lastObserver
    }
    guard let number else {
      observer.finish()
      return stream
    }
    observer.onTermination = { [weak self] _ in self?.forget(number) }
    return stream
  }

  /// Sends other states to the observers; called by one task at a time.
  func publish(_ states: PageLoadStates) {
    // Errors of the user are released after the lock.
    let (former, observers) = state.withLock { state in
      defer { state.states = states }
      return (state.states, state.observers)
    }
    withExtendedLifetime(former) {
      for observer in observers.values { observer.yield(states) }
    }
  }

  /// Ends all streams, also those that are made later.
  func finish() {
    let observers = state.withLock { state in
      state.isFinished = true
      defer { state.observers = [:] }
      return state.observers
    }
    for observer in observers.values { observer.finish() }
  }

  private func forget(_ number: Int) {
    _ = state.withLock { $0.observers.removeValue(forKey: number) }
  }
}
