import Diffable

extension PageLoader {
  typealias Machine = PageMachine<Model, Cursor>

  typealias Event = (inout Machine) -> Machine.Actions

  /// Passes an event to the machine, and performs the resulting actions.
  ///
  /// Code of the user that runs inside a step may cause another event. It comes after the step.
  func step(_ event: @escaping Event) {
    guard !isStepping else { return events.append(event) }
    inTurn { take(event) }
  }

  private func take(_ event: Event) {
    perform(event(&machine))
    publish(machine.states, pending: machine.wanted)
    showStates()
  }

  /// Runs a step, and then those that it has caused.
  ///
  /// Nothing that can be called meanwhile accesses the machine.
  private func inTurn(_ step: () -> Void) {
    isStepping = true
    followNames()
    step()
    while !events.isEmpty { take(events.removeFirst()) }
    isStepping = false
  }

  /// Gives rows of others that dropped pages have left at the ends the names that they have now.
  private func followNames() {
    let newName = newNames(since: namedRevision)
    namedRevision = source.assumeIsolated { $0.revision }
    guard let newName else { return }
    machine.ledger.displaced.rename(newName)
    var next = IdentifierMap<Model.ID, Model.ID>()
    for (item, row) in standIns.elements { next[newName(item) ?? item] = row }
    swap(&standIns, &next)
  }

  func show(_ items: [Model.ID]) {
    shownRows = named.take() ?? shownRows
    inTurn {
      let before = loadedRows(of: shown)
      let (snapshot, revision) = source.assumeIsolated { ($0.snapshot, $0.revision) }
      let rows = writer.rows(
        standingFor: items, in: snapshot, of: machine.ledger, known: standIns)
      var next = (items: rows.map(\.row), revision: revision)
      swap(&report, &next)
      var nextStandIns = IdentifierMap<Model.ID, Model.ID>()
      for (item, row) in rows where item != row { nextStandIns[item] = row }
      swap(&standIns, &nextStandIns)
      let (near, areOthers) = (nearEnds, loadedRows(of: shown) != before)
      take { $0.show(near: near, areOthers: areOthers) }
    }
    lookAtShownRows()
  }

  /// Returns the new names of rows that were renamed since a revision; `nil` if none were.
  ///
  /// The history of the source knows the names as long as it has the revision.
  private func newNames(since revision: Revision) -> (@Sendable (Model.ID) -> Model.ID?)? {
    source.assumeIsolated { source in
      let names = source.core.renames(since: revision)
      guard !names.isEmpty else { return nil }
      let snapshot = source.snapshot
      // An identifier that is still there names the same row, whatever was said.
      return { snapshot.containsItem($0) ? nil : names.newName(of: $0) }
    }
  }

  /// The items that a renderer reported last, by the names that they have now.
  var shown: [Model.ID] {
    let report = report
    guard !report.items.isEmpty, let newName = newNames(since: report.revision) else {
      return report.items
    }
    return report.items.map { newName($0) ?? $0 }
  }

  private func loadedRows(of items: [Model.ID]) -> [Model.ID] {
    items.filter { machine.ledger.rows[$0] != nil }
  }

  /// The ends that are near to the shown items.
  ///
  /// - Complexity: O(v · log n) for v items that are shown.
  private var nearEnds: EndPair<Bool> {
    let snapshot = source.assumeIsolated { $0.snapshot }
    return writer.nearEnds(
      shown, in: snapshot, machine.ledger.placeholders, of: machine.ledger)
  }

  // MARK: Loads

  private func perform(_ actions: Machine.Actions) {
    for number in actions.ended { tasks.removeValue(forKey: number)?.cancel() }
    for (number, request) in actions.started {
      tasks[number] = Task.detached { [backend, weak self] in
        let result: Result<Page<Model, Cursor>, any Error>
        do {
          result = .success(try await backend(request))
        } catch {
          result = .failure(error)
        }
        await self?.receive(result, of: number)
      }
    }
    for (number, delay) in actions.delayed {
      tasks[number] = Task.detached { [clock = source.reader.hub.clock, weak self] in
        do {
          try await clock.sleep(for: max(.zero, min(delay, .longest)))
        } catch {
          return
        }
        await self?.elapse(number)
      }
    }
  }

  private func receive(_ result: Result<Page<Model, Cursor>, any Error>, of number: Int) {
    tasks[number] = nil
    inTurn {
      switch result {
      case .success(let page): take(page, of: number)
      case .failure(let error): refuse(number, error)
      }
    }
    lookAtShownRows()
  }

  private func take(_ page: Page<Model, Cursor>, of number: Int) {
    let (arrival, actions) = machine.receive(page, of: number)
    perform(actions)
    guard let arrival else {
      // Mostly a refresh that goes on; otherwise it has failed.
      if !machine.states.refresh.isLoading { follow() }
      return
    }
    do {
      let outcome = try write(arrival)
      let states = machine.states(after: arrival, outcome)
      statesInRows = states
      // Tasks that wait for the page go on while it is recorded, unless there is something to be told
      // first.
      // What they wait for beyond a refresh is loading in these states.
      let pending = arrival.end.map { machine.wanted.subtracting([$0]) } ?? []
      if outcome.conflicts.isEmpty { publish(states, pending: pending) }
      perform(machine.commit(arrival, outcome))
      if !outcome.conflicts.isEmpty {
        conflictHandler?(outcome.conflicts)
        publish(states, pending: machine.wanted)
      }
    } catch DataSourceError.finished {
      take { $0.finish() }
    } catch {
      refuse(number, error)
    }
  }

  private func refuse(_ number: Int, _ error: any Error) {
    perform(machine.refuse(number, error))
    follow()
  }

  /// Starts loads that the renderer needs: a refresh that failed had cancelled them.
  private func follow() {
    let near = nearEnds
    take { $0.follow(near) }
  }

  private func elapse(_ number: Int) {
    tasks[number] = nil
    inTurn { take { [shown] in $0.elapse(number, shown: shown) } }
  }

  // MARK: Writing

  /// Writes pages that have arrived.
  ///
  /// The state of the machine is shared while this runs. When this returns, it has a single holder
  /// again, so a commit changes it in place.
  private func write(_ arrival: Machine.Arrival) throws -> PageOutcome<Model> {
    let shown = shown
    // It says which pages can be dropped.
    let reach = options.limit == nil ? nil : shownRows?.reach(shown)
    return try update(presentation(of: arrival)) { [machine] writer, draft in
      try writer.write(arrival, of: machine, shown: shown, reach, into: &draft)
    }
  }

  /// How a page is shown: one before the first row leaves the rows on the screen in place.
  ///
  /// Otherwise a list at its first row would show the page, and so ask for the one before it.
  private func presentation(of arrival: Machine.Arrival) -> Presentation {
    guard case .page(_, at: .start) = arrival else { return options.presentation }
    return max(.inPlace, options.presentation)
  }

  /// Shows the states in status rows, unless they already show them.
  private func showStates() {
    let states = machine.states
    let shown = statesInRows
    guard writer.rows.status != nil, shown.map(states.isSame(as:)) != true else { return }
    // A row that says that rows before the first one are loading does not push these away either.
    let isAtStart = shown.map { states.start.isSame(as: $0.start) } != true
    let presentation = isAtStart ? max(.inPlace, options.presentation) : options.presentation
    do {
      try update(presentation) { [rows = machine.ledger.rows] writer, draft in
        try writer.write(states, into: &draft) { rows[$0] != nil }
      }
      statesInRows = states
    } catch {
      // They are shown with the next step; code that reads the states already knows them.
      statesInRows = nil
    }
  }

  /// Edits the live list, even if the task of this step is cancelled.
  private func update<Result: Sendable>(
    _ presentation: Presentation,
    _ edit:
      @Sendable (
        PageWriter<SectionID, Model, Cursor>, inout ModelDraft<SectionID, Model>
      ) throws -> Result
  ) throws -> Result {
    let writer = writer
    return try source.assumeIsolated { source in
      try source.core.update(presentation: presentation, isCancellable: false) {
        snapshot, given in
        try ModelBatch<SectionID, Model>._edit(&snapshot, &given, renamed: []) { draft in
          try edit(writer, &draft)
        }
      }.value
    }
  }

  // MARK: States

  /// Sends the states of the loads to the observers, if they have changed.
  ///
  /// - Parameter pending: The ends at which a load will begin.
  private func publish(_ states: PageLoadStates, pending: Set<PageEnd>) {
    if !states.isSame(as: published.states) {
      published.publish(states)
      func isOver(_ load: PageLoad) -> Bool {
        !states[load].isLoading && !(load.end.map(pending.contains) ?? false)
      }
      let answered = waiters.filter { isOver($0.load) }
      waiters.removeAll { isOver($0.load) }
      for (load, state) in answered { state.fulfil(states[load]) }
    }
    guard machine.isFinished else { return }
    published.finish()
  }
}

extension PageLoadStates {
  /// Whether all states are the same; those that a loader has had right after one another.
  func isSame(as other: PageLoadStates) -> Bool {
    PageLoad.allCases.allSatisfy { self[$0].isSame(as: other[$0]) }
  }
}

extension PageLoadState {
  /// Whether the states are the same.
  ///
  /// Between two errors a load is loading, so an error that comes after an error is the same one.
  fileprivate func isSame(as other: PageLoadState) -> Bool {
    switch (self, other) {
    case (.idle, .idle), (.loading, .loading), (.failed, .failed), (.endReached, .endReached): true
    default: false
    }
  }
}
