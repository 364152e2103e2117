import Diffable

extension ReplicatedSource {
  typealias Core = SourceCore<SectionID, ItemID>

  /// Makes a change once the log has accepted it.
  ///
  /// - Parameters:
  ///   - expected: The revision that must be live.
  ///   - pending: The number of the change in the overlay. It is offered until the log answers.
  ///   - change: Makes one commit in its turn, and says what that does to the undo history. It runs
  ///     again for each try.
  /// - Returns: The revision that has the change, or the live one if nothing changed; and what the
  ///   function returned for it.
  func write<Result: Sendable>(
    _ presentation: Presentation, ifRevision expected: Revision? = nil, pending: UInt64? = nil,
    _ change:
      @Sendable (Core) throws -> (
        commit: Core.Live.Commit?, kind: RevisionKind, result: Result
      )
  ) async throws -> (revision: Revision, result: Result) {
    let number = turns.makeNumber()
    if pending == nil { limit(number) }
    defer { limits.end(number) }
    try await takeTurn(number)
    defer { endTurn() }
    for _ in 0..<Swift.max(1, options.tries) {
      await letOthersWrite(number)
      if let failure { throw failure }
      guard !limits.isLate(number) else { break }
      let (id, base) = (WriteID(), list.revision)
      let (entry, result) = try list.propose(id, ifRevision: expected, presentation, change)
      guard let entry else { return (base, result) }
      pendingWrite = pending.map { (id, $0) }
      if try await offer(entry, after: base, of: number, pending == nil ? options.offers : .max) {
        storeState(after: base.next)
        return (base.next, result)
      }
    }
    guard !limits.isLate(number) else { throw ReplicationError.timedOut(after: options.timeLimit) }
    throw ReplicationError.contention(tries: options.tries)
  }

  /// Makes a change of a kind that is known before it is made.
  func write<Result: Sendable>(
    _ presentation: Presentation, ifRevision expected: Revision? = nil, kind: RevisionKind,
    pending: UInt64? = nil,
    _ change: @Sendable (Core) throws -> (commit: Core.Live.Commit?, result: Result)
  ) async throws -> (revision: Revision, result: Result) {
    try await write(presentation, ifRevision: expected, pending: pending) { core in
      let (commit, result) = try change(core)
      return (commit, kind, result)
    }
  }

  /// Offers an entry until it is known whether it comes next.
  ///
  /// - Parameters:
  ///   - number: The number of the write.
  ///   - limit: The maximum number of offers without an answer.
  /// - Returns: `false` if it does not, and never will.
  private func offer(
    _ entry: LogEntry, after base: Revision, of number: UInt64, _ limit: Int
  ) async throws(ReplicationError) -> Bool {
    var offer = Offer(limit: limit)
    var pause = Backoff(first: options.pause, longest: options.longestPause)
    while true {
      let isStopping = Task.isCancelled || isOver || limits.isLate(number)
      switch offer.step(list.decision(on: entry.id), isStopping: isStopping) {
      case .append:
        let elapsed = list.core.hub.startTimer()
        var answer = await answer(to: entry, after: base)
        (answerTime, sinceAnswer) = (elapsed(), list.core.hub.startTimer())
        if case .missing = answer, limits.isLate(number) {
          answer = .missing("the log did not answer within \(options.timeLimit)")
        }
        offer.record(answer)
        if answer == .accepted {
          list.accept(entry.id)
          hasMovedOn()
        }
      case .pause:
        pause.failures += 1
        let remaining = limits.remaining(number) ?? pause.longest
        try? await clock.sleep(for: Swift.min(pause.duration, Swift.max(remaining, .zero)))
        offer.resume()
      case .wait:
        await waitWhile {
          $0.list.decision(on: entry.id) == .open && !$0.isOver && !$0.limits.isLate(number)
        }
      case .end(let outcome):
        list.withdraw(entry.id)
        switch outcome {
        case .next:
          contention.won(base.next, after: answerTime)
          return true
        case .lost:
          contention.lost(after: answerTime)
          return false
        case .rejected(let reason): throw .rejected(reason: reason)
        case .unknown(let reason): throw .unknownFate(entry.id, reason: reason)
        }
      }
    }
  }

  /// Waits while other participants should go first.
  private func letOthersWrite(_ number: UInt64) async {
    contention.receivedForeign(list.lastForeign)
    var random = SystemRandomNumberGenerator()
    guard let pause = contention.pause(using: &random), let sinceAnswer else { return }
    let left = Swift.min(pause - sinceAnswer(), limits.remaining(number) ?? pause)
    if left > .zero { try? await clock.sleep(for: left) }
  }

  /// Asks the log to append an entry, in a task that can be cancelled before the writer is.
  private func answer(to entry: LogEntry, after base: Revision) async -> Offer.Answer {
    let asking = Task { [log] in await Self.answer(of: log, to: entry, after: base) }
    self.asking = asking
    defer { self.asking = nil }
    return await withTaskCancellationHandler {
      await asking.value
    } onCancel: {
      asking.cancel()
    }
  }

  private static func answer(
    of log: any RevisionLog, to entry: LogEntry, after base: Revision
  ) async -> Offer.Answer {
    do throws(RevisionLogError) {
      return try await log.append(entry, after: base) ? .accepted : .refused
    } catch {
      switch error {
      case .rejected(let reason): return .rejected(reason)
      case .unavailable(let reason): return .missing(reason)
      }
    }
  }

  // MARK: Waiting

  /// Waits until no other write is under way.
  private func takeTurn(_ number: UInt64) async throws {
    if !turns.takeIfFree() {
      guard await turns.take(number) else {
        guard limits.isLate(number) else { throw DataSourceError.cancelled }
        throw ReplicationError.timedOut(after: options.timeLimit)
      }
    }
    writing = number
  }

  private func endTurn() {
    writing = nil
    turns.pass()
  }

  /// Waits until a condition no longer holds, or the task is cancelled.
  func waitWhile(
    _ holds: (isolated ReplicatedSource) -> Bool
  ) async {
    while holds(self), await waiting.wait(for: ()) {}
  }
}
