import Synchronization

extension Hub {
  /// The name of a revision outside the process.
  package func token(for revision: Revision) -> ResumeToken {
    let digest = withMachine { $0.state(at: revision) }?.digest ?? .none
    return ResumeToken(epoch: epoch, place: HistoryPlace(revision: revision, digest: digest))
  }

  /// The revision that a token names; `nil` if the history does not have that state.
  package func revision(for token: ResumeToken) -> Revision? {
    guard let parts = token.parts, parts.epoch == epoch else { return nil }
    let revision = parts.place.revision
    let state = withMachine { $0.state(at: revision) }
    return state?.digest == parts.place.digest ? revision : nil
  }
}

/// One subscriber, for one task at a time.
package struct Subscription<Batch: Sendable>: Sendable {
  package let token: CursorToken
  /// Computes the batch of a transition, and reports that the subscriber has it.
  package let batch: @Sendable (HubTransition) async -> Batch

  /// Adds a subscriber.
  ///
  /// - Parameters:
  ///   - resumeToken: The state that the subscriber shows. If the history does not have that state,
  ///     the subscriber starts from scratch.
  ///   - batch: Computes the batch of a transition, and reports its delivery to the hub. Neither it
  ///     nor the subscription may hold a source of writers: source and waiting task would keep each
  ///     other alive. It may hold what the source holds, and a source that works for its subscribers
  ///     only.
  package init(
    to hub: Hub, _ policy: UpdatePolicy, after resumeToken: ResumeToken?,
    _ batch: @escaping @Sendable (HubTransition) async -> Batch
  ) {
    token = CursorToken(
      hub: hub, policy: policy, after: resumeToken.flatMap(hub.revision(for:)))
    self.batch = batch
  }

  /// The next batch; `nil` when the stream has ended, and when the subscriber was woken.
  func next() async -> Batch? {
    guard let transition = await token.next() else { return nil }
    return await batch(transition)
  }

  /// The next batch; `nil` when there will be none.
  ///
  /// If the waiting task is cancelled, the subscription ends at once.
  package func take() async -> Batch? {
    guard !Task.isCancelled else { return nil }
    return await withTaskCancellationHandler {
      await next()
    } onCancel: {
      token.drop()
    }
  }

  /// Ends the subscription, and wakes the task that waits.
  package func end() { token.drop() }

  /// The batches as a stream, which ends at once when the waiting task is cancelled.
  package var stream: AsyncStream<Batch> {
    AsyncStream {
      await next()
    } onCancel: { [weak token] in
      token?.drop()
    }
  }
}

extension Hub {
  /// The next transition of a subscriber; `nil` if there is none now that needs no computation.
  package func poll(_ id: CursorID) -> HubTransition? {
    process { $0.poll(id, &$1) }
  }

  /// Lets no task wait for a subscriber until it requests a transition again.
  package func rest(_ id: CursorID) {
    process { $0.rest(id, &$1) }
  }

  /// Lets a subscriber that waits go on without a transition, or else the next request of it.
  package func wake(_ id: CursorID) {
    process { $0.wake(id, &$1) }
  }

  /// Ends a subscription and resumes the tasks that wait for it.
  ///
  /// A second call does nothing.
  package func drop(_ id: CursorID, releasing place: ReleasePlace = .elsewhere) {
    guard process(releasing: place, { $0.drop(id, &$1) }) else { return }
    observe(.unsubscribed)
    upstream?.rest()
  }

  /// Waits until every present subscriber has taken a revision, or the task is cancelled.
  package func settled(_ revision: Revision) async {
    let (id, task) = (withMachine { SettlingID(number: $0.makeID()) }, TaskIdentity.current)
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        // Cancellation is checked inside the lock. The flag is set before the handler runs, so
        // either this check sees it, or the handler finds the waiter that is registered here.
        process {
          $0.settle(
            revision, id: id, task: task, waiter: waiter, isCancelled: Task.isCancelled, &$1)
        }
      }
    } onCancel: {
      process { $0.cancelSettling(id, &$1) }
    }
  }
}

/// A subscription that lasts as long as this token is held.
///
/// A stream that is left by `break` or `throw`, or never iterated, sends no event. But its closure
/// is released, and this token with it.
package final class CursorToken: Sendable {
  package let hub: Hub
  package let id: CursorID
  private let throttle: Throttle?
  private let isDropped = Atomic(false)

  package init(hub: Hub, policy: UpdatePolicy, after revision: Revision?) {
    self.hub = hub
    id = hub.withMachine { $0.subscribe(policy, after: revision) }
    throttle = policy.interval.map { Throttle($0, clock: hub.clock) }
    hub.observe(.subscribed(policy))
  }

  /// Adds a subscriber that has the newest revision.
  ///
  /// - Returns: The subscriber, and the revision.
  package static func atNewest(of hub: Hub) -> (token: CursorToken, revision: Revision) {
    let (id, revision) = hub.withMachine {
      ($0.subscribe(.coalesced, after: $0.revision), $0.revision)
    }
    hub.observe(.subscribed(.coalesced))
    return (CursorToken(hub: hub, id: id), revision)
  }

  private init(hub: Hub, id: CursorID) {
    (self.hub, self.id, throttle) = (hub, id, nil)
  }

  deinit { drop() }

  /// Whether the subscriber can still get anything.
  package var isSubscribed: Bool { hub.withMachine { $0.cursors[id] != nil } }

  /// Whether the source has ended, and its list with it.
  package var hasListEnded: Bool { hub.hasListEnded }

  /// Waits for the next transition; `nil` when the stream has ended, and when the subscriber was woken.
  ///
  /// First the source catches up with the source that it follows, if any. If there is nothing new, it
  /// follows that source from then on.
  ///
  /// Cancellation does not end the wait by itself: the code that cancels drops the subscriber, and
  /// that resumes it. A task that waits here holds no room for a batch, which is large.
  ///
  /// A throttled subscriber first waits for the end of its interval; a transition begins the next one. Tasks that
  /// share it take turns: the one whose turn it is waits for both, and it alone is woken. If the subscriber is
  /// dropped, all end.
  package func next() async -> HubTransition? {
    guard let throttle else { return await request() }
    let transition = await throttle.beginTurn(id, of: hub) ? await request() : nil
    await throttle.endTurn(after: transition?.target.revision)
    return transition
  }

  /// Requests the next transition, and waits for it.
  private func request() async -> HubTransition? {
    let upstream = hub.upstream
    if let upstream {
      upstream.beginAsking()
      await upstream.catchUp()
    }
    let task = TaskIdentity.current
    let answer = hub.process { $0.begin(id, task: task, &$1) }
    var transition: HubTransition?
    switch answer {
    case .transition(let next):
      transition = next
      upstream?.endAsking()
    case .ended, .woken:
      upstream?.endAsking()
    case .wait:
      await upstream?.follow()
      transition = await withCheckedContinuation { waiter in
        hub.process { $0.wait(id, waiter: waiter, &$1) }
        // Not earlier: at no time must the subscriber seem to do neither.
        upstream?.endAsking()
      }
    }
    return transition
  }

  /// Ends the subscription and resumes the tasks that wait for it.
  ///
  /// A second call does nothing.
  package func drop(releasing place: Hub.ReleasePlace = .elsewhere) {
    guard !isDropped.exchange(true, ordering: .relaxed) else { return }
    hub.drop(id, releasing: place)
  }
}
