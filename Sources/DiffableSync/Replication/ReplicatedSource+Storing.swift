import Diffable

extension ReplicatedSource {
  /// Stores the state if it is due after revisions that this participant wrote.
  ///
  /// The log then drops entries that are no longer needed. A separate task does this, so no writer
  /// waits. If it fails, the next stored state makes up for it.
  func storeState(after base: Revision, _ count: Int) {
    let span = Swift.max(1, options.revisionsPerState)
    guard base.number / span < (base.number + count) / span else { return }
    // Others may have written meanwhile.
    storeState()
  }

  private func storeState() {
    let place = list.place
    let batch = Batch(
      UpdateBatch(
        showingValid: list.core.snapshot, epoch: list.core.hub.epoch, at: place))
    let (log, coder) = (log, list.coder)
    let kept = Swift.max(0, options.revisionsKept)
    Task.detached { [weak self] in
      do {
        let state = StoredState(revision: place.revision, reset: try coder.encode(batch.delta))
        try await log.store(
          state, droppingEntriesThrough: Revision(Swift.max(0, place.revision.number - kept)))
      } catch {
        self?.report(error)
      }
    }
  }

  /// Looks now and then whether new participants can start, and stores the state if they cannot.
  ///
  /// The task does not hold the source.
  nonisolated func check() -> Task<Void, Never> {
    let (log, clock, interval) = (log, clock, options.checkInterval)
    return Task.detached { [weak self] in
      while (try? await clock.sleep(for: interval)) != nil {
        guard let isComplete = try? await log.isComplete(), !isComplete else { continue }
        await self?.complete()
      }
    }
  }

  /// Stores the state since the log lacks it, or entries after it.
  private func complete() {
    guard !isOver, list.revision > .empty else { return }
    report(
      RevisionLogWarning(
        "The log lacks entries that new participants need: somebody has deleted them, or the stored "
          + "state. The state of \(list.revision) is stored in their place."))
    storeState()
  }
}
