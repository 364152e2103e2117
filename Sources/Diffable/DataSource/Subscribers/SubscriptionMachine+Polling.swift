extension SubscriptionMachine {
  /// Requests a transition without waiting: takes one if it leads to a single revision.
  ///
  /// Nothing has to be computed for such a transition. Otherwise the cursor stays where it is. A
  /// subscriber that only polls keeps no task waiting, since nothing says when it polls again.
  package mutating func poll(_ id: CursorID) -> (
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
  package mutating func rest(_ id: CursorID) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard cursors[id] != nil else { return actions }
    cursors[id]?.hasAsked = false
    settle(id, at: nil, &actions)
    return actions
  }
}
