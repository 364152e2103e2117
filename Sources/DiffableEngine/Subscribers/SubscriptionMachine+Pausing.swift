/// A throttled subscriber receives nothing for an interval after each transition.
///
/// Its tasks wait for the end of the interval before they request anything. So the source need not work
/// for it, but it can be woken and dropped.
extension SubscriptionMachine {
  /// Begins the interval after a transition.
  mutating func pause(_ place: Cursors.Index, after revision: Revision, _ actions: inout Actions) {
    // Tasks that share the stream look again: another one was served.
    actions.resumed += cursors.values[place].pausing.map { ($0, nil) }
    cursors.values[place].pausing = []
    cursors.values[place].pause = revision
  }

  /// Waits until the interval after a transition is over, or the subscriber is woken or gone.
  mutating func pause(_ id: CursorID, after revision: Revision, waiter: Waiter) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    if let cursor = cursors[id], cursor.pause == revision, !cursor.isWoken {
      cursors[id]?.pausing.append(waiter)
    } else {
      actions.resumed.append((waiter, nil))
    }
    return actions
  }

  /// Ends the interval after a transition.
  ///
  /// Does nothing if there was another transition since.
  mutating func endPause(_ id: CursorID, after revision: Revision) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard let cursor = cursors[id], cursor.pause == revision else { return actions }
    actions.resumed = cursor.pausing.map { ($0, nil) }
    cursors[id]?.pausing = []
    cursors[id]?.pause = nil
    return actions
  }

  /// Whether a subscriber that has waited was woken or is gone; tells of a wake once.
  mutating func isInterrupted(_ id: CursorID) -> Bool {
    guard let cursor = cursors[id] else { return true }
    cursors[id]?.isWoken = false
    return cursor.isWoken
  }
}
