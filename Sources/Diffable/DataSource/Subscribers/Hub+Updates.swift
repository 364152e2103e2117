extension Hub {
  /// A stream of batches, one for each transition, for one new subscriber.
  ///
  /// - Parameters:
  ///   - changeCount: The number of changes in a batch.
  ///   - resumeToken: The state that the subscriber shows. If the history does not have that state,
  ///     the subscriber starts from scratch.
  ///   - batch: Computes the batch of a transition. Neither it nor the stream may hold the source:
  ///     source and waiting task would keep each other alive. It may hold what the source holds.
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
