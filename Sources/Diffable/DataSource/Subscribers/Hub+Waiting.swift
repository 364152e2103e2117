extension Hub {
  /// The next transition of a subscriber; `nil` when its stream has ended or it was woken.
  ///
  /// First the source catches up with the source that it follows, if any. If there is nothing new, it
  /// follows that source from then on.
  func ask(_ id: CursorID) async -> HubTransition? {
    guard let upstream else { return await next(id) }
    return await upstream.asking {
      await upstream.catchUp()
      return await next(id) { await upstream.follow() }
    }
  }

  /// The next transition of a subscriber; `nil` if there is none now that needs no computation.
  func poll(_ id: CursorID) -> HubTransition? {
    let task = TaskIdentity.current
    let (transition, actions) = withMachine { $0.poll(id, task: task) }
    perform(actions, releasing: .here)
    return transition
  }

  /// Waits for the next transition of a subscriber; `nil` when its stream has ended or it was woken.
  ///
  /// Cancellation does not end the wait by itself: the code that cancels drops the subscriber, and
  /// that resumes it.
  ///
  /// - Parameter prepare: Called before it waits.
  func next(
    _ id: CursorID, beforeWaiting prepare: () async -> Void = {}
  ) async -> HubTransition? {
    let task = TaskIdentity.current
    let (answer, actions) = withMachine { $0.begin(id, task: task) }
    perform(actions, releasing: .here)
    switch answer {
    case .transition(let transition):
      return transition
    case .ended, .woken:
      return nil
    case .wait:
      await prepare()
      return await withCheckedContinuation { waiter in
        perform(withMachine { $0.wait(id, waiter: waiter) }, releasing: .here)
      }
    }
  }

  /// Lets a subscriber that waits go on without a transition, or else the next request of it.
  func wake(_ id: CursorID) {
    perform(withMachine { $0.wake(id) }, releasing: .here)
  }

  /// Ends a subscription and resumes the tasks that wait for it.
  ///
  /// A second call does nothing.
  func drop(_ id: CursorID) {
    let (isGone, actions) = withMachine { machine in
      (machine.cursors[id] != nil, machine.drop(id))
    }
    // A copy that stayed here could be released last, after the task that is meant to release it.
    perform(consume actions, releasing: .elsewhere)
    guard isGone else { return }
    observe(.unsubscribed)
    upstream?.rest()
  }

  /// Waits until every present subscriber has taken a revision, or the task is cancelled.
  func settled(_ revision: Revision) async {
    let (id, task) = (withMachine { $0.makeSettlingID() }, TaskIdentity.current)
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        // Cancellation is checked inside the lock. The flag is set before the handler runs, so
        // either this check sees it, or the handler finds the waiter that is registered here.
        let actions = withMachine {
          $0.settle(revision, id: id, task: task, waiter: waiter, isCancelled: Task.isCancelled)
        }
        perform(actions, releasing: .here)
      }
    } onCancel: {
      perform(withMachine { $0.cancelSettling(id) }, releasing: .here)
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
