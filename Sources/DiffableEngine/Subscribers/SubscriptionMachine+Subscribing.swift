extension SubscriptionMachine {
  /// Adds a subscriber.
  ///
  /// - Parameter revision: The revision that it already shows. If the history does not have it,
  ///   the subscriber starts from scratch.
  mutating func subscribe(_ policy: UpdatePolicy, after revision: Revision?) -> CursorID {
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
  mutating func begin(_ id: CursorID, task: TaskIdentity?) -> (
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
  mutating func wake(_ id: CursorID) -> Actions {
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
  mutating func wait(_ id: CursorID, waiter: Waiter) -> Actions {
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
  mutating func drop(_ id: CursorID) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    end(id, &actions)
    return actions
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
}

extension SubscriptionMachine {
  /// Requests a transition without waiting: takes one if it leads to a single revision.
  ///
  /// Nothing has to be computed for such a transition. Otherwise the cursor stays where it is. A
  /// subscriber that only polls keeps no task waiting, since nothing says when it polls again.
  mutating func poll(_ id: CursorID) -> (
    transition: Transition<State, Notes>?, actions: Actions
  ) {
    defer { _checkInvariants() }
    var actions = Actions()
    guard let cursor = cursors[id] else { return (nil, actions) }
    if let taken = cursor.taken, taken.revision.next != revision { return (nil, actions) }
    let transition = take(id, &actions)
    return (transition, actions)
  }

  /// Records that a subscriber keeps no task waiting until it requests a transition again.
  mutating func rest(_ id: CursorID) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard cursors[id] != nil else { return actions }
    cursors[id]?.hasAsked = false
    settle(id, at: nil, &actions)
    return actions
  }
}
