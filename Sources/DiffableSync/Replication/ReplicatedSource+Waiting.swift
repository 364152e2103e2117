import Diffable
import Synchronization

/// A change that waits for its place in the log.
///
/// Only the actor of the source uses it.
final class WaitingWrite {
  let presentation: Presentation
  /// The number of the change in the overlay if it is shown there: it is offered until the log answers.
  let shown: UInt64?
  /// The time since its call; `nil` if it has no time limit.
  let elapsed: Stopwatch?
  /// Makes the change on the live state, keeps its result, and returns its entry; `nil` if nothing changed.
  let propose: () throws -> LogEntry?
  /// Called once, with what has become of the change.
  let end: (WriteOutcome) -> Void
  /// What has become of it if the log accepts the append.
  var outcome = WriteOutcome.failed(DataSourceError.cancelled)

  init(
    _ presentation: Presentation, shown: UInt64? = nil, elapsed: Stopwatch? = nil,
    _ propose: @escaping () throws -> LogEntry?, end: @escaping (WriteOutcome) -> Void
  ) {
    (self.presentation, self.shown, self.elapsed) = (presentation, shown, elapsed)
    (self.propose, self.end) = (propose, end)
  }
}

/// What has become of a write.
enum WriteOutcome: Sendable {
  /// It is in the revision, or has changed nothing there.
  case made(Revision)
  case failed(any Error)
}

/// What a writer hears of its write.
private enum BegunWrite: Sendable {
  case ended(WriteOutcome)
  /// It is the only one: its task makes it, and then waits for the outcome.
  case alone(Promise<WriteOutcome>)
}

extension ReplicatedSource {
  typealias Core = SourceCore<SectionID, ItemID>

  /// Makes a change once the log has accepted it.
  ///
  /// - Parameters:
  ///   - expected: The revision that must be live.
  ///   - company: Which other writes may be before it in the same append.
  ///   - change: Makes one commit in its turn, and says what that does to the undo history. It runs
  ///     again for each try.
  /// - Returns: The revision that has the change, or the live one if nothing changed; and what the
  ///   function returned for it.
  nonisolated func write<Result: Sendable>(
    _ presentation: Presentation, ifRevision expected: Revision? = nil,
    company: SharedWrites<WaitingWrite>.Company = .anything,
    _ change:
      @escaping @Sendable (Core) throws -> (
        commit: Core.Live.Commit?, kind: RevisionKind, result: Result
      )
  ) async throws -> (revision: Revision, result: Result) {
    let (number, result) = (makeWriteNumber(), Handover<Result>())
    return try await withTaskCancellationHandler {
      // It waits on the actor and goes on outside: a task that came back to the actor only to leave it
      // would make other writes wait.
      let begun = await withCheckedContinuation(isolation: self) { waiter in
        assumeIsolated {
          $0.add(number, presentation, ifRevision: expected, company, change, result, waiter)
        }
      }
      let outcome: WriteOutcome
      switch begun {
      case .ended(let ended): outcome = ended
      case .alone(let promise):
        await makeOnlyWrite(number)
        outcome = await promise.value
      }
      switch outcome {
      case .failed(let error): throw error
      case .made(let revision):
        guard let result = result.take() else {
          preconditionFailure("A write was made without a result")
        }
        return (revision, result)
      }
    } onCancel: {
      Task { await self.stop(number) }
    }
  }

  /// Lets a change wait for its turn.
  ///
  /// - Parameter waiter: Resumed when the write has ended, or if the task of its writer makes it.
  private func add<Result>(
    _ number: UInt64, _ presentation: Presentation, ifRevision expected: Revision?,
    _ company: SharedWrites<WaitingWrite>.Company, _ change: @escaping Core.Change<Result>,
    _ result: Handover<Result>, _ waiter: CheckedContinuation<BegunWrite, Never>
  ) {
    // Whoever stops it later finds it.
    guard !Task.isCancelled else {
      return waiter.resume(returning: .ended(.failed(DataSourceError.cancelled)))
    }
    let promise = isAlone ? Promise<WriteOutcome>() : nil
    let write = WaitingWrite(presentation, elapsed: list.core.hub.startTimer()) { [list] in
      let made = try list.propose(list.makeWriteID(), ifRevision: expected, presentation, change)
      result.put(made.result)
      return made.entry
    } end: { outcome in
      if let promise { promise.fulfil(outcome) } else { waiter.resume(returning: .ended(outcome)) }
    }
    if watching == nil, let elapsed = write.elapsed { watch(elapsed) }
    writes.add(.init(number: number, company: company, write))
    guard let promise else { return makeWaitingWrites() }
    isOffering = true
    waiter.resume(returning: .alone(promise))
  }

  /// Makes a change of a kind that is known before it is made.
  nonisolated func write<Result: Sendable>(
    _ presentation: Presentation, ifRevision expected: Revision? = nil, kind: RevisionKind,
    _ change: @escaping @Sendable (Core) throws -> (commit: Core.Live.Commit?, result: Result)
  ) async throws -> (revision: Revision, result: Result) {
    try await write(presentation, ifRevision: expected) { core in
      let (commit, result) = try change(core)
      return (commit, kind, result)
    }
  }

  /// Lets a change that is shown already wait for the log, after those that were shown before.
  func add(shown write: WaitingWrite) {
    writes.add(.init(number: makeWriteNumber(), company: .itsKind, write))
    makeWaitingWrites()
  }

  private nonisolated func makeWriteNumber() -> UInt64 {
    lastWrite.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

extension ReplicatedSource {
  /// The time that a write has, as a clock can measure it.
  private var timeLimit: Duration { Swift.min(options.timeLimit, .longest) }

  /// Whether the time of a write is over.
  func isLate(_ write: WaitingWrite) -> Bool {
    write.elapsed.map { $0() >= timeLimit } ?? false
  }

  /// Ends writes whose time is over.
  private func watch(_ elapsed: Stopwatch) {
    // Detached: it watches the writes of all, and the first must not pass on its priority or its
    // task-local values. No other write is late before this one.
    watching = Task.detached { [weak self, clock, limit = timeLimit] in
      var pause: Duration? = limit - elapsed()
      while let left = pause {
        guard (try? await clock.sleep(for: left)) != nil else { return }
        pause = await self?.endLateWrites()
      }
    }
  }

  /// Ends the writes whose time is over, and returns the time until the next one's is.
  private func endLateWrites() -> Duration? {
    let remaining = writes.all.compactMap { write in
      write.change.elapsed.map { (number: write.number, time: timeLimit - $0()) }
    }
    for late in remaining where late.time <= .zero { stop(late.number) }
    let next = remaining.map(\.time).filter { $0 > .zero }.min()
    if next == nil { watching = nil }
    return next
  }
}
