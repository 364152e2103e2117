extension SourceCore {
  /// Edits the live state in one step.
  ///
  /// Afterwards ``revision`` is the one that holds the edited state: a new one, or the one before if
  /// nothing changed.
  ///
  /// - Returns: What the edit returns.
  func update<Result>(
    named name: String? = nil, presentation: Presentation,
    _ edit: sending (inout Snapshot<SectionID, ItemID>, inout Content) throws -> sending Result
  ) throws -> sending Result {
    try begin(ifRevision: nil)
    let elapsed = hub.startTimer()
    let commit: Live.Commit?
    var result: Result?
    do {
      commit = try live.update(duplicates: duplicates) { result = try edit(&$0, &$1) }
    } catch {
      abandon(error as? DataSourceError)
      throw error
    }
    end(commit, presentation, kind: .change(name: name), named: name, duration: elapsed())
    guard let result else {
      preconditionFailure("The engine ended an update without calling the edit or throwing")
    }
    return result
  }

  // MARK: The queue

  /// Performs the write that waits in the queue.
  func performQueued() {
    if let write = queue.take() { perform(write) }
  }

  /// Performs the write that waits in the queue, for the task that drains it.
  ///
  /// - Returns: Whether draining has to go on.
  func drainOnce() -> Bool {
    guard let write = queue.take() else { return !queue.endDraining() }
    perform(write)
    return true
  }

  func perform(_ write: QueuedWrite<SectionID, ItemID, Content>) {
    let before = revision
    isWriting = true
    do throws(DataSourceError) {
      let reached = try replaceBegun(write.presentation, write.make)
      write.outcome.fulfil(reached == before ? .unchanged : .applied(reached))
    } catch {
      write.outcome.fulfil(.rejected(error))
    }
  }
}
