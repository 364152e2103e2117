/// A subscription as long as somebody holds it.
///
/// A stream that is left by `break` or `throw`, or never iterated, tells nobody: its closure goes,
/// and this token with it.
final class CursorToken: Sendable {
  let hub: Hub
  let id: CursorID

  init(hub: Hub, policy: UpdatePolicy, after revision: Revision?) {
    self.hub = hub
    id = hub.withMachine { $0.subscribe(policy, after: revision) }
    hub.observe(.subscribed(policy))
  }

  deinit { drop() }

  /// Ends the subscription and whoever waits at it.
  ///
  /// Does nothing the second time.
  func drop() {
    let (isGone, actions) = hub.withMachine { machine in
      (machine.cursors[id] != nil, machine.drop(id))
    }
    // A copy that stayed here could be the last to go, after the task that is to release it.
    hub.perform(consume actions, releasing: .elsewhere)
    guard isGone else { return }
    hub.observe(.unsubscribed)
    hub.upstream?.rest()
  }
}
