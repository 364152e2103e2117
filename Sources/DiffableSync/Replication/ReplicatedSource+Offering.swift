import Diffable

extension ReplicatedSource {
  /// Makes the writes that wait, until there are none.
  ///
  /// Detached: it makes the writes of all, and the first must not pass on its priority or its
  /// task-local values.
  func makeWaitingWrites() {
    guard !isOffering else { return }
    isOffering = true
    Task.detached(priority: Self.priority) { await self.offerWaitingWrites() }
  }

  /// Whether the write that comes need not be made by another task.
  ///
  /// It is the only one, and nobody else's waits for it. Handing it over and back would take about as long
  /// as a near log takes to answer.
  var isAlone: Bool {
    !isOffering && lastWriteCount < 2 && writes.waiting.isEmpty
  }

  /// Makes the only write that waits, in the task of its writer.
  ///
  /// It offers it once. All that comes after that is for the task that makes the writes of all.
  func makeOnlyWrite(_ number: UInt64) async {
    // Its writer may give it up, and others that have come meanwhile wait on.
    await letOthersWrite { $0.writes.waiting.first?.number == number }
    if writes.waiting.count == 1, writes.waiting.first?.number == number { await makeAppend() }
    isOffering = false
    if !writes.isEmpty { makeWaitingWrites() }
  }

  private func offerWaitingWrites() async {
    var pause = Backoff(first: options.pause, longest: options.longestPause)
    while !writes.isEmpty {
      pause.failures = isLogClosed ? pause.failures + 1 : 0
      // Those that wait can end meanwhile.
      if isLogClosed { await sleep(for: pause.duration()) }
      await letWritersCome()
      await letOthersWrite { !$0.writes.isEmpty }
      await makeAppend()
    }
    isOffering = false
  }

  /// Waits for writers that are about to come: those that the log has just answered often write again.
  ///
  /// Without it, the writers of one append would come while the others' is under way, and go on taking turns
  /// with them: each write would take two answers of the log. It waits as long as more come, though not
  /// longer than an answer takes, and in vain for a sixteenth of that.
  private func letWritersCome() async {
    // One slow answer says little about the next one.
    let longest = Swift.min(answerTime, .milliseconds(320))
    let elapsed = list.core.hub.startTimer()
    var count: Int
    repeat {
      count = writes.waiting.count
      guard count < Swift.min(lastWriteCount, SharedWrites<WaitingWrite>.most.entries) else {
        return
      }
      await sleep(for: longest / 16)
    } while writes.waiting.count > count && elapsed() < longest
  }

  /// Makes the writes that wait, as far as they share an append, and offers their entries.
  private func makeAppend() async {
    let entries = fillAppend()
    guard let first = entries.first else { return }
    let base = list.revision
    let outcome = await offer(entries, first.id, after: base)
    list.withdraw(first.id)
    switch outcome {
    case .next: list.contention.won(after: answerTime)
    case .lost: list.contention.lost(after: answerTime, at: list.elapsed())
    case .rejected, .unknown, .notDone: break
    }
    lastWriteCount = writes.offered.count + writes.waiting.count
    end(writes.end(outcome, tries: Swift.max(1, options.tries)))
    isLogClosed = outcome == .notDone
    if outcome == .next { storeState(after: base, entries.count) }
  }

  /// Makes the writes that wait, as far as they share the next append.
  ///
  /// - Returns: Their entries.
  private func fillAppend() -> [LogEntry] {
    var entries: [LogEntry] = []
    entries.reserveCapacity(writes.waiting.count)
    while let write = writes.take() {
      var entry: LogEntry?
      write.change.outcome = Result {
        if let failure { throw failure }
        entry = try write.change.propose()
        return list.core.latestPlace.revision
      }
      if let entry {
        guard writes.join(write, entry.id, size: entry.delta.count) else {
          list.withdrawLast()
          break
        }
        entries.append(entry)
      } else if !writes.follow(write) {
        end(write, write.change.outcome)
      }
    }
    return entries
  }

  /// Tells the writers what has become of their writes.
  private func end(
    _ writes: [(write: SharedWrites<WaitingWrite>.Write, fate: SharedWrites<WaitingWrite>.Fate)]
  ) {
    for (write, fate) in writes {
      let outcome: WriteOutcome =
        switch fate {
        case .made: write.change.outcome
        case .contention:
          .failure(ReplicationError.contention(tries: Swift.max(1, options.tries)))
        case .stopped where isLate(write.change):
          .failure(ReplicationError.timedOut(after: options.timeLimit))
        case .stopped: .failure(DataSourceError.cancelled)
        case .rejected(let reason): .failure(ReplicationError.rejected(reason: reason))
        case .unknown(let id, let reason):
          .failure(
            ReplicationError.unknownFate(id, reason: isLate(write.change) ? lateness : reason))
        }
      end(write, outcome)
    }
  }

  private func end(_ write: SharedWrites<WaitingWrite>.Write, _ outcome: WriteOutcome) {
    if let shown = write.change.shown { hide(shown) }
    write.change.end(outcome)
  }

  private var lateness: String { "the log did not answer within \(options.timeLimit)" }

  /// Ends a write whose task was cancelled, or whose time is over.
  func stop(_ number: UInt64) {
    if isAsking, writes.all.contains(where: { $0.number == number && isLate($0.change) }),
      writes.stopAfterAnswer(number)
    {
      // A log that is locked says at once that it has changed nothing.
      asking?.cancel()
      return
    }
    if let ended = writes.stop(number, "its task was cancelled") { end([ended]) }
    if isAwaitingTurn { asking?.cancel() }
    guard writes.isStopped || writes.isEmpty else { return }
    asking?.cancel()
    wake()
  }

  /// Wakes all that wait for the log, for other participants or for the end.
  func wake() {
    waiting.wake()
    if isAwaitingTurn { asking?.cancel() }
  }

  // MARK: Asking the log

  /// Offers entries until it is known whether they come next.
  private func offer(
    _ entries: [LogEntry], _ first: WriteID, after base: Revision
  ) async -> Offer.Outcome {
    // The changes of an optimistic list are offered until the log answers.
    let isPatient = writes.offered.contains { $0.write.change.shown != nil }
    var (offer, missing) = (Offer(limit: isPatient ? .max : options.offers), 0)
    var pause = Backoff(first: options.pause, longest: options.longestPause)
    while true {
      switch offer.step(list.decision(on: first), isStopping: writes.isStopped || isOver) {
      case .append:
        let elapsed = list.core.hub.startTimer()
        isAsking = true
        let answer = await answer(to: entries, after: base)
        isAsking = false
        answerTime = elapsed()
        offer.record(answer)
        switch answer {
        case .accepted:
          list.accept(first)
          hasMovedOn()
        case .missing(let reason):
          missing += 1
          end(writes.endStopped(reason))
          if isPatient, missing == options.offers { stopImpatient(reason) }
        case .refused: end(writes.endStopped(offer.doubt))
        case .rejected, .notDone: break
        }
      case .pause:
        pause.failures += 1
        await sleep(for: pause.duration())
        offer.resume()
      case .wait:
        await waitWhile(isCancellable: false) {
          $0.list.decision(on: first) == .open && !$0.isOver && !$0.writes.isStopped
        }
      case .end(let outcome):
        return outcome
      }
    }
  }

  /// Ends the writes in the append whose offers are used up, while others are offered further.
  private func stopImpatient(_ reason: String) {
    for member in writes.offered where member.write.change.shown == nil {
      if let ended = writes.stop(member.write.number, reason) { end([ended]) }
    }
  }

  /// Waits while it is the turn of other participants.
  private func letOthersWrite(while holds: (isolated ReplicatedSource) -> Bool) async {
    while holds(self), !isOver, let pause = list.contention.pause(at: list.elapsed()) {
      isAwaitingTurn = true
      await sleep(for: pause)
      isAwaitingTurn = false
    }
  }

  /// Asks the log to append entries, in a task that is cancelled when no writer waits any more.
  private func answer(to entries: [LogEntry], after base: Revision) async -> Offer.Answer {
    let asking = Task { [log] in await Self.answer(of: log, to: entries, after: base) }
    self.asking = asking
    defer { self.asking = nil }
    return await asking.value
  }

  /// Waits until the time is over, or no writer waits any more.
  private func sleep(for pause: Duration) async {
    let sleeping = Task { [clock] () -> Offer.Answer in
      try? await clock.sleep(for: pause)
      return .refused
    }
    asking = sleeping
    defer { asking = nil }
    _ = await sleeping.value
  }

  private static func answer(
    of log: any RevisionLog, to entries: [LogEntry], after base: Revision
  ) async -> Offer.Answer {
    do throws(RevisionLogError) {
      return try await log.append(entries, after: base) ? .accepted : .refused
    } catch {
      switch error {
      case .rejected(let reason): return .rejected(reason)
      case .notDone: return .notDone
      case .unavailable(let reason): return .missing(reason)
      }
    }
  }

  /// Waits until a condition no longer holds, or the task is cancelled.
  func waitWhile(
    isCancellable: Bool = true, _ holds: (isolated ReplicatedSource) -> Bool
  ) async {
    while holds(self), await waiting.wait(isCancellable: isCancellable) {}
  }
}
