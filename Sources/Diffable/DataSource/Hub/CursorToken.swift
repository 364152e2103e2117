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
  }

  deinit { drop() }

  /// Ends the subscription and whoever waits at it.
  ///
  /// Does nothing the second time.
  func drop() {
    hub.perform(hub.drop(id), releasing: .elsewhere)
  }
}
