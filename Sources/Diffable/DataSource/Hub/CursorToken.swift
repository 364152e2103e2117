/// A subscription as long as somebody holds it.
///
/// A stream that is left by `break` or `throw`, or never iterated, tells nobody: its closure goes,
/// and this token with it.
final class CursorToken: Sendable {
  let hub: Hub
  let id: CursorID

  init(hub: Hub, policy: UpdatePolicy, after revision: Revision?) {
    self.hub = hub
    id = hub.subscribe(policy, after: revision)
    hub.observe(.subscribed(policy))
  }

  deinit { drop() }

  /// Ends the subscription and whoever waits at it.
  ///
  /// Does nothing the second time.
  func drop() {
    let (isGone, actions) = hub.drop(id)
    // A copy that stayed here could be the last to go, after the task that is to release it.
    hub.perform(consume actions, releasing: .elsewhere)
    if isGone { hub.observe(.unsubscribed) }
  }
}

extension Hub {
  /// A stream of what transitions stand for, for one new subscriber.
  ///
  /// - Parameters:
  ///   - changeCount: The number of changes in a batch.
  ///   - resumeToken: Names the state that the subscriber shows. Whatever it names that the history
  ///     does not have, the subscriber starts from scratch.
  ///   - batch: Works a transition out. It must not hold the source, as the stream must not: source
  ///     and waiting task would keep each other alive. It may hold what the source holds.
  func updates<Batch>(
    _ policy: UpdatePolicy, after resumeToken: ResumeToken?,
    changeCount: @escaping @Sendable (Batch) -> Int,
    _ batch: @escaping @Sendable (HubTransition, Hub) async -> Batch
  ) -> AsyncStream<Batch> {
    let token = CursorToken(
      hub: self, policy: policy, after: resumeToken?.revision(in: epoch))
    let throttle = policy.throttle(clock)
    return AsyncStream {
      await throttle?.wait()
      guard let transition = await token.hub.next(token.id) else { return nil }
      await throttle?.begin()
      let batch = await batch(transition, token.hub)
      token.hub.deliver(transition, changeCount: changeCount(batch))
      return batch
    } onCancel: { [weak token] in
      token?.drop()
    }
  }
}
