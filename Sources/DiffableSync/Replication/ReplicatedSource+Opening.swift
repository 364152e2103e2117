import Diffable

extension ReplicatedSource {
  /// Starts from a stored state, or from the first entry, and reads on to the end of the log.
  ///
  /// It starts so far back that the history becomes as long as the source keeps it, if the log still has
  /// the entries. So clients resume and named changes can be undone as before the list was closed.
  ///
  /// If the log does not say where it ends, the source starts from the newest state, and its task reads
  /// on later.
  ///
  /// If entries on the way to the end are gone, it waits for a later state before it shows an old one. An
  /// opening that reads to the end, as nearly all do, asks the log for nothing more.
  ///
  /// - Returns: What could not be read.
  func begin() async throws(ReplicationError) -> [ReplicationError] {
    // If this has no answer, the source that follows the log asks again.
    let end = (try? await log.lastRevision()).flatMap { $0.isOfLog ? $0 : nil }
    var unreadable: [ReplicationError] = []
    var newer = try await start(
      from: end.map { $0.number - Swift.max(0, options.source.history) } ?? .max, &unreadable)
    guard let end else {
      if (try? await log.isComplete()) == false, let state = await awaitState() {
        try? list.jump(to: state)
      }
      return unreadable
    }
    var mayWait = true
    while list.revision < end {
      let known = list.revision
      let page = await page(after: known)
      if case .entries(let entries, let base)? = page {
        // The source that follows the log meets the same error, and reports it.
        try? list.receive(entries, after: base)
        unreadable += list.takeSkipped()
      }
      guard list.revision == known else { continue }
      // A newer state may cover what cannot be read.
      if let state = newer.popLast() {
        try? list.jump(to: state)
      } else if mayWait, page == .cut, let state = await awaitState() {
        mayWait = false
        try? list.jump(to: state)
      } else {
        break
      }
    }
    return unreadable
  }

  /// The entries after a revision before the end of the log; `nil` if the log does not answer, or ends
  /// there by now.
  ///
  /// A log that has lost its last entries meanwhile would answer when somebody writes the next one.
  private func page(after known: Revision) async -> LogPage? {
    let asking = Task { [log] in try? await log.entries(after: known) }
    let watching = Task { [log, clock, checkInterval] in
      while (try? await clock.sleep(for: checkInterval)) != nil {
        if let end = try? await log.lastRevision(), end <= known { return asking.cancel() }
      }
    }
    defer { watching.cancel() }
    return await withTaskCancellationHandler {
      await asking.value
    } onCancel: {
      asking.cancel()
    }
  }

  /// Waits until another participant has stored a later state, which it does if it sees that the log
  /// lacks entries.
  ///
  /// - Returns: The state; `nil` if there is none after the time in which participants look, or if the log
  ///   does not answer.
  private func awaitState() async -> StoredState? {
    // One that has just looked looks again after this interval, and then stores its state.
    var rest = options.checkInterval + options.longestPause
    report(
      RevisionLogWarning(
        "The log lacks entries after \(list.revision): somebody has deleted them, or the stored state. "
          + "The list opens when a participant that has it stores its state, or without them after "
          + "\(rest)."))
    var pause = Backoff(first: options.pause, longest: options.longestPause)
    while true {
      do throws(RevisionLogError) {
        let newest = try await log.newestState()
        if let newest, newest.revision > list.revision { return newest }
      } catch {
        return nil
      }
      guard rest > .zero else { return nil }
      pause.failures += 1
      let time = Swift.max(pause.duration(), .milliseconds(1))
      rest -= time
      guard (try? await clock.sleep(for: time)) != nil else { return nil }
    }
  }

  /// Starts from a stored state, or from the first entry.
  ///
  /// - Parameters:
  ///   - first: The first revision that the history should have.
  ///   - unreadable: Receives why states could not be read.
  /// - Returns: The states after the one to start from, newest first.
  private func start(
    from first: Int, _ unreadable: inout [ReplicationError]
  ) async throws(ReplicationError) -> [StoredState] {
    var newer: [StoredState] = []
    var state = try await Self.ask { [log] () throws(RevisionLogError) in
      try await log.newestState()
    }
    while let found = state {
      do throws(ReplicationError) {
        if found.revision.number > first {
          try list.check(found)
          newer.append(found)
        } else {
          if !newer.isEmpty, (try? await isCut(after: found.revision)) != false { break }
          try list.jump(to: found)
          return newer
        }
      } catch {
        unreadable.append(error)
      }
      state = try await Self.ask { [log] () throws(RevisionLogError) in
        try await log.state(before: found.revision)
      }
    }
    // There are entries if there is a state.
    guard !newer.isEmpty || !unreadable.isEmpty, try await isCut(after: .empty) else {
      return newer
    }
    while let state = newer.popLast() {
      do throws(ReplicationError) {
        try list.jump(to: state)
        return newer
      } catch {
        unreadable.append(error)
      }
    }
    throw unreadable[0]
  }

  private func isCut(after revision: Revision) async throws(ReplicationError) -> Bool {
    let page = try await Self.ask { [log] () throws(RevisionLogError) in
      try await log.entries(after: revision)
    }
    return page == .cut
  }

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

  /// Stores the state, or reports that it is too large.
  ///
  /// - Parameter isNeeded: Whether new participants have nothing else to start from, so that it is stored
  ///   in any case.
  private func storeState(isNeeded: Bool = false) {
    let place = list.place
    let batch = Batch(
      UpdateBatch(
        showingValid: list.core.snapshot, epoch: list.core.hub.epoch, at: place))
    let (log, coder, limits) = (log, list.coder, list.limits)
    let kept = Swift.max(0, options.revisionsKept)
    Task.detached { [weak self] in
      do {
        let reset = batch.delta
        let state = StoredState(revision: place.revision, reset: try coder.encode(reset))
        do throws(DeltaError) {
          try limits.check(reset, written: state.reset, leadingTo: batch.snapshot)
        } catch {
          self?.report(
            RevisionLogWarning.stateIsTooLarge(place.revision, error, isStored: isNeeded))
          // With the older state and the entries after it they can start.
          guard isNeeded else { return }
        }
        try await log.store(
          state, droppingEntriesThrough: Revision(Swift.max(0, place.revision.number - kept)))
      } catch {
        self?.report(error)
      }
    }
  }

  private nonisolated var checkInterval: Duration {
    Swift.min(Swift.max(options.checkInterval, .milliseconds(1)), .longest)
  }

  /// Looks now and then whether new participants can start, and stores the state if they cannot.
  ///
  /// The task does not hold the source.
  nonisolated func check() -> Task<Void, Never> {
    let (log, clock, interval) = (log, clock, checkInterval)
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
    storeState(isNeeded: true)
  }
}

extension RevisionLogWarning {
  fileprivate static func stateIsTooLarge(
    _ revision: Revision, _ error: DeltaError, isStored: Bool
  ) -> RevisionLogWarning {
    let fate =
      isStored
      ? "is stored, and no participant can read it with these limits."
      : "is not stored: no participant could read it with these limits. The log keeps its entries."
    return RevisionLogWarning(
      "The state of \(revision) \(fate) Raise ReplicationOptions.limits of all participants. "
        + "\(error.fault)")
  }
}
