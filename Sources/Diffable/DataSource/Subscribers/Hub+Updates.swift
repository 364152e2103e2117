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

  /// Adds a subscriber.
  ///
  /// - Parameters:
  ///   - changeCount: The number of changes in a batch.
  ///   - resumeToken: The state that the subscriber shows. If the history does not have that state,
  ///     the subscriber starts from scratch.
  ///   - batch: Computes the batch of a transition. Neither it nor the subscription may hold the
  ///     source: source and waiting task would keep each other alive. It may hold what the source
  ///     holds.
  func subscribe<Batch>(
    _ policy: UpdatePolicy, after resumeToken: ResumeToken?,
    changeCount: @escaping @Sendable (Batch) -> Int,
    _ batch: @escaping @Sendable (HubTransition) async -> Batch
  ) -> Subscription<Batch> {
    Subscription(
      token: CursorToken(hub: self, policy: policy, after: resumeToken.flatMap(revision(for:))),
      throttle: policy.throttle(clock), changeCount: changeCount, batch: batch)
  }
}

/// One subscriber, for one task at a time.
package struct Subscription<Batch: Sendable>: Sendable {
  package let token: CursorToken
  fileprivate let throttle: (any Throttling)?
  fileprivate let changeCount: @Sendable (Batch) -> Int
  fileprivate let batch: @Sendable (HubTransition) async -> Batch

  /// The next batch; `nil` when the stream has ended, and when the subscriber was woken.
  func next() async -> Batch? {
    guard let transition = await transition() else { return nil }
    return await deliver(transition)
  }

  /// Waits for the next transition; `nil` when the stream has ended, and when the subscriber was woken.
  ///
  /// A task that waits here holds no room for a batch, which is large.
  package func transition() async -> HubTransition? {
    await throttle?.wait()
    return await token.hub.ask(token.id)
  }

  /// The batch of a transition, which the subscriber has then.
  package func deliver(_ transition: HubTransition) async -> Batch {
    await throttle?.begin()
    let batch = await batch(transition)
    token.hub.deliver(transition, changeCount: changeCount(batch))
    return batch
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
