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

extension Hub {
  /// A stream of what transitions stand for, for one new subscriber.
  ///
  /// - Parameter batch: Works a transition out. It must not hold the source, as the stream must not:
  ///   source and waiting task would keep each other alive. It may hold what the source holds.
  func updates<Batch>(
    _ policy: UpdatePolicy, after revision: Revision?,
    _ batch: @escaping @Sendable (HubTransition, DifferenceMemo) async -> Batch
  ) -> AsyncStream<Batch> {
    let token = CursorToken(hub: self, policy: policy, after: revision)
    return AsyncStream {
      guard let transition = await token.hub.next(token.id) else { return nil }
      return await batch(transition, token.hub.memo)
    } onCancel: { [weak token] in
      token?.drop()
    }
  }
}
