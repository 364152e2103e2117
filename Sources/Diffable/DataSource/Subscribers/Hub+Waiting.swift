extension Hub {
  /// The next transition of a subscriber; `nil` when its stream has ended or it was woken.
  ///
  /// First the source catches up with the source that it follows, if any. If there is nothing new, it
  /// follows that source from then on.
  func ask(_ id: CursorID) async -> HubTransition? {
    guard let upstream else { return await next(id) }
    upstream.beginAsking()
    await upstream.catchUp()
    return await next(id, following: upstream)
  }

  /// The next transition of a subscriber; `nil` if there is none now that needs no computation.
  func poll(_ id: CursorID) -> HubTransition? {
    let (transition, actions) = withMachine { $0.poll(id) }
    perform(actions, releasing: .here)
    return transition
  }

  /// Lets no task wait for a subscriber until it requests a transition again.
  package func rest(_ id: CursorID) {
    perform(withMachine { $0.rest(id) }, releasing: .here)
  }

  /// Waits for the next transition of a subscriber; `nil` when its stream has ended or it was woken.
  ///
  /// Cancellation does not end the wait by itself: the code that cancels drops the subscriber, and
  /// that resumes it.
  ///
  /// - Parameter upstream: What the source has to follow before the subscriber waits. It knows that
  ///   the subscriber is asking.
  func next(_ id: CursorID, following upstream: Upstream? = nil) async -> HubTransition? {
    let task = TaskIdentity.current
    let (answer, actions) = withMachine { $0.begin(id, task: task) }
    perform(actions, releasing: .here)
    switch answer {
    case .transition(let transition):
      upstream?.endAsking()
      return transition
    case .ended, .woken:
      upstream?.endAsking()
      return nil
    case .wait:
      await upstream?.follow()
      return await withCheckedContinuation { waiter in
        perform(withMachine { $0.wait(id, waiter: waiter) }, releasing: .here)
        // Not earlier: at no time must the subscriber seem to do neither.
        upstream?.endAsking()
      }
    }
  }

  /// Lets a subscriber that waits go on without a transition, or else the next request of it.
  package func wake(_ id: CursorID) {
    perform(withMachine { $0.wake(id) }, releasing: .here)
  }

  /// Ends a subscription and resumes the tasks that wait for it.
  ///
  /// A second call does nothing.
  package func drop(_ id: CursorID) {
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
