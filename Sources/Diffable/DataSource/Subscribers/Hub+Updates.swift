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
      guard let transition = await token.hub.ask(token.id) else { return nil }
      await throttle?.begin()
      let batch = await batch(transition, token.hub)
      token.hub.deliver(transition, changeCount: changeCount(batch))
      return batch
    } onCancel: { [weak token] in
      token?.drop()
    }
  }
}
