import Diffable
import Synchronization

/// A change that waits for its place in the log.
///
/// Only the actor of the source uses it.
final class WaitingWrite {
  /// The name of the change if it is shown in the overlay: it is offered until the log answers.
  let shown: WriteID?
  /// Its call; `nil` if nobody waits for it, and it has no time limit.
  let call: WriteCall?
  /// Makes the change on the live state, keeps its result, and returns its entry; `nil` if nothing changed.
  let propose: () throws -> LogEntry?
  /// Called once, with what has become of the change.
  let end: (WriteOutcome) -> Void
  /// What has become of it if the log accepts the append.
  var outcome = WriteOutcome.failure(DataSourceError.cancelled)

  init(
    shown: WriteID? = nil, call: WriteCall? = nil, _ propose: @escaping () throws -> LogEntry?,
    end: @escaping (WriteOutcome) -> Void
  ) {
    (self.shown, self.call, self.propose, self.end) = (shown, call, propose, end)
  }
}

/// A call that waits for a write: it begins before the actor of the source knows of it.
final class WriteCall: Sendable {
  let number: UInt64
  /// The time since the call.
  let elapsed: Stopwatch
  private let wasCancelled = Atomic(false)

  init(_ number: UInt64, _ elapsed: Stopwatch) { (self.number, self.elapsed) = (number, elapsed) }

  /// Whether the task that waits was cancelled.
  var isCancelled: Bool { wasCancelled.load(ordering: .acquiring) }

  func cancel() { wasCancelled.store(true, ordering: .releasing) }
}

/// The revision that has a write, or in which it has changed nothing; or why it was not made.
typealias WriteOutcome = Result<Revision, any Error>

extension ReplicatedSource {
  typealias Core = SourceCore<SectionID, ItemID>

  /// The priority of all that makes writes and ends them.
  ///
  /// Somebody waits for each, and what others do with the source must not delay them.
  static var priority: TaskPriority { .userInitiated }

  /// Makes a change once the log has accepted it.
  ///
  /// Its time limit counts from here, unless its caller has begun before. An actor takes tasks by their
  /// priority, so a task of low priority would wait for as long as others have something to do there, past
  /// any limit. Another task goes there for it.
  ///
  /// - Parameters:
  ///   - expected: The revision that must be live.
  ///   - sharing: Which other writes may be before it in the same append.
  ///   - elapsed: The time since the call; `nil` if it begins here.
  ///   - change: Makes one commit in its turn, and says what that does to the undo history. It runs
  ///     again for each try.
  ///   - tooLarge: As in ``ReplicatedList/propose(_:ifRevision:_:_:tooLarge:)``.
  /// - Returns: The revision that has the change, what the function returned for it, and whether it has
  ///   changed something.
  nonisolated func write<Result: Sendable>(
    _ presentation: Presentation, ifRevision expected: Revision? = nil,
    sharing: SharedWrites<WaitingWrite>.Sharing = .anything, since elapsed: Stopwatch? = nil,
    _ change:
      @escaping @Sendable (Core) throws -> (
        commit: Core.Live.Commit?, kind: RevisionKind, result: Result
      ),
    tooLarge: @escaping @Sendable (DeltaError) throws -> Result = {
      throw ReplicationError.rejected(reason: $0.fault)
    }
  ) async throws -> (revision: Revision, isChange: Bool, result: Result) {
    let call = WriteCall(makeWriteNumber(), elapsed ?? reader.hub.startTimer())
    let made = Handover<(isChange: Bool, result: Result)>()
    let propose: @Sendable (ReplicatedList<Batch>) throws -> LogEntry? = { list in
      let (entry, result) = try list.propose(
        list.makeWriteID(), ifRevision: expected, presentation, change, tooLarge: tooLarge)
      made.put((entry != nil, result))
      return entry
    }
    return try await withTaskCancellationHandler {
      let isHandedOver = Task.currentPriority < .medium
      let (outcome, isOwn) =
        isHandedOver
        ? await Task.detached(priority: Self.priority) {
          await self.add(call, sharing, isHandedOver, propose)
        }.value
        : await add(call, sharing, isHandedOver, propose)
      if isOwn { await makeOnlyWrite(call.number) }
      // The task waits outside of the actor: one that came back there only to leave it would make
      // other writes wait.
      let revision = try await outcome.value.get()
      guard let (isChange, result) = made.take() else {
        preconditionFailure("A write was made without a result")
      }
      return (revision, isChange, result)
    } onCancel: {
      call.cancel()
      Task.detached(priority: Self.priority) { await self.stop(call.number) }
    }
  }

  /// Lets a write wait for its turn, unless its call is over already.
  ///
  /// - Parameters:
  ///   - isHandedOver: Whether this is not the task of its writer.
  ///   - propose: Makes the change on the live state, and returns its entry; `nil` for no change.
  /// - Returns: What becomes of it. And whether it is the only one, so that the task of its writer
  ///   makes it.
  private func add(
    _ call: WriteCall, _ sharing: SharedWrites<WaitingWrite>.Sharing, _ isHandedOver: Bool,
    _ propose: @escaping @Sendable (ReplicatedList<Batch>) throws -> LogEntry?
  ) -> (outcome: Promised<WriteOutcome>, isOwn: Bool) {
    let promise = Promise(otherwise: WriteOutcome.failure(DataSourceError.finished))
    let isOwn = isAlone && !isHandedOver
    let write = WaitingWrite(call: call, { [list] in try propose(list) }, end: promise.fulfil)
    if call.isCancelled {
      promise.fulfil(.failure(DataSourceError.cancelled))
    } else if isLate(write) {
      promise.fulfil(.failure(ReplicationError.timedOut(after: options.timeLimit)))
    } else {
      // Whoever stops it later finds it.
      watch(call)
      writes.add(.init(number: call.number, sharing: sharing, write))
    }
    if isOwn { isOffering = true } else { makeWaitingWrites() }
    return (promise.promised, isOwn)
  }

  /// Makes a change that reverts no other, and says what it did.
  nonisolated func write<Result: Sendable>(
    _ presentation: Presentation, ifRevision expected: Revision? = nil, named name: String? = nil,
    _ change: @escaping @Sendable (Core) throws -> (commit: Core.Live.Commit?, result: Result)
  ) async throws -> WriteResult<Result> {
    let made = try await write(presentation, ifRevision: expected) { core in
      let (commit, result) = try change(core)
      return (commit, .change(name: name), result)
    }
    let change = made.isChange ? reader.hub.change(made.revision, named: name) : nil
    return WriteResult(made.result, at: made.revision, change)
  }

  /// Lets a change that is shown already wait for the log, after those that were shown before.
  func add(shown write: WaitingWrite) {
    writes.add(.init(number: makeWriteNumber(), sharing: .itsKind, write))
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
    write.call.map { $0.elapsed() >= timeLimit } ?? false
  }

  /// Waits until this participant has read a revision, as long as a write may take.
  ///
  /// - Parameter elapsed: The time since the call.
  /// - Throws: Why it has not read it.
  func catchUp(with revision: Revision, since elapsed: Stopwatch) async throws {
    let (number, limit) = (waiting.makeNumber(), timeLimit)
    let ending = Task.detached(priority: Self.priority) { [weak self, clock] in
      if (try? await clock.sleep(for: limit - elapsed())) != nil { await self?.endWait(number) }
    }
    defer { ending.cancel() }
    while list.revision < revision, !isOver, elapsed() < limit, await waiting.wait(number) {}
    guard list.revision < revision else { return }
    guard !list.core.isFinished else { throw DataSourceError.finished }
    guard !Task.isCancelled else { throw DataSourceError.cancelled }
    throw failure ?? .timedOut(after: options.timeLimit)
  }

  /// Ends the wait of one task for another state.
  ///
  /// It is on the actor, so it does not come between the look of the task at the clock and its wait.
  private func endWait(_ number: UInt64) { waiting.cancel(number) }

  /// Ends writes whose time is over, that of a call or of an earlier one first.
  private func watch(_ call: WriteCall) {
    // Calls do not get here in their order.
    if let watched, watched.elapsed() >= call.elapsed() { return }
    watching?.cancel()
    watched = call
    // Detached: it watches the writes of all, and the first must not pass on its priority or its
    // task-local values.
    watching = Task.detached(priority: Self.priority) { [weak self, clock, limit = timeLimit] in
      var pause: Duration? = limit - call.elapsed()
      while let left = pause {
        guard (try? await clock.sleep(for: left)) != nil else { return }
        pause = await self?.endLateWrites()
      }
    }
  }

  /// Ends the writes whose time is over, and returns the time until the next one's is.
  private func endLateWrites() -> Duration? {
    let remaining = writes.all.compactMap { write in
      write.change.call.map { (call: $0, time: timeLimit - $0.elapsed()) }
    }
    for late in remaining where late.time <= .zero { stop(late.call.number) }
    let next = remaining.filter { $0.time > .zero }.min { $0.time < $1.time }
    watched = next?.call
    if next == nil { watching = nil }
    return next?.time
  }
}
