public import Diffable

extension ListSource where Batch: DeltaBatch {
  /// The changes as server-sent events, for followers in other processes.
  ///
  /// - Parameters:
  ///   - token: What the client holds: its `Last-Event-ID`. Any text will do; a text that the
  ///     source does not know gives a reset.
  ///   - policy: How to serve a follower that cannot keep up.
  ///   - options: Heartbeats, how long the response lasts, and how slow a client may be.
  ///   - clock: Their clock. A test can pass a clock that it advances itself.
  ///   - encode: Writes a delta as JSON without line breaks: an ``UpdateDelta``, or the
  ///     ``ModelDelta`` of a ``ModelSource``. What it throws ends the response.
  /// - Complexity: O(1). Each delta costs what ``UpdateDelta/init(_:)`` or ``ModelDelta/init(_:)``
  ///   costs.
  public nonisolated func events(
    after token: ResumeToken? = nil, _ policy: UpdatePolicy = .coalesced,
    options: DeltaEventOptions = DeltaEventOptions(),
    clock: any Clock<Duration> = ContinuousClock(),
    encode: @escaping @Sendable (Batch.Delta) throws -> [UInt8]
  ) -> DeltaEvents<Batch> {
    DeltaEvents(
      subscription: reader.subscribe(policy, after: token), token: token, options: options,
      clock: clock
    ) { batch in
      (batch.token, try encode(batch.delta))
    }
  }
}
