import Diffable

/// The rules by which pages are requested, without concurrency and without a clock.
///
/// An event is a method call; its results are ``Actions`` for the caller to perform. The caller
/// writes a page that has arrived, and commits it, before the next event.
///
/// 1. There is at most one load for each end and for the refresh, and none at an end during a
///    refresh.
/// 2. A state is `loading` if and only if its load is running.
/// 3. If pages are loaded, an end is `endReached` if and only if there is nothing to request there.
/// 4. There is a walk if a refresh is running. Otherwise there is one only if the backend had nothing
///    new for it: then the refresh has failed, and can go on.
/// 5. A timer runs only for a load that has failed.
/// 6. Nothing runs in a machine that has finished.
struct PageMachine<Model: Identifiable & Equatable & Sendable, Cursor: Sendable>: Sendable
where Model.ID: Sendable {
  typealias Arrival = PageArrival<Model, Cursor>
  typealias Request = PageRequest<Cursor>

  /// What the caller has to do after the event.
  struct Actions: Sendable {
    /// The loads and timers to cancel.
    var ended: [Int] = []
    /// The requests to the backend, each with the number of its load.
    var started: [(number: Int, request: Request)] = []
    /// The timers to set, each with a number.
    var delayed: [(number: Int, delay: Duration)] = []

    var isEmpty: Bool { ended.isEmpty && started.isEmpty && delayed.isEmpty }
  }

  let options: PageOptions
  let origin: PagePlace<Cursor>
  /// The number of consecutive pages without a new row after which nothing more is requested.
  ///
  /// Cursors may form a circle, and a backend may have a cursor for ever. At an end, the machine
  /// pauses until a renderer shows other rows or a load is requested. A refresh fails with
  /// ``PageLoadError/noNewRows(pageCount:)``.
  static var patience: Int { 10 }

  var states = PageLoadStates()
  var ledger: PageLedger<Model, Cursor>
  var walk: PageWalk<Model, Cursor>?
  /// The numbers of the running loads.
  var running: [PageLoad: Int] = [:]
  /// The numbers of the timers after which failed loads are retried.
  var timers: [PageLoad: Int] = [:]
  /// The number of consecutive failures of each load.
  var failures: [PageLoad: Int] = [:]
  /// The number of consecutive pages without a new row.
  var fruitlessCount = 0
  /// Whether nothing is loaded until a renderer shows something or a load is requested.
  var isPaused = false
  var isFinished = false
  var lastNumber = 0

  /// - Parameter items: The kernel of the identifiers.
  init(
    options: PageOptions, origin: PagePlace<Cursor> = .first, hasPlaceholders: Bool = false,
    _ items: ElementKernel = ElementKernel(Model.ID.self)
  ) {
    (self.options, self.origin) = (options, origin)
    ledger = PageLedger(placeholderLimit: hasPlaceholders ? options.placeholderLimit : 0, items)
  }

  /// The states after an arrival has been written, with the loads that follow from it.
  func states(after arrival: Arrival, _ outcome: PageOutcome<Model>) -> PageLoadStates {
    var states = states
    switch arrival {
    case .page(let answer, let end):
      states[end] = ledger.hasMore(beyond: answer, at: end) ? .idle : .endReached
      if outcome.droppedCount > 0, states[end.far].isEndReached { states[end.far] = .idle }
    case .refresh(let answers):
      states.refresh = .idle
      for end in PageEnd.allCases {
        states[end] = ledger.hasMore(beyond: end, ofRefresh: answers) ? .idle : .endReached
      }
    }
    guard fruitlessCount(after: outcome) < Self.patience else { return states }
    for end in PageEnd.allCases where outcome.near[end] && states[end].isIdle {
      states[end] = .loading
    }
    return states
  }

  /// The number of consecutive pages without a new row, after a page or a refresh has been written.
  func fruitlessCount(after outcome: PageOutcome<Model>) -> Int {
    outcome.isFruitful ? 0 : fruitlessCount + 1
  }

  /// Checks the numbered invariants, if the `InternalChecks` trait is on.
  func _checkInvariants() {
    #if InternalChecks
    for load in PageLoad.allCases {
      precondition(states[load].isLoading == (running[load] != nil), "2: \(load)")
      precondition(timers[load] == nil || states[load].error != nil, "5: \(load)")
    }
    precondition(running[.refresh] == nil || running.count == 1, "1")
    precondition(walk != nil || running[.refresh] == nil, "4: no walk")
    precondition(
      walk == nil || running[.refresh] != nil || states.refresh.error is PageLoadError, "4: a walk")
    for end in PageEnd.allCases where !ledger.isEmpty {
      precondition(
        states[end].isEndReached == (ledger.place(beyond: end) == nil), "3: \(end)")
    }
    precondition(!isFinished || running.isEmpty && timers.isEmpty, "6")
    #endif
  }
}
