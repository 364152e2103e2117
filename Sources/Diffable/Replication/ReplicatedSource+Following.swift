extension ReplicatedSource {
  /// Follows the log until the source finishes, stops or is released.
  ///
  /// The task does not hold the source while it waits for entries.
  nonisolated func follow() -> Task<Void, Never> {
    let (log, clock) = (log, clock)
    var pause = Backoff(first: options.pause, longest: options.longestPause)
    return Task.detached { [weak self] in
      var next = await self?.nextBase
      while let revision = next {
        do throws(RevisionLogError) {
          switch try await log.entries(after: revision) {
          case .entries(let entries): next = await self?.receive(entries, after: revision)
          case .cut:
            let state = try await Self.newestState(of: log, after: revision)
            next = await self?.jump(to: state)
          }
          pause.failures = 0
        } catch {
          guard !Task.isCancelled else { return }
          self?.report(error)
          pause.failures += 1
          try? await clock.sleep(for: pause.duration)
          next = await self?.nextBase
        }
      }
    }
  }

  /// The revision whose entry comes next; `nil` when the source is over.
  private var nextBase: Revision? { isOver ? nil : list.revision }

  /// Applies entries, and returns the revision to continue from.
  private func receive(_ entries: [LogEntry], after base: Revision) -> Revision? {
    guard !isOver else { return nil }
    // The entries of its own writes are here already.
    guard base.number + entries.count > list.revision.number else { return nextBase }
    do throws(ReplicationError) {
      try list.receive(entries, after: base)
    } catch {
      stop(error)
    }
    hasMovedOn()
    return nextBase
  }

  private static func newestState(
    of log: any RevisionLog, after revision: Revision
  ) async throws(RevisionLogError) -> StoredState {
    guard let state = try await log.newestState(), state.revision > revision else {
      throw .unavailable(reason: "entries after \(revision) were dropped without a stored state")
    }
    return state
  }

  /// Takes over a state, and returns the revision to continue from.
  private func jump(to state: StoredState) -> Revision? {
    guard !isOver else { return nil }
    do throws(ReplicationError) {
      try list.jump(to: state)
    } catch {
      stop(error)
    }
    hasMovedOn()
    return nextBase
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
