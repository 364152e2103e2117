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
/// 7. A load is wanted only while it is running, or while a refresh is.
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
  var walk: PageRefresh<Model, Cursor>?
  /// The numbers of the running loads.
  var running: [PageLoad: Int] = [:]
  /// The numbers of the timers after which failed loads are retried.
  var timers: [PageLoad: Int] = [:]
  /// The number of consecutive failures of each load.
  var failures: [PageLoad: Int] = [:]
  /// The number of consecutive pages without a new row.
  var fruitlessCount = 0
  /// The ends at which a load was requested that has not ended yet; one during a refresh follows it.
  var wanted: Set<PageEnd> = []
  /// Whether nothing is loaded until a renderer shows something or a load is requested.
  var isPaused = false
  var isFinished = false
  var lastNumber = 0
  /// What the present event makes the caller do.
  private var actions = Actions()

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
    let follows = fruitlessCount(after: outcome) < Self.patience
    for end in PageEnd.allCases where states[end].isIdle {
      if follows && outcome.near[end] || arrival.end == nil && wanted.contains(end) {
        states[end] = .loading
      }
    }
    return states
  }

  /// The number of consecutive pages without a new row, after a page or a refresh has been written.
  func fruitlessCount(after outcome: PageOutcome<Model>) -> Int {
    outcome.isFruitful ? 0 : fruitlessCount + 1
  }

  /// Checks the numbered invariants, if ``checksInvariants``.
  func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
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
    for end in wanted {
      precondition(running[end] != nil || running[.refresh] != nil, "7: \(end)")
    }
    #endif
  }
}

extension PageMachine {
  // MARK: Requests to the loader

  /// Loads the first page, or reloads everything that is loaded; does nothing during a refresh.
  ///
  /// - Parameter shown: The items that a renderer shows.
  mutating func refresh(shown: [Model.ID]) -> Actions {
    guard !isFinished, running[.refresh] == nil else { return Actions() }
    isPaused = false
    walk = nil
    resumeRefresh(shown)
    return takeActions()
  }

  /// Loads the page beyond an end if there may be one; after the refresh, if one is running.
  mutating func load(_ end: PageEnd) -> Actions {
    isPaused = false
    wanted.insert(end)
    begin(end)
    forgetLoadsThatHaveEnded()
    return takeActions()
  }

  /// Retries failed loads.
  mutating func retry(shown: [Model.ID]) -> Actions {
    guard !isFinished else { return Actions() }
    isPaused = false
    if states.refresh.error != nil {
      resumeRefresh(shown)
    } else {
      for end in PageEnd.allCases where states[end].error != nil { begin(end) }
    }
    return takeActions()
  }

  /// Handles a report of what a renderer shows.
  ///
  /// - Parameters:
  ///   - near: The ends that it is near to.
  ///   - areOthers: Whether the shown rows are not those that it reported before. A row that shows
  ///     the state of a load is no news: it goes when the machine pauses.
  mutating func show(near: EndPair<Bool>, areOthers: Bool) -> Actions {
    isPaused = false
    if areOthers { fruitlessCount = 0 }
    return follow(near)
  }

  /// Loads what is needed at the position of a renderer, except what has failed.
  mutating func follow(_ near: EndPair<Bool>) -> Actions {
    guard !isPaused, fruitlessCount < Self.patience else { return Actions() }
    for end in PageEnd.allCases where near[end] && states[end].isIdle { begin(end) }
    return takeActions()
  }

  /// Cancels running loads, until a renderer shows something or a load is requested.
  mutating func cancel() -> Actions {
    isPaused = true
    wanted = []
    for load in PageLoad.allCases { end(load) }
    return takeActions()
  }

  /// Cancels running loads for good.
  mutating func finish() -> Actions {
    isFinished = true
    return cancel()
  }

  // MARK: Results of loads

  /// Handles a page that has arrived.
  ///
  /// - Returns: What to write, if the page is still wanted and, in a refresh, is the last one; and
  ///   the actions. Call ``commit(_:_:)`` when it is written, or ``refuse(_:_:)`` if that fails.
  mutating func receive(
    _ page: Page<Model, Cursor>, of number: Int
  ) -> (arrival: Arrival?, actions: Actions) {
    let arrival = take(page, of: number)
    return (arrival, takeActions())
  }

  private mutating func take(_ page: Page<Model, Cursor>, of number: Int) -> Arrival? {
    guard let load = running.first(where: { $0.value == number })?.key else { return nil }
    if let end = load.end {
      return ledger.place(beyond: end).map {
        .page(PageAnswer(page, from: $0, ledger.items), at: end)
      }
    }
    guard var walk else { return nil }
    // The walk must have a single holder, so that nothing is copied.
    self.walk = nil
    let goesOn = walk.take(page)
    self.walk = walk
    guard goesOn else { return .refresh(walk.answers) }
    if walk.fruitlessCount < Self.patience {
      request(walk)
    } else {
      fail(.refresh, PageLoadError.noNewRows(pageCount: walk.fruitlessCount))
    }
    return nil
  }

  /// Records in the ledger what has been written, and continues.
  mutating func commit(_ arrival: Arrival, _ outcome: PageOutcome<Model>) -> Actions {
    let next = states(after: arrival, outcome)
    fruitlessCount = fruitlessCount(after: outcome)
    switch arrival {
    case .page(let answer, let end):
      ledger.take(answer, at: end, outcome)
      settle(PageLoad(end))
      wanted.remove(end)
      // A refresh that could go on would not know of these rows.
      walk = nil
    case .refresh(let answers):
      ledger.take(refresh: answers, outcome)
      walk = nil
      for load in PageLoad.allCases { settle(load) }
    }
    states = next
    for end in PageEnd.allCases where next[end].isLoading && running[end] == nil {
      begin(end)
    }
    forgetLoadsThatHaveEnded()
    return takeActions()
  }

  /// Handles a load that failed, or whose result was rejected.
  mutating func refuse(_ number: Int, _ error: any Error) -> Actions {
    guard let load = running.first(where: { $0.value == number })?.key else { return Actions() }
    if load == .refresh { walk = nil }
    fail(load, error)
    return takeActions()
  }

  /// Handles the end of a timer.
  mutating func elapse(_ number: Int, shown: [Model.ID]) -> Actions {
    guard let load = timers.first(where: { $0.value == number })?.key else { return Actions() }
    timers[load] = nil
    if let end = load.end { begin(end) } else { resumeRefresh(shown) }
    return takeActions()
  }

  // MARK: Steps

  /// Ends an event.
  private mutating func takeActions() -> Actions {
    _checkInvariants()
    defer { actions = Actions() }
    return actions
  }

  /// Begins a refresh, or continues the one that ended after pages without a new row.
  private mutating func resumeRefresh(_ shown: [Model.ID]) {
    for end in PageEnd.allCases { self.end(PageLoad(end)) }
    var walk =
      walk ?? PageRefresh(over: ledger, from: origin, shown: shown, pageSize: options.size)
    walk.fruitlessCount = 0
    self.walk = walk
    request(walk)
  }

  private mutating func request(_ walk: PageRefresh<Model, Cursor>) {
    start(.refresh, PageRequest(walk.place, size: walk.size, isRefresh: true))
  }

  private mutating func begin(_ end: PageEnd) {
    guard !isFinished, running[.refresh] == nil, running[PageLoad(end)] == nil,
      let place = ledger.place(beyond: end)
    else { return }
    start(PageLoad(end), PageRequest(place, size: options.size))
  }

  /// Begins the loads that had to wait for a refresh.
  private mutating func beginWantedLoads() {
    for end in PageEnd.allCases where wanted.contains(end) { begin(end) }
    forgetLoadsThatHaveEnded()
  }

  private mutating func forgetLoadsThatHaveEnded() {
    guard running[.refresh] == nil else { return }
    wanted = wanted.filter { running[$0] != nil }
  }

  private mutating func start(_ load: PageLoad, _ request: Request) {
    stopTimer(load)
    lastNumber += 1
    running[load] = lastNumber
    states[load] = .loading
    actions.started.append((lastNumber, request))
  }

  /// Records that a load has failed, and sets the timer of an automatic retry.
  private mutating func fail(_ load: PageLoad, _ error: any Error) {
    running[load] = nil
    states[load] = .failed(error)
    let attempt = failures[load, default: 0]
    failures[load] = attempt + 1
    if let end = load.end { wanted.remove(end) } else { beginWantedLoads() }
    guard attempt < options.retryDelays.count else { return }
    lastNumber += 1
    timers[load] = lastNumber
    actions.delayed.append((lastNumber, options.retryDelays[attempt]))
  }

  /// Ends a running load, and the timer of a failed one.
  private mutating func end(_ load: PageLoad) {
    stopTimer(load)
    guard let number = running.removeValue(forKey: load) else { return }
    actions.ended.append(number)
    states[load] = .idle
    if load == .refresh { walk = nil }
  }

  /// Records that a load has ended.
  private mutating func settle(_ load: PageLoad) {
    running[load] = nil
    failures[load] = nil
  }

  private mutating func stopTimer(_ load: PageLoad) {
    guard let number = timers.removeValue(forKey: load) else { return }
    actions.ended.append(number)
  }
}

extension Dictionary where Key == PageLoad {
  fileprivate subscript(end: PageEnd) -> Value? { self[PageLoad(end)] }
}
