typealias HubTransition = Transition<any RevisionState, any RevisionNotes>

extension Hub {
  /// Does what an event asked for: ends waits, then lets go of states.
  ///
  /// - Parameter place: Where states may be released. A subscriber can be dropped on the main
  ///   actor, and the last release of a large state takes milliseconds.
  func perform(_ actions: consuming Machine.Actions, releasing place: ReleasePlace) {
    let released = actions.released
    actions.released = []
    for (waiter, transition) in actions.resumed {
      waiter.resume(returning: transition)
    }
    for waiter in actions.settled {
      waiter.resume()
    }
    if place == .elsewhere {
      let weight = released.reduce(0) { $0 + $1.weight }
      bury(Handover(consume released), weight: weight)
    }
  }

  /// Where states may be released.
  enum ReleasePlace {
    /// The caller runs where a release stalls nobody.
    case here
    /// The caller may be anywhere, the main actor included.
    case elsewhere
  }

  /// Publishes a revision, and joins notes if too many have piled up for a subscriber.
  func commit(
    state: any RevisionState, notes: (any RevisionNotes)?, presentation: Presentation,
    kind: RevisionKind, duration: Duration
  ) {
    let actions = publish(
      state: state, notes: notes, presentation: presentation, kind: kind, duration: duration)
    perform(actions, releasing: .here)
    guard let request = actions.join, let first = request.notes.first else { return }
    let joined = first.joined(with: request.notes.dropFirst())
    // More marks than the list has items mean that most are on items long gone. To show the list
    // anew is then the smaller change, and nothing has to be remembered for it.
    if joined.markCount > max(1024, state.weight) {
      self.joined(request, notes: joined.withoutMarks, presentation: .reset)
    } else {
      self.joined(request, notes: joined, presentation: .immediate)
    }
  }

  /// Starts to measure time.
  ///
  /// - Returns: The time since then.
  func startTimer() -> () -> Duration {
    func timer<Time: Clock<Duration>>(_ clock: Time) -> () -> Duration {
      let start = clock.now
      return { start.duration(to: clock.now) }
    }
    return timer(clock)
  }

  /// Tells the observer of an event, and counts it.
  ///
  /// What happens to states and subscribers is counted where it happens, inside the lock.
  func observe(_ event: DataSourceEvent) {
    switch event {
    case .unchanged: count { $0.unchanged += 1 }
    case .rejected: count { $0.rejected += 1 }
    case .superseded: supersede()
    case .changed, .delivered, .subscribed, .unsubscribed, .finished: break
    }
    observer?(event)
  }

  /// Counts a batch that is handed out.
  func deliver(_ transition: HubTransition, changeCount: Int) {
    count { $0.batches.add(changeCount) }
    observer?(
      .delivered(
        base: transition.isReset ? nil : transition.base?.revision,
        target: transition.target.revision, changeCount: changeCount))
  }

  /// Waits until the source shows what it follows, if it follows another one.
  func catchUp() async {
    await followed?.catchUp()
  }

  /// The next transition of a subscriber, from a source that has caught up; `nil` when its stream has
  /// ended.
  func ask(_ id: CursorID) async -> HubTransition? {
    guard let followed else { return await next(id) }
    // Counted before the source is asked: it goes on following as long as somebody asks.
    note(asking: 1)
    defer { note(asking: -1) }
    await followed.catchUp()
    return await next(id)
  }

  /// Waits for the next transition of a subscriber; `nil` when its stream has ended.
  ///
  /// Cancellation does not reach into the wait: whoever cancels drops the subscriber, and that
  /// resumes it.
  func next(_ id: CursorID) async -> HubTransition? {
    let (answer, actions) = begin(id, task: .current)
    perform(actions, releasing: .here)
    switch answer {
    case .transition(let transition):
      return transition
    case .ended:
      return nil
    case .wait:
      return await withCheckedContinuation { waiter in
        perform(wait(id, waiter: waiter), releasing: .here)
      }
    }
  }

  /// Waits until every present subscriber has taken a revision, or the task is cancelled.
  func settled(_ revision: Revision) async {
    let id = makeSettlingID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        perform(
          settle(revision, id: id, task: .current, waiter: waiter), releasing: .here)
      }
    } onCancel: {
      perform(cancelSettling(id), releasing: .here)
    }
  }
}

extension TaskIdentity {
  /// The identity of the running task.
  static var current: TaskIdentity? {
    withUnsafeCurrentTask { task in
      task.map { TaskIdentity(number: $0.hashValue) }
    }
  }
}
