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
    let (presentation, notes): (Presentation, [Notes])
    if let base = cursor.taken {
      let backlog = revision.number - base.revision.number
      if backlog <= cursor.policy.stepwiseBacklog, let next = history.stop(at: base.revision.next) {
        target = next
      }
      (presentation, notes) = history.span(after: base.revision, through: target.revision)
      history.leave(base.revision, &actions.released)
      metrics.coalesced += target.revision.number - base.revision.number - 1
    } else {
      presentation = .reset
      notes = history.entry(at: target.revision)?.notes.map { [$0] } ?? []
    }
    history.arrive(at: target.revision)
    if let previous = cursor.previous { actions.released.states.append(previous) }
    cursors.values[place].previous = cursor.taken?.state
    cursors.values[place].taken = target
    if cursor.policy.interval != nil { pause(place, after: target.revision, &actions) }
    settle(cursors.keys[place], at: target.revision, &actions)
    releaseIfClosed(&actions)
    return Transition(
      base: cursor.taken, target: target, presentation: presentation, notes: notes)
  }

  /// Brings a reader without a cursor to the live revision.
  ///
  /// The history keeps the notes of later revisions for the reader until it is brought further, or let
  /// go with ``endReading(at:)``.
  ///
  /// - Parameters:
  ///   - base: The revision where the reader is; `nil` if it begins.
  ///   - known: Revisions of which the reader knows what they say, in their order.
  /// - Returns: The strongest presentation and the notes of the other revisions since the base. There
  ///   is no presentation if there are no such revisions.
  mutating func read(after base: Revision?, except known: [Revision]) -> (
    presentation: Presentation?, notes: [Notes], actions: Actions
  ) {
    defer { _checkInvariants() }
    var (presentation, notes, actions) = (Presentation?.none, [Notes](), Actions())
    if let base, base < revision {
      var start = base
      // What has left the history is joined with what others say.
      for end in known.filter(history.contains) + [revision.next] {
        if start.next < end {
          let span = history.span(after: start, through: Revision(end.number - 1))
          presentation = max(presentation ?? span.presentation, span.presentation)
          notes += span.notes
        }
        start = end
      }
    }
    if let base { history.leave(base, &actions.released) }
    history.arrive(at: revision)
    return (presentation, notes, actions)
  }

  /// Lets a reader without a cursor go, from the revision where it is.
  mutating func endReading(at revision: Revision) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    history.leave(revision, &actions.released)
    return actions
  }

  /// The transition from one revision to a later one, if the history has both.
  ///
  /// No cursor is advanced.
  func transition(from base: Revision, to target: Revision) -> Transition<State, Notes>? {
    guard base <= target, let start = history.stop(at: base), let end = history.stop(at: target)
    else { return nil }
    return transition(from: start, to: end)
  }

  /// The transition from a subscriber's state to a later revision.
  ///
  /// It ends at the live revision if the history does not have the target, and is `nil` if the
  /// subscriber has no state yet. No cursor is advanced.
  func transition(
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
