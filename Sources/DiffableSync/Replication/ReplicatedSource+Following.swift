import Diffable

extension ReplicatedSource {
  /// Follows the log until the source finishes or is released.
  ///
  /// The task does not hold the source while it waits for entries.
  nonisolated func follow() -> Task<Void, Never> {
    let (log, clock, hub) = (log, clock, reader.hub)
    let known: @Sendable () -> Revision = { hub.revision }
    var pause = Backoff(first: options.pause, longest: options.longestPause)
    return Task.detached { [weak self] in
      guard let history = await self?.history else { return }
      var next = await self?.nextRequest
      while let request = next {
        do throws(RevisionLogError) {
          switch request {
          case .entries:
            switch try await log.entries(after: known) {
            case .entries(let entries, let base):
              next = await self?.receive(entries, after: base)
              pause.failures = 0
            case .cut:
              // Only a state helps. If there is none yet, each look for one is a failure more.
              next = .state(before: nil)
              continue
            }
          case .state(let revision):
            let state =
              if let revision {
                try await log.state(before: revision)
              } else {
                try await log.newestState()
              }
            next = try await self?.jump(to: state)
            switch next {
            case .entries?: pause.failures = 0
            // No state covers the entry yet.
            case .state(nil)?: pause.failures += 1
            default: break
            }
          case .epoch:
            let epoch = try await log.epoch()
            let end = try await log.lastRevision()
            next = try await self?.resume(epoch, end)
          case .proof(let revision):
            let place = try await history.place(of: revision)
            next = await self?.prove(place)
          }
        } catch {
          guard !Task.isCancelled else { return }
          pause.failures += 1
          next = await self?.failed(error)
        }
        self?.reportWarnings()
        if pause.failures > 0 {
          try? await clock.sleep(for: max(pause.duration(), .milliseconds(1)))
        }
      }
    }
  }

  private var history: LogHistory<Batch.Delta> {
    LogHistory(log: log, epoch: list.core.hub.epoch, coder: list.coder, limits: list.limits)
  }

  /// What to ask the log for; `nil` when the source is over.
  private var nextRequest: LogRequest? {
    if list.core.isFinished { return nil }
    return switch failure {
    case nil: .entries
    case .log: .epoch
    case .forked: nil
    default: .state(before: nil)
    }
  }

  /// Records that the log has not answered, or that it refuses to be read.
  private func failed(_ error: RevisionLogError) -> LogRequest? {
    guard case .rejected = error else {
      report(error)
      return nextRequest
    }
    pauseFollowing(.log(error))
    wake()
    return nextRequest
  }

  /// Follows the log again after it has refused to be read.
  private func resume(
    _ epoch: Epoch, _ end: Revision?
  ) throws(RevisionLogError) -> LogRequest? {
    guard epoch == list.core.hub.epoch else {
      throw .rejected(reason: "the log was deleted and made again, so open the list again")
    }
    if let end, end < list.revision, case .log(let known) = failure { throw known }
    if case .log = failure { failure = nil }
    return nextRequest
  }

  /// Takes over which of two histories the log has.
  private func prove(_ place: HistoryPlace?) -> LogRequest? {
    do throws(ReplicationError) {
      try list.prove(place)
    } catch {
      pauseFollowing(error)
      wake()
    }
    return nextRequest
  }

  /// Applies entries, and returns what to ask for next.
  private func receive(_ entries: [LogEntry], after base: Revision) -> LogRequest? {
    // A participant has its own entries already.
    guard !list.core.isFinished, base.number > list.revision.number - entries.count else {
      return nextRequest
    }
    var next: LogRequest?
    do throws(ReplicationError) {
      try list.receive(entries, after: base)
    } catch .forked(let revision) {
      next = .proof(of: revision)
    } catch {
      pauseFollowing(error)
    }
    reported = nil
    for entry in list.takeSkipped() { report(entry) }
    hasMovedOn()
    return next ?? nextRequest
  }

  /// Takes over a stored state if it is newer, and returns what to ask for next.
  private func jump(to state: StoredState?) throws(RevisionLogError) -> LogRequest? {
    guard !list.core.isFinished else { return nil }
    guard let state, state.revision > list.revision else {
      guard failure == nil else { return nextRequest }
      throw .unavailable(
        reason: "it has neither the entry after \(list.revision) nor a later state, until a "
          + "participant that has the list stores it")
    }
    var next: LogRequest?
    do throws(ReplicationError) {
      try list.jump(to: state)
      failure = nil
    } catch {
      pauseFollowing(error)
      // An older one may do.
      next = .state(before: state.revision)
    }
    hasMovedOn()
    return next ?? nextRequest
  }

  /// Wakes all tasks that wait for another confirmed state.
  func hasMovedOn() {
    rebaseOverlay()
    wake()
  }
}

/// What a ``ReplicatedSource`` that follows a log asks for next.
private enum LogRequest {
  case entries
  /// A state that covers entries which are gone, or which this participant cannot read: the newest one,
  /// or the one before a revision.
  case state(before: Revision?)
  /// The epoch, to see whether the log no longer refuses to be read.
  case epoch
  /// Which history the log has up to a revision.
  case proof(of: Revision)
}
