/// A subscription that lasts as long as this token is held.
///
/// A stream that is left by `break` or `throw`, or never iterated, sends no event. But its closure
/// is released, and this token with it.
package final class CursorToken: Sendable {
  package let hub: Hub
  package let id: CursorID

  package init(hub: Hub, policy: UpdatePolicy, after revision: Revision?) {
    self.hub = hub
    id = hub.withMachine { $0.subscribe(policy, after: revision) }
    hub.observe(.subscribed(policy))
  }

  deinit { drop() }

  /// Whether the subscriber can still get anything.
  package var isSubscribed: Bool { hub.withMachine { $0.cursors[id] != nil } }

  /// Whether the source has ended.
  package var hasSourceEnded: Bool { hub.withMachine { $0.isFinished || $0.isClosed } }

  /// Ends the subscription and resumes the tasks that wait for it.
  ///
  /// A second call does nothing.
  package func drop() {
    hub.drop(id)
  }
}
