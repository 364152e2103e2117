extension SubscriptionMachine {
  /// Makes a state the live one and sends it to the subscribers that wait.
  ///
  /// - Parameter number: The revision of the state, if it is not the next one.
  /// - Returns: Notes that the writer should join, if too many have piled up.
  /// - Complexity: O(w) for w waiting subscribers, however many others there are; if revisions are
  ///   skipped, O(r + w) for r revisions in the history.
  mutating func publish(
    state: State, notes: Notes?, notesWeight: Int = 1, presentation: Presentation,
    kind: RevisionKind, replacedBytes: Int = 0, as number: Revision? = nil,
    _ actions: inout Actions
  ) -> History.JoinRequest? {
    guard !isFinished else { return nil }
    let request =
      if let number, number != revision.next {
        history.jump(
          to: number, state: state, notes: notes, notesWeight: notesWeight,
          presentation: presentation, &actions.released)
      } else {
        history.publish(
          state: state, notes: notes, notesWeight: notesWeight, presentation: presentation,
          kind: kind, replacedBytes: replacedBytes, &actions.released)
      }
    for id in waiting {
      guard let place = cursors.index(forKey: id), let transition = take(place, &actions)
      else { continue }
      actions.resumed.append((cursors.values[place].waiters.removeFirst(), transition))
      if cursors.values[place].waiters.isEmpty { waiting.remove(id) }
    }
    return request
  }

  /// The state that a subscriber has taken at a revision; `nil` if there is no such subscriber any more.
  ///
  /// - Complexity: O(s) for s subscribers.
  func stateTaken(at revision: Revision) -> State? {
    cursors.values.lazy.compactMap(\.taken).first { $0.revision == revision }?.state
  }

  /// Ends the streams: those of waiting subscribers at once, the others after their last state.
  mutating func finish(_ actions: inout Actions) {
    guard phase == .open else { return }
    phase = .finished
    for id in waiting { drop(id, &actions) }
    actions.settled += settlings.map(\.waiter)
    settlings = []
  }

  /// Finishes because the source is gone; drops states that no subscriber has to take.
  mutating func close(_ actions: inout Actions) {
    finish(&actions)
    phase = .closed
    history.close(keepingLive: hasBacklog, &actions.released)
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
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
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
  /// go.
  ///
  /// - Parameters:
  ///   - base: The revision where the reader is; `nil` if it begins.
  ///   - known: Revisions of which the reader knows what they say, in their order.
  /// - Returns: The strongest presentation and the notes of the other revisions since the base. There
  ///   is no presentation if there are no such revisions.
  mutating func read(
    after base: Revision?, except known: [Revision], _ actions: inout Actions
  ) -> (presentation: Presentation?, notes: [Notes]) {
    var (presentation, notes) = (Presentation?.none, [Notes]())
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
    return (presentation, notes)
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

/// A throttled subscriber receives nothing for an interval after each transition.
///
/// Its tasks wait for the end of the interval before they request anything. So the source need not work
/// for it, but it can be woken and dropped.
extension SubscriptionMachine {
  /// Begins the interval after a transition.
  mutating func pause(_ place: Cursors.Index, after revision: Revision, _ actions: inout Actions) {
    // Whoever waits for the end of another interval goes on: a poll was served.
    actions.resumed += cursors.values[place].pausing.map { ($0, nil) }
    cursors.values[place].pausing = []
    cursors.values[place].pause = revision
  }

  /// Waits until the interval after a transition is over, or the subscriber is woken or gone.
  mutating func pause(
    _ id: CursorID, after revision: Revision, waiter: Waiter, _ actions: inout Actions
  ) {
    if let cursor = cursors[id], cursor.pause == revision, !cursor.isWoken {
      cursors[id]?.pausing.append(waiter)
    } else {
      actions.resumed.append((waiter, nil))
    }
  }

  /// Ends the interval after a transition.
  ///
  /// Does nothing if there was another transition since.
  mutating func endPause(_ id: CursorID, after revision: Revision, _ actions: inout Actions) {
    guard let cursor = cursors[id], cursor.pause == revision else { return }
    actions.resumed += cursor.pausing.map { ($0, nil) }
    cursors[id]?.pausing = []
    cursors[id]?.pause = nil
  }

  /// Whether a subscriber that has waited was woken or is gone; tells of a wake once.
  mutating func isInterrupted(_ id: CursorID) -> Bool {
    guard let cursor = cursors[id] else { return true }
    cursors[id]?.isWoken = false
    return cursor.isWoken
  }
}
