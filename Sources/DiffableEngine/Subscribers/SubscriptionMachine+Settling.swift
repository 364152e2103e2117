extension SubscriptionMachine {
  /// Waits until every subscriber that is present now has taken a revision.
  ///
  /// A subscriber is present if it has requested a transition before, and does not rest. A
  /// subscriber whose own task waits is exempt: it could never take anything, and two that wait for
  /// each other would wait forever.
  mutating func settle(
    _ target: Revision, id: SettlingID, task: TaskIdentity?, waiter: SettledWaiter,
    isCancelled: Bool
  ) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard !isFinished, !isCancelled else {
      actions.settled.append(waiter)
      return actions
    }
    var settling = Settling(id: id, revision: target, task: task, waiter: waiter, open: [])
    for (id, cursor) in cursors where cursor.hasAsked {
      guard let taken = cursor.taken, taken.revision < target else { continue }
      settling.open.insert(id)
    }
    settlings.append(settling)
    // From now on, no wait counts the subscriptions of the newly waiting task. Subscriptions of
    // tasks that already wait never counted for the new wait.
    let asleep = Set(settlings.compactMap(\.task))
    let exempt = cursors.filter { cursor in
      cursor.value.task.map(asleep.contains) ?? false
    }.keys
    for index in settlings.indices { settlings[index].open.subtract(exempt) }
    resumeSettled(&actions)
    return actions
  }

  /// Gives up waiting.
  ///
  /// Does nothing if the wait has ended, or not begun.
  mutating func cancelSettling(_ id: SettlingID) -> Actions {
    defer { _checkInvariants() }
    var actions = Actions()
    guard let index = settlings.firstIndex(where: { $0.id == id }) else { return actions }
    actions.settled.append(settlings.remove(at: index).waiter)
    return actions
  }

  /// Records that a subscriber has taken a revision or, for `nil`, has ended or rests.
  mutating func settle(_ id: CursorID, at revision: Revision?, _ actions: inout Actions) {
    guard !settlings.isEmpty else { return }
    for index in settlings.indices {
      if let revision, revision < settlings[index].revision { continue }
      settlings[index].open.remove(id)
    }
    resumeSettled(&actions)
  }

  private mutating func resumeSettled(_ actions: inout Actions) {
    actions.settled += settlings.filter(\.open.isEmpty).map(\.waiter)
    settlings.removeAll(where: \.open.isEmpty)
  }
}
