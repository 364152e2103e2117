extension PageLoader {
  /// Loads the first page, or everything that is loaded again, and waits for it.
  ///
  /// Loads at the ends are cancelled. The backend is asked for as many rows as were loaded, page by
  /// page where it answers with fewer, and when all have come they are merged in one revision: what the
  /// backend has inserted, moved, changed or deleted since it was asked last is so in the list, and
  /// what others have made of the list stays. Where both changed the same model, that of the others
  /// stays; where one side deleted a row, it is gone. Rows that are shown stay as long as the backend
  /// has them: if so many have come before them that as many rows as were loaded do not reach them, more
  /// are loaded, up to twice as many and four pages. Rows after that are no longer loaded.
  ///
  /// Does not ask again while a refresh is running, but waits for that one.
  ///
  /// - Returns: The state of the refresh afterwards: ``PageLoadState/idle``, or what went wrong. Nothing
  ///   has changed then. A waiting task that is cancelled waits no longer, but the refresh goes on.
  /// - Complexity: O(n · log n) for n rows, on the executor of the source.
  @discardableResult public func refresh() async -> PageLoadState {
    step { [shown] in $0.refresh(shown: shown) }
    return await settled(.refresh)
  }

  /// Loads the page beyond an end, wherever a renderer is, and waits for it: for a button.
  ///
  /// A failed load is tried again. Nothing is loaded where the end is reached, during a refresh, and
  /// before the first page.
  ///
  /// - Parameter end: The end.
  /// - Returns: The state of the end when nothing is being loaded there any longer. A waiting task that
  ///   is cancelled waits no longer, but the load goes on.
  /// - Complexity: O(m · log n) for m rows of the page, among n.
  @discardableResult public func load(_ end: PageEnd) async -> PageLoadState {
    step { $0.load(end) }
    return await settled(PageLoad(end))
  }

  /// Tries again what has failed: the refresh, or else the ends.
  ///
  /// Does not wait.
  public func retry() {
    step { [shown] in $0.retry(shown: shown) }
  }

  /// Cancels all that is being loaded, automatic attempts included.
  ///
  /// Nothing is loaded then until a renderer says what it shows, or somebody asks. What has failed stays
  /// failed.
  public func cancel() {
    step { $0.cancel() }
  }

  /// Cancels all that is being loaded, for good: the loader loads nothing any longer, and its streams
  /// of states end.
  ///
  /// The rows stay. A loader whose source has finished finishes as soon as it has something to write.
  public func finish() {
    step { $0.finish() }
  }

  /// How far the loads are.
  public var states: PageLoadStates { machine.states }

  /// How far the loads are, now and whenever that changes.
  ///
  /// The stream ends when the loader finishes or is not held any longer, and when the task that waits is
  /// cancelled. One that is slow gets the newest states.
  public func stateUpdates() -> AsyncStream<PageLoadStates> {
    let (stream, observer) = AsyncStream.makeStream(
      of: PageLoadStates.self, bufferingPolicy: .bufferingNewest(1))
    observer.yield(machine.states)
    guard !machine.isFinished else {
      observer.finish()
      return stream
    }
    lastObserver += 1
    let number = lastObserver
    observers[number] = observer
    observer.onTermination = { [weak self] _ in
      Task.detached { await self?.forget(number) }
    }
    return stream
  }

  private func forget(_ observer: Int) {
    observers[observer] = nil
  }

  /// Waits until nothing is being loaded there.
  private func settled(_ load: PageLoad) async -> PageLoadState {
    guard machine.states[load].isLoading else { return machine.states[load] }
    for await states in stateUpdates() where !states[load].isLoading { return states[load] }
    return machine.states[load]
  }
}
