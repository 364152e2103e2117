extension SubscriptionMachine {
  /// Makes a state the live one and sends it to the subscribers that wait.
  ///
  /// - Complexity: O(w) for w waiting subscribers, however many others there are.
  mutating func publish(
    state: State, notes: Notes?, presentation: Presentation, kind: RevisionKind,
    replacedBytes: Int = 0
  ) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard !isFinished else { return actions }
    actions.join = history.publish(
      state: state, notes: notes, presentation: presentation, kind: kind,
      replacedBytes: replacedBytes, &actions.released)
    serveWaiting(&actions)
    return actions
  }

  /// Makes a state the live one under a later number than the next one.
  ///
  /// - Complexity: O(r + w) for r revisions in the history and w waiting subscribers.
  mutating func jump(
    to revision: Revision, state: State, notes: Notes?, presentation: Presentation
  ) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard !isFinished else { return actions }
    history.jump(
      to: revision, state: state, notes: notes, presentation: presentation, &actions.released)
    serveWaiting(&actions)
    return actions
  }

  private mutating func serveWaiting(_ actions: inout Actions) {
    for id in waiting {
      guard let place = cursors.index(forKey: id), let transition = take(place, &actions)
      else { continue }
      actions.resumed.append((cursors.values[place].waiters.removeFirst(), transition))
      if cursors.values[place].waiters.isEmpty { waiting.remove(id) }
    }
  }

  /// What undo or redo reverts next, or `nil` if there is nothing.
  package func reversible(
    _ direction: UndoDirection, _ scope: UndoScope
  ) -> History.Reversible? {
    history.reversible(direction, scope)
  }

  /// The changes of some revisions, newest first; `nil` if the history does not have one of them, or
  /// the state before it.
  package func reversal(of revisions: [Revision]) -> History.Reversible? {
    history.reversal(of: revisions)
  }

  /// Lets undo revert all changes since a revision as one step.
  package mutating func groupUndo(since revision: Revision) {
    history.groupUndo(since: revision)
  }

  /// Removes revisions from the stacks because their reversal changed nothing and made no revision.
  package mutating func passOver(_ revisions: [Revision], _ direction: UndoDirection) {
    history.passOver(revisions, direction)
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
  package mutating func finish() -> Actions {
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
  package mutating func close() -> Actions {
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
    precondition(!isFinished || waiting.isEmpty && settlings.isEmpty, "somebody waits for ever")
    precondition(settlings.allSatisfy { !$0.open.isEmpty }, "somebody waits for nobody")
    precondition(
      settlings.allSatisfy { $0.open.allSatisfy { cursors[$0] != nil } },
      "somebody waits for a subscriber that is gone")
    #endif
  }
}

/// What a subscriber gets next: one revision, or all that a slow one has missed in one.
extension SubscriptionMachine {
  /// Advances a cursor and returns the transition, or `nil` if it is at the live revision.
  mutating func take(
    _ place: Cursors.Index, _ actions: inout Actions
  ) -> Transition<State, Notes>? {
    let cursor = cursors.values[place]
    guard cursor.taken?.revision != revision, var target = history.stop(at: revision) else {
      return nil
    }
    let transition: Transition<State, Notes>
    if let base = cursor.taken {
      let backlog = revision.number - base.revision.number
      if backlog <= cursor.policy.stepwiseBacklog, let next = history.stop(at: base.revision.next) {
        target = next
      }
      transition = self.transition(from: base, to: target)
      history.leave(base.revision, &actions.released)
      metrics.coalesced += target.revision.number - base.revision.number - 1
    } else {
      transition = Transition(
        base: nil, target: target, presentation: .reset,
        notes: history.notes(at: target.revision).map { [$0] } ?? [])
    }
    history.arrive(at: target.revision)
    if let previous = cursor.previous { actions.released.states.append(previous) }
    cursors.values[place].previous = cursor.taken?.state
    cursors.values[place].taken = target
    settle(cursors.keys[place], at: target.revision, &actions)
    releaseIfClosed(&actions)
    return transition
  }

  /// The notes of the revisions after one that the history or a subscriber has.
  ///
  /// No cursor is advanced.
  package func notes(after base: Revision) -> [Notes] {
    history.span(after: base, through: revision).notes
  }

  /// The transition from one revision to a later one, if the history has both.
  ///
  /// No cursor is advanced.
  package func transition(from base: Revision, to target: Revision) -> Transition<State, Notes>? {
    guard base <= target, let start = history.stop(at: base), let end = history.stop(at: target)
    else { return nil }
    return transition(from: start, to: end)
  }

  /// The transition from a subscriber's state to a later revision.
  ///
  /// It ends at the live revision if the history does not have the target, and is `nil` if the
  /// subscriber has no state yet. No cursor is advanced.
  package func transition(
    of id: CursorID, through target: Revision
  ) -> Transition<State, Notes>? {
    guard let start = cursors[id]?.taken,
      let end = history.stop(at: target) ?? history.stop(at: revision)
    else { return nil }
    return transition(from: start, to: end)
  }

  private func transition(
    from start: History.Stop, to end: History.Stop
  ) -> Transition<State, Notes> {
    let span = history.span(after: start.revision, through: end.revision)
    return Transition(
      base: start, target: end, presentation: span.presentation, notes: span.notes)
  }
}
