extension SourceCore {
  /// Edits the live state in one step.
  ///
  /// - Parameters:
  ///   - name: The name of the change, for undo.
  ///   - author: Who makes it, if undo is to know that.
  ///   - presentation: How to show the change.
  ///   - isCancellable: Whether the change belongs to the calling task.
  ///   - edit: Changes the state.
  /// - Returns: What the edit returned, its revision, and the change if there is one.
  @discardableResult
  package func update<Result: Sendable>(
    named name: String? = nil, by author: String? = nil, presentation: Presentation,
    isCancellable: Bool = true,
    _ edit: (inout Snapshot<SectionID, ItemID>, inout Live.Given) throws -> Result
  ) throws -> WriteResult<Result> {
    try begin(ifRevision: nil, isCancellable: isCancellable)
    let before = revision
    let elapsed = hub.startTimer()
    let commit: Live.Commit?
    var result: Result?
    // Not by `transact`: to pass through one more closure takes a hundredth of the whole.
    do {
      commit = try live.update(duplicates: duplicates) { result = try edit(&$0, &$1) }
    } catch {
      abandon(error as? DataSourceError)
      throw error
    }
    let reached = end(
      commit, presentation, kind: .change(name: name, by: author), duration: elapsed())
    guard let result else {
      preconditionFailure("The engine ended an update without calling the edit or throwing")
    }
    return WriteResult(
      result, at: reached, reached == before ? nil : hub.change(reached, named: name))
  }

  /// Makes a change that is a value.
  ///
  /// - Parameter author: Who makes it, if undo is to know that.
  func write(
    _ change: OrderChange<SectionID, ItemID>, by author: String? = nil
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try begin(ifRevision: nil)
    return try transaction(
      change.presentation, kind: .change(name: change.name, by: author), named: change.name
    ) { () throws(DataSourceError) in try make(change) }
  }

  /// Makes a change in a write that was opened.
  package func make(
    _ change: OrderChange<SectionID, ItemID>
  ) throws(DataSourceError) -> Live.Merged {
    var found = Contradictions<SectionID, ItemID>()
    let others = change.base.map(rowNotes(since:)) ?? .init()
    do {
      let commit =
        switch change.kind {
        case .replacement(let snapshot): try live.apply(snapshot, duplicates: duplicates)
        case .edit(let edit):
          try live.update(duplicates: duplicates) {
            found = try edit(&$0, &$1, others)
          }
        }
      return (commit, found)
    } catch {
      throw .of(error)
    }
  }

  /// Lets a function of this package change the live state.
  ///
  /// - Parameters:
  ///   - presentation: How the change is to be shown.
  ///   - expected: The revision that must be live.
  ///   - isCancellable: Whether the change is that of the task which asks for it.
  ///   - change: Changes the state.
  package func change(
    presentation: Presentation, ifRevision expected: Revision? = nil, isCancellable: Bool = true,
    _ change: (inout Live) throws(SnapshotError) -> Live.Commit?
  ) throws(DataSourceError) -> WriteResult<Void> {
    try begin(ifRevision: expected, isCancellable: isCancellable)
    let before = revision
    let reached = try makeBegun(presentation, change)
    return WriteResult(
      (), at: reached, reached == before ? nil : hub.change(reached, named: nil))
  }

  /// Makes a change that was opened, and closes it; returns the live revision.
  private func makeBegun(
    _ presentation: Presentation,
    _ change: (inout Live) throws(SnapshotError) -> Live.Commit?
  ) throws(DataSourceError) -> Revision {
    let elapsed = hub.startTimer()
    let commit: Live.Commit?
    // Not by `transact`, for the same reason as in `update`.
    do throws(SnapshotError) {
      commit = try change(&live)
    } catch {
      abandon(.invalidSnapshot(error))
      throw .invalidSnapshot(error)
    }
    return end(commit, presentation, kind: .change(name: nil), duration: elapsed())
  }

  /// Performs the write that waits in the queue, for the task that drains it.
  ///
  /// - Returns: Whether draining has to go on.
  func drainOnce() -> Bool {
    guard let waiting = queue.take() else { return !queue.endDraining() }
    perform(waiting)
    return true
  }

  /// Performs a write that has waited.
  func perform(_ waiting: WriteQueue<SectionID, ItemID>.Waiting) {
    let write = waiting.write
    let before = revision
    isWriting = true
    // The thread that has enqueued it may not have come to this yet.
    let unanswered = waiting.superseded?.settle()
    let older = waiting.superseded?.requests
    do throws(DataSourceError) {
      let presentation = older?.isReset == true ? .reset : write.presentation
      let reached = try makeBegun(presentation) { live throws(SnapshotError) in
        let input = try write.input(duplicates, after: older)
        return try live.apply(input.snapshot, input.given, duplicates: duplicates)
      }
      write.outcome.fulfil(reached == before ? .unchanged : .applied(reached))
    } catch {
      write.outcome.fulfil(.rejected(error))
    }
    // Not before the write has ended: whoever observes it may make another one.
    if let unanswered { hub.supersede(unanswered) }
  }
}
