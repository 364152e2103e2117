import Diffable
import Synchronization

/// A change that waits for its place in the log.
///
/// Only the actor of the source uses it.
final class WaitingWrite {
  let presentation: Presentation
  /// The number of the change in the overlay if it is shown there: it is offered until the log answers.
  let shown: UInt64?
  /// Makes the change on the live state, keeps its result, and returns its entry; `nil` if nothing changed.
  let propose: () throws -> LogEntry?
  /// Called once, with what has become of the change.
  let end: (WriteOutcome) -> Void
  /// What has become of it if the log accepts the append.
  var outcome = WriteOutcome.failed(DataSourceError.cancelled)

  init(
    _ presentation: Presentation, shown: UInt64? = nil, _ propose: @escaping () throws -> LogEntry?,
    end: @escaping (WriteOutcome) -> Void
  ) {
    (self.presentation, self.shown) = (presentation, shown)
    (self.propose, self.end) = (propose, end)
  }
}

/// What has become of a write.
enum WriteOutcome {
  /// It is in the revision, or has changed nothing there.
  case made(Revision)
  case failed(any Error)
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
    let (number, promise) = (makeWriteNumber(), Promise<Made<Result>?>())
    return try await withTaskCancellationHandler {
      // It waits on the actor and goes on outside: a task that came back to the actor only to leave it
      // would make other writes wait.
      var made: Made<Result>? = await withCheckedContinuation(isolation: self) { waiter in
        assumeIsolated { source in
          if source.add(number, presentation, ifRevision: expected, company, change, promise) {
            waiter.resume(returning: nil)
          } else {
            promise.add(waiter)
          }
        }
      }
      if made == nil {
        await makeOnlyWrite(number)
        made = await promise.value
      }
      guard let made else { preconditionFailure("A write has ended without an outcome") }
      return try made.get()
    } onCancel: {
      Task { await self.stop(number) }
    }
  }

  private typealias Made<Result> = Swift.Result<(revision: Revision, result: Result), any Error>

  /// Lets a change wait for its turn.
  ///
  /// - Returns: Whether the task of its writer makes it.
  private func add<Result>(
    _ number: UInt64, _ presentation: Presentation, ifRevision expected: Revision?,
    _ company: SharedWrites<WaitingWrite>.Company,
    _ change: @escaping Core.Change<Result>, _ promise: Promise<Made<Result>?>
  ) -> Bool {
    // Whoever stops it later finds it.
    guard !Task.isCancelled else {
      promise.fulfil(.failure(DataSourceError.cancelled))
      return false
    }
    var result: Result?
    let write = WaitingWrite(presentation) { [list] in
      let made = try list.propose(list.makeWriteID(), ifRevision: expected, presentation, change)
      result = made.result
      return made.entry
    } end: { outcome in
      switch outcome {
      case .made(let revision): promise.fulfil(result.map { .success((revision, $0)) })
      case .failed(let error): promise.fulfil(.failure(error))
      }
    }
    limit(number)
    writes.add(.init(number: number, company: company, write))
    guard isAlone else {
      makeWaitingWrites()
      return false
    }
    isOffering = true
    return true
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
