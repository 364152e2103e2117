extension Hub {
  /// Makes a state the live one, hands it to whoever waits, and joins notes if too many have piled
  /// up for a subscriber.
  ///
  /// - Parameters:
  ///   - state: The state after a change.
  ///   - notes: What travels with it.
  ///   - presentation: How it is to be shown.
  ///   - kind: Whether it is a new change or takes one back.
  ///   - duration: The time that the change took, for the metrics.
  func publish(
    _ state: any RevisionState, notes: (any RevisionNotes)?, presentation: Presentation,
    kind: RevisionKind, duration: Duration
  ) {
    let actions = withMachine {
      $0.metrics.changed += 1
      $0.metrics.writingTime.add(duration)
      return $0.publish(state: state, notes: notes, presentation: presentation, kind: kind)
    }
    perform(actions, releasing: .here)
    guard let request = actions.join, let first = request.notes.first else { return }
    var joined = first.joined(with: request.notes.dropFirst())
    // More marks than the list has items mean that most are on items long gone. To show the list
    // from scratch is then the smaller change, and nothing has to be remembered for it.
    let isReset = joined.markCount > max(1024, state.weight)
    if isReset { joined = joined.withoutMarks }
    withMachine {
      $0.joined(request, notes: joined, presentation: isReset ? .reset : .immediate)
    }
  }
}
