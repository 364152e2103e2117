import Diffable

/// A change that waits for its place in the log.
///
/// Only the actor of the source uses it.
final class WaitingWrite<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Core = SourceCore<SectionID, ItemID>

  /// The revision that must be live.
  let expected: Revision?
  let presentation: Presentation
  /// The number of the change in the overlay if it is shown there: it is offered until the log answers.
  let shown: UInt64?
  /// Makes one commit, says what that does to the undo history, and keeps its result.
  let make: Core.Change<Void>
  /// Called once, with what has become of the change.
  let end: (WriteOutcome) -> Void
  /// What has become of it if the log accepts the append.
  var outcome = WriteOutcome.failed(DataSourceError.cancelled)

  init(
    ifRevision expected: Revision? = nil, _ presentation: Presentation, shown: UInt64? = nil,
    _ make: @escaping Core.Change<Void>, end: @escaping (WriteOutcome) -> Void
  ) {
    (self.expected, self.presentation, self.shown) = (expected, presentation, shown)
    (self.make, self.end) = (make, end)
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
  typealias WaitingWrite = DiffableSync.WaitingWrite<SectionID, ItemID>
  typealias WriteFate = SharedWrites<WaitingWrite>.Fate

  /// Makes a change once the log has accepted it.
  ///
  /// - Parameters:
  ///   - expected: The revision that must be live.
  ///   - company: Which other writes may be before it in the same append.
  ///   - change: Makes one commit in its turn, and says what that does to the undo history. It runs
  ///     again for each try.
  /// - Returns: The revision that has the change, or the live one if nothing changed; and what the
  ///   function returned for it.
  func write<Result: Sendable>(
    _ presentation: Presentation, ifRevision expected: Revision? = nil,
    company: SharedWrites<WaitingWrite>.Company = .anything,
    _ change:
      @escaping @Sendable (Core) throws -> (
        commit: Core.Live.Commit?, kind: RevisionKind, result: Result
      )
  ) async throws -> (revision: Revision, result: Result) {
    guard !Task.isCancelled else { throw DataSourceError.cancelled }
    let (number, waiting) = (makeWriteNumber(), WaitingTasks<Void>())
    var (result, outcome) = (Result?.none, WriteOutcome?.none)
    let write = WaitingWrite(ifRevision: expected, presentation) { core in
      let made = try change(core)
      result = made.result
      return (made.commit, made.kind, ())
    } end: {
      outcome = $0
      waiting.wake()
    }
    limit(number)
    defer { limits.end(number) }
    writes.add(.init(number: number, company: company, write))
    if isAlone {
      await withTaskCancellationHandler {
        await makeOnlyWrite(number)
      } onCancel: {
        Task { await self.stop(number) }
      }
    } else {
      makeWaitingWrites()
    }
    if outcome == nil, await !waiting.wait(for: ()), outcome == nil { stop(number) }
    // Its entry may be in the log: it ends with the append.
    while outcome == nil { _ = await waiting.wait(for: (), isCancellable: false) }
    switch (outcome, result) {
    case (.made(let revision)?, let result?): return (revision, result)
    case (.failed(let error)?, _): throw error
    default: preconditionFailure("A write has ended without an outcome")
    }
  }

  /// Makes a change of a kind that is known before it is made.
  func write<Result: Sendable>(
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

  private func makeWriteNumber() -> UInt64 {
    lastWrite += 1
    return lastWrite
  }
}
