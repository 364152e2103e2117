extension SubscriptionMachine {
  /// Requests a transition without waiting: takes one if it leads to a single revision.
  ///
  /// Nothing has to be computed for such a transition. Otherwise the cursor stays where it is.
  package mutating func poll(_ id: CursorID, task: TaskIdentity?) -> (
    transition: Transition<State, Notes>?, actions: Actions
  ) {
    defer { _checkInvariants() }
    var actions = Actions()
    guard var cursor = cursors[id] else { return (nil, actions) }
    cursor.hasAsked = true
    cursor.task = task
    cursors[id] = cursor
    if let taken = cursor.taken, taken.revision.next != revision { return (nil, actions) }
    let transition = take(id, &actions)
    return (transition, actions)
  }
}
