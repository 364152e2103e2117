extension ReplicatedSource {
  /// Follows the log until the source finishes or is released.
  ///
  /// The task does not hold the source while it waits for entries.
  nonisolated func follow() -> Task<Void, Never> {
    let (log, clock, hub) = (log, clock, reader.hub)
    let known: @Sendable () -> Revision = { hub.withMachine { $0.revision } }
    var pause = Backoff(first: options.pause, longest: options.longestPause)
    return Task.detached { [weak self] in
      var next = await self?.nextRequest
      while let request = next {
        do throws(RevisionLogError) {
          switch request {
          case .entries:
            switch try await log.entries(after: known) {
            case .entries(let entries, let base): next = await self?.receive(entries, after: base)
            case .cut: next = .state
            }
          case .state:
            let state = try await log.newestState()
            next = try await self?.jump(to: state)
          }
          // No state covers the entry yet.
          if case (.state, .state?) = (request, next) {
            pause.failures += 1
          } else {
            pause.failures = 0
          }
        } catch {
          guard !Task.isCancelled else { return }
          self?.report(error)
          pause.failures += 1
          next = await self?.nextRequest
        }
        if pause.failures > 0 { try? await clock.sleep(for: pause.duration) }
      }
    }
  }

  /// What to ask the log for; `nil` when the source is over.
  private var nextRequest: LogRequest? {
    if list.core.isFinished { return nil }
    return failure == nil ? .entries : .state
  }

  /// Applies entries, and returns what to ask for next.
  private func receive(_ entries: [LogEntry], after base: Revision) -> LogRequest? {
    // A participant has its own entries already.
    guard !list.core.isFinished, base.number + entries.count > list.revision.number else {
      return nextRequest
    }
    do throws(ReplicationError) {
      try list.receive(entries, after: base)
    } catch {
      pauseFollowing(error)
    }
    hasMovedOn()
    return nextRequest
  }

  /// Takes over a stored state if it is newer, and returns what to ask for next.
  private func jump(to state: StoredState?) throws(RevisionLogError) -> LogRequest? {
    guard !list.core.isFinished else { return nil }
    guard let state, state.revision > list.revision else {
      guard failure == nil else { return nextRequest }
      throw .unavailable(
        reason: "entries after \(list.revision) were dropped without a stored state")
    }
    do throws(ReplicationError) {
      try list.jump(to: state)
      failure = nil
    } catch {
      pauseFollowing(error)
    }
    hasMovedOn()
    return nextRequest
  }

  /// Wakes all tasks that wait for another confirmed state.
  func hasMovedOn() {
    rebaseOverlay()
    waiting.wakeAll()
  }

  // MARK: Storing states

  /// Stores the state if it is due after a revision that this participant wrote.
  ///
  /// The log then drops entries that are no longer needed. A separate task does this, so no writer
  /// waits. If it fails, the next stored state makes up for it.
  func storeState(after written: Revision) {
    let span = Swift.max(1, options.revisionsPerState)
    guard written.number.isMultiple(of: span) else { return }
    // Others may have written meanwhile.
    let revision = list.revision
    let batch = Batch(
      UpdateBatch(
        showingValid: list.core.snapshot, epoch: list.core.hub.epoch, target: revision))
    let (log, coder) = (log, list.coder)
    let kept = Swift.max(0, options.revisionsKept)
    Task.detached { [weak self] in
      do {
        let state = StoredState(revision: revision, reset: try coder.encode(batch.delta))
        try await log.store(
          state, droppingEntriesThrough: Revision(Swift.max(0, revision.number - kept)))
      } catch {
        self?.report(error)
      }
    }
  }
}

/// What a ``ReplicatedSource`` that follows a log asks for next.
private enum LogRequest {
  case entries
  /// A state that covers entries which are gone, or which this participant cannot read.
  case state
}
