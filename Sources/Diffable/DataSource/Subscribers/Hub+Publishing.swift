extension Hub {
  /// Makes a state the live one and sends it to the tasks that wait.
  ///
  /// It also joins notes if too many have piled up for a subscriber.
  ///
  /// - Parameters:
  ///   - state: The state after a change.
  ///   - notes: The notes of the revision.
  ///   - presentation: How to show it.
  ///   - kind: Whether it is a new change or reverts one.
  ///   - duration: The time that the change took, for the metrics.
  ///   - number: The revision of the state, if it is not the next one.
  func publish(
    _ state: RevisionState, notes: (any RevisionNotes)?, presentation: Presentation,
    kind: RevisionKind, duration: Duration, as number: Revision? = nil
  ) {
    let actions = withMachine {
      $0.metrics.changed += 1
      $0.metrics.writingTime.add(duration)
      if let number, number != $0.revision.next {
        return $0.jump(to: number, state: state, notes: notes, presentation: presentation)
      }
      return $0.publish(state: state, notes: notes, presentation: presentation, kind: kind)
    }
    perform(actions, releasing: .here)
    guard let request = actions.join, let first = request.notes.first else { return }
    var joined = first.joined(with: request.notes.dropFirst())
    // If there are more marks than the list has items, most of them are on items that no longer
    // exist. Showing the list from scratch is then the smaller change, and no marks have to be kept
    // for it.
    let isReset = joined.markCount > max(1024, state.weight)
    if isReset { joined = joined.withoutMarks }
    perform(
      withMachine {
        $0.joined(request, notes: joined, presentation: isReset ? .reset : .immediate)
      }, releasing: .here)
  }
}
