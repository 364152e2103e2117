extension SubscriptionMachine {
  /// Makes a state the live one and sends it to the subscribers that wait.
  ///
  /// - Parameter number: The revision of the state, if it is not the next one.
  /// - Complexity: O(w) for w waiting subscribers, however many others there are; if revisions are
  ///   skipped, O(r + w) for r revisions in the history.
  mutating func publish(
    state: State, notes: Notes?, presentation: Presentation, kind: RevisionKind,
    replacedBytes: Int = 0, as number: Revision? = nil
  ) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard !isFinished else { return actions }
    if let number, number != revision.next {
      history.jump(
        to: number, state: state, notes: notes, presentation: presentation, &actions.released)
    } else {
      actions.join = history.publish(
        state: state, notes: notes, presentation: presentation, kind: kind,
        replacedBytes: replacedBytes, &actions.released)
    }
    for id in waiting {
      guard let place = cursors.index(forKey: id), let transition = take(place, &actions)
      else { continue }
      actions.resumed.append((cursors.values[place].waiters.removeFirst(), transition))
      if cursors.values[place].waiters.isEmpty { waiting.remove(id) }
    }
    return actions
  }

  /// The state that a subscriber has taken at a revision; `nil` if there is no such subscriber any more.
  ///
  /// - Complexity: O(s) for s subscribers.
  func stateTaken(at revision: Revision) -> State? {
    cursors.values.lazy.compactMap(\.taken).first { $0.revision == revision }?.state
  }

  /// Stores notes that were joined on request.
  mutating func joined(
    _ request: History.JoinRequest, notes: Notes, presentation: Presentation
  ) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    history.replaceNotes(request, by: notes, presentation: presentation, &actions.released)
    return actions
  }

  /// Ends the streams: those of waiting subscribers at once, the others after their last state.
  mutating func finish() -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard phase == .open else { return actions }
    phase = .finished
    for id in waiting { end(id, &actions) }
    actions.settled += settlings.map(\.waiter)
    settlings = []
    return actions
  }

  /// Finishes because the source is gone; drops states that no subscriber has to take.
  mutating func close() -> Actions {
    defer { _checkInvariants() }
    var actions = finish()
    phase = .closed
    history.close(keepingLive: hasBacklog, &actions.released)
    return actions
  }

  /// Whether a subscriber has not taken the live revision yet.
  ///
  /// - Complexity: O(s) for s subscribers.
  private var hasBacklog: Bool {
    cursors.values.contains { $0.taken?.revision != revision }
  }

  /// Drops the live state of a source that is gone after the last subscriber has taken it.
  mutating func releaseIfClosed(_ actions: inout Actions) {
    guard phase == .closed, history.contains(revision), !hasBacklog else { return }
    history.close(keepingLive: false, &actions.released)
  }

  /// Checks what every event must leave in order.
  func _checkInvariants() {
    #if InternalChecks
    precondition(
      waiting == Set(cursors.filter { !$0.value.waiters.isEmpty }.keys),
      "the waiting cursors are not those with waiters")
    precondition(
      waiting.allSatisfy { cursors[$0]?.taken?.revision == revision },
      "a subscriber waits although there is something to take")
    precondition(
      cursors.values.allSatisfy {
        $0.pausing.isEmpty || $0.pause == $0.taken?.revision && !$0.isWoken
      },
      "a subscriber waits for the end of an interval that is over")
    precondition(!isFinished || waiting.isEmpty && settlings.isEmpty, "somebody waits for ever")
    precondition(settlings.allSatisfy { !$0.open.isEmpty }, "somebody waits for nobody")
    precondition(
      settlings.allSatisfy { $0.open.allSatisfy { cursors[$0] != nil } },
      "somebody waits for a subscriber that is gone")
    #endif
  }
}
