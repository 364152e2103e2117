extension SubscriptionMachine {
  /// Adds a subscriber.
  ///
  /// - Parameter revision: The revision that it already shows. If the history does not have it,
  ///   the subscriber starts from scratch.
  package mutating func subscribe(_ policy: UpdatePolicy, after revision: Revision?) -> CursorID {
    defer { _checkInvariants() }
    let id = CursorID(number: makeID())
    var cursor = Cursor(policy: policy)
    if let revision, let stop = history.stop(at: revision) {
      cursor.taken = stop
      history.arrive(at: revision)
    }
    cursors[id] = cursor
    return id
  }

  /// The first half of requesting the next transition: takes one if there is one.
  package mutating func begin(_ id: CursorID, task: TaskIdentity?) -> (
    answer: Answer, actions: Actions
  ) {
    defer { _checkInvariants() }
    var actions = Actions()
    guard var cursor = cursors[id] else { return (.ended, actions) }
    cursor.hasAsked = true
    cursor.task = task
    let transition = advance(&cursor, &actions)
    let isWoken = transition == nil && !isFinished && cursor.isWoken
    if isWoken { cursor.isWoken = false }
    cursors[id] = cursor
    if let transition {
      settle(id, at: transition.target.revision, &actions)
      releaseIfClosed(&actions)
      return (.transition(transition), actions)
    }
    guard isFinished else { return (isWoken ? .woken : .wait, actions) }
    end(id, &actions)
    return (.ended, actions)
  }

  /// Lets a subscriber that waits go on without a transition, or else the next request of it.
  package mutating func wake(_ id: CursorID) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard let cursor = cursors[id] else { return actions }
    guard cursor.waiters.isEmpty else {
      actions.resumed = cursor.waiters.map { ($0, nil) }
      cursors[id]?.waiters = []
      waiting.remove(id)
      return actions
    }
    cursors[id]?.isWoken = true
    return actions
  }

  private mutating func takeWake(_ id: CursorID) -> Bool {
    guard cursors[id]?.isWoken == true else { return false }
    cursors[id]?.isWoken = false
    return true
  }

  /// The second half: tries again, since anything may have happened, and otherwise waits.
  package mutating func wait(_ id: CursorID, waiter: Waiter) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    if cursors[id] == nil {
      actions.resumed.append((waiter, nil))
    } else if let transition = take(id, &actions) {
      actions.resumed.append((waiter, transition))
    } else if isFinished {
      end(id, &actions)
      actions.resumed.append((waiter, nil))
    } else if takeWake(id) {
      actions.resumed.append((waiter, nil))
    } else {
      cursors[id]?.waiters.append(waiter)
      waiting.insert(id)
    }
    return actions
  }

  /// Removes a subscriber that was cancelled or whose stream is gone.
  package mutating func drop(_ id: CursorID) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    end(id, &actions)
    return actions
  }

  /// Advances a cursor and returns the transition, or `nil` if it is at the live revision.
  mutating func take(_ id: CursorID, _ actions: inout Actions) -> Transition<State, Notes>? {
    guard var cursor = cursors[id], let transition = advance(&cursor, &actions) else { return nil }
    cursors[id] = cursor
    settle(id, at: transition.target.revision, &actions)
    releaseIfClosed(&actions)
    return transition
  }

  /// Moves a cursor that is not at the live revision; the caller stores it.
  private mutating func advance(
    _ cursor: inout Cursor, _ actions: inout Actions
  ) -> Transition<State, Notes>? {
    guard cursor.taken?.revision != revision, let live = history.stop(at: revision) else {
      return nil
    }
    var target = live
    let transition: Transition<State, Notes>
    if let base = cursor.taken {
      let backlog = revision.number - base.revision.number
      if backlog <= cursor.policy.stepwiseBacklog, let next = history.stop(at: base.revision.next) {
        target = next
      }
      let span = history.span(after: base.revision, through: target.revision)
      transition = Transition(
        base: base, target: target, presentation: span.presentation, notes: span.notes)
      history.leave(base.revision, &actions.released)
      metrics.coalesced += target.revision.number - base.revision.number - 1
    } else {
      transition = Transition(
        base: nil, target: target, presentation: .reset,
        notes: history.notes(at: target.revision).map { [$0] } ?? [])
    }
    history.arrive(at: target.revision)
    if let previous = cursor.previous { actions.released.states.append(previous) }
    cursor.previous = cursor.taken?.state
    cursor.taken = target
    return transition
  }

  /// Removes a cursor and ends the waits for it.
  mutating func end(_ id: CursorID, _ actions: inout Actions) {
    guard let cursor = cursors.removeValue(forKey: id) else { return }
    waiting.remove(id)
    if let taken = cursor.taken {
      history.leave(taken.revision, &actions.released)
      actions.released.states.append(taken.state)
    }
    if let previous = cursor.previous { actions.released.states.append(previous) }
    actions.resumed += cursor.waiters.map { ($0, nil) }
    settle(id, at: nil, &actions)
    releaseIfClosed(&actions)
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
    let span = history.span(after: base, through: target)
    return Transition(
      base: start, target: end, presentation: span.presentation, notes: span.notes)
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
    let span = history.span(after: start.revision, through: end.revision)
    return Transition(
      base: start, target: end, presentation: span.presentation, notes: span.notes)
  }
}
