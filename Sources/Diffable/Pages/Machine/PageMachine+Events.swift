extension PageMachine {
  // MARK: What is asked of the loader

  /// Loads the first page, or all that is loaded again; does nothing while that is under way.
  ///
  /// - Parameter shown: What a renderer shows.
  mutating func refresh(shown: [Model.ID]) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard !isFinished, running[.refresh] == nil else { return actions }
    isPaused = false
    beginRefresh(shown, &actions)
    return actions
  }

  /// Loads the page beyond an end, if there may be one and nothing is in the way.
  mutating func load(_ end: PageEnd) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    isPaused = false
    begin(end, &actions)
    return actions
  }

  /// Tries failed loads again.
  mutating func retry(shown: [Model.ID]) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard !isFinished else { return actions }
    isPaused = false
    if states.refresh.error != nil {
      beginRefresh(shown, &actions)
    } else {
      for end in PageEnd.allCases where states[end].error != nil { begin(end, &actions) }
    }
    return actions
  }

  /// A renderer shows something.
  ///
  /// - Parameter near: The ends that it is near to.
  mutating func show(near: EndPair<Bool>) -> Actions {
    isPaused = false
    fruitlessCount = 0
    return follow(near)
  }

  /// Loads what is needed where a renderer is, but for what has failed.
  mutating func follow(_ near: EndPair<Bool>) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard !isPaused else { return actions }
    for end in PageEnd.allCases where near[end] && states[end].isIdle { begin(end, &actions) }
    return actions
  }

  /// Cancels what is running, until a renderer shows something or somebody asks.
  mutating func cancel() -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    isPaused = true
    for load in PageLoad.allCases { end(load, &actions) }
    return actions
  }

  /// Cancels what is running, for good.
  mutating func finish() -> Actions {
    defer { _checkInvariants() }
    isFinished = true
    return cancel()
  }

  // MARK: What comes back

  /// Takes a page that has come.
  ///
  /// - Returns: What is to be written, if the page was still wanted and a refresh has come to its
  ///   end; and what to do. Call ``commit(_:_:)`` when it is written, else ``refuse(_:_:)``.
  mutating func receive(
    _ page: Page<Model, Cursor>, of number: Int
  ) -> (arrival: Arrival?, actions: Actions) {
    defer { _checkInvariants() }
    var actions = Actions()
    guard let load = running.first(where: { $0.value == number })?.key else {
      return (nil, actions)
    }
    guard let end = load.end else {
      guard var walk else { return (nil, actions) }
      // One holder alone, so that nothing is copied.
      self.walk = nil
      let goesOn = walk.take(page)
      self.walk = walk
      guard goesOn else { return (.refresh(walk.answers), actions) }
      start(load, PageRequest(walk.place, size: walk.size, isRefresh: true), &actions)
      return (nil, actions)
    }
    guard let place = ledger.place(beyond: end) else { return (nil, actions) }
    return (.page(PageAnswer(page, from: place), at: end), actions)
  }

  /// Takes what has been written into the ledger, and goes on.
  mutating func commit(_ arrival: Arrival, _ outcome: PageOutcome<Model>) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    let next = states(after: arrival, outcome)
    fruitlessCount = outcome.isFruitful ? 0 : fruitlessCount + 1
    switch arrival {
    case .page(let answer, let end):
      ledger.take(answer, at: end, outcome)
      settle(PageLoad(end))
    case .refresh(let answers):
      ledger.take(refresh: answers, outcome)
      walk = nil
      for load in PageLoad.allCases {
        stopTimer(load, &actions)
        settle(load)
      }
    }
    states = next
    for end in PageEnd.allCases where next[end].isLoading && running[end] == nil {
      begin(end, &actions)
    }
    return actions
  }

  /// Takes it that a load has failed, or that what it brought was refused.
  mutating func refuse(_ number: Int, _ error: any Error) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard let load = running.first(where: { $0.value == number })?.key else { return actions }
    running[load] = nil
    if load == .refresh { walk = nil }
    states[load] = .failed(error)
    let attempt = failures[load, default: 0]
    failures[load] = attempt + 1
    if attempt < options.retryDelays.count {
      lastNumber += 1
      timers[load] = lastNumber
      actions.delayed.append((lastNumber, options.retryDelays[attempt]))
    }
    return actions
  }

  /// Takes it that the time of a timer is over.
  mutating func elapse(_ number: Int, shown: [Model.ID]) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard let load = timers.first(where: { $0.value == number })?.key else { return actions }
    timers[load] = nil
    if let end = load.end { begin(end, &actions) } else { beginRefresh(shown, &actions) }
    return actions
  }

  // MARK: Steps

  private mutating func beginRefresh(_ shown: [Model.ID], _ actions: inout Actions) {
    for end in PageEnd.allCases { self.end(PageLoad(end), &actions) }
    let walk = PageWalk(over: ledger, from: origin, shown: shown, pageSize: options.size)
    self.walk = walk
    start(.refresh, PageRequest(walk.place, size: walk.size, isRefresh: true), &actions)
  }

  private mutating func begin(_ end: PageEnd, _ actions: inout Actions) {
    guard !isFinished, running[.refresh] == nil, running[PageLoad(end)] == nil,
      let place = ledger.place(beyond: end)
    else { return }
    start(PageLoad(end), PageRequest(place, size: options.size), &actions)
  }

  private mutating func start(_ load: PageLoad, _ request: Request, _ actions: inout Actions) {
    stopTimer(load, &actions)
    lastNumber += 1
    running[load] = lastNumber
    states[load] = .loading
    actions.started.append((lastNumber, request))
  }

  /// Ends a load that is running, and the timer of one that has failed.
  private mutating func end(_ load: PageLoad, _ actions: inout Actions) {
    stopTimer(load, &actions)
    guard let number = running.removeValue(forKey: load) else { return }
    actions.ended.append(number)
    states[load] = .idle
    if load == .refresh { walk = nil }
  }

  /// A load has come to its end.
  private mutating func settle(_ load: PageLoad) {
    running[load] = nil
    failures[load] = nil
  }

  private mutating func stopTimer(_ load: PageLoad, _ actions: inout Actions) {
    guard let number = timers.removeValue(forKey: load) else { return }
    actions.ended.append(number)
  }
}

extension Dictionary where Key == PageLoad {
  fileprivate subscript(end: PageEnd) -> Value? { self[PageLoad(end)] }
}
