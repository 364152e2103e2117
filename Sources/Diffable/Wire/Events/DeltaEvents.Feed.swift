extension DeltaEvents {
  /// The tasks of a response: for batches, the next heartbeat, and the end of the lifetime.
  ///
  /// The first two run only on request, so at most one batch and one heartbeat wait for the client.
  /// The iterator holds the feed, and the tasks do not. So the tasks are cancelled when the
  /// iterator is released.
  final class Feed: Sendable {
    private let batchDemand: AsyncStream<Void>.Continuation
    private let beatDemand: AsyncStream<Void>.Continuation
    private let tasks: [Task<Void, Never>]

    init(_ events: DeltaEvents, _ signals: AsyncStream<Signal>.Continuation) {
      let (batchesAsked, batchDemand) = AsyncStream.makeStream(of: Void.self)
      let (beatsAsked, beatDemand) = AsyncStream.makeStream(of: Void.self)
      (self.batchDemand, self.beatDemand) = (batchDemand, beatDemand)
      let (stream, clock, options) = (events.batches, events.clock, events.options)
      tasks = [
        Task {
          var batches = stream.makeAsyncIterator()
          for await _ in batchesAsked {
            guard let batch = await batches.next(isolation: #isolation) else {
              signals.yield(Task.isCancelled ? .close : .end)
              return
            }
            signals.yield(.batch(batch))
          }
        },
        Task {
          for await _ in beatsAsked {
            guard (try? await clock.sleep(for: options.heartbeat)) != nil else { return }
            signals.yield(.beat)
          }
        },
        Task {
          guard let lifetime = options.lifetime,
            (try? await clock.sleep(for: lifetime)) != nil
          else { return }
          signals.yield(.close)
        },
      ]
    }

    deinit { cancel() }

    /// Requests one more batch.
    func askForBatch() { batchDemand.yield() }

    /// Requests one heartbeat, an interval from now.
    func askForBeat() { beatDemand.yield() }

    func cancel() {
      for task in tasks { task.cancel() }
    }
  }
}
