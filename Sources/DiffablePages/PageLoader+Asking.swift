import Diffable

extension PageLoader {
  /// Loads the first page, or reloads everything that is loaded, and waits for it.
  ///
  /// Loads at the ends are cancelled. The loader requests as many rows as were loaded, in several
  /// pages if the backend returns fewer. When all have arrived, they are merged in one revision:
  /// what the backend has inserted, moved, changed or deleted since the last request changes in the
  /// list, and what others have changed in the list stays. If both changed the same model, the
  /// model of the others stays, or the `mergeHandler` of the source makes one of both. If one side deleted
  /// a row, it is deleted. What is decided against a side is a ``PageConflict``. Rows that are shown stay
  /// as long as the backend has them. If they are no longer within the requested rows, because many
  /// rows were inserted before them, more rows are loaded: up to twice as many and four pages. Rows
  /// after that are no longer loaded.
  ///
  /// While a refresh is running, this starts no other, but waits for the running one.
  ///
  /// - Returns: The state of the refresh afterwards: ``PageLoadState/idle``, or the error, in which
  ///   case nothing has changed. If the waiting task is cancelled, it stops waiting but the refresh
  ///   continues.
  /// - Complexity: O(n · log n) for n rows, on the executor of the source.
  @discardableResult public nonisolated(nonsending) func refresh() async -> PageLoadState {
    await settled(.refresh) { $0.refresh(shown: $1) }
  }

  /// Loads the page beyond an end and waits for it, wherever a renderer is: for a button.
  ///
  /// A failed load is tried again. Nothing is loaded if the end is reached, during a refresh, or
  /// before the first page.
  ///
  /// - Parameter end: The end.
  /// - Returns: The state of the end after the load has ended. If the waiting task is cancelled, it
  ///   stops waiting but the load continues.
  /// - Complexity: O(m · log n) for m rows of the page, among n.
  @discardableResult public nonisolated(nonsending) func load(
    _ end: PageEnd
  ) async -> PageLoadState {
    await settled(PageLoad(end)) { machine, _ in machine.load(end) }
  }

  /// Retries what has failed: the refresh, or else the ends.
  ///
  /// Does not wait.
  public func retry() {
    step { [shown] in $0.retry(shown: shown) }
  }

  /// Cancels all loads, including automatic retries.
  ///
  /// After that nothing is loaded until a renderer reports what it shows, or a load is requested.
  /// Failed loads stay failed.
  public func cancel() {
    step { $0.cancel() }
  }

  /// Cancels all loads for good: the loader loads nothing more, and its streams of states end.
  ///
  /// The rows stay. If its source has finished, a loader finishes as soon as it has something to
  /// write.
  public func finish() {
    step { $0.finish() }
  }

  /// The current states of the loads.
  public nonisolated var states: PageLoadStates { published.states }

  /// A stream of the states of the loads: the current ones, then every change.
  ///
  /// The stream ends when the loader finishes or is released, and when the waiting task is
  /// cancelled. A slow consumer receives the newest states.
  public nonisolated func stateUpdates() -> AsyncStream<PageLoadStates> { published.stream() }

  /// Starts a load, and waits until it is no longer running.
  ///
  /// The task waits off the executor of the source, so it can go on while the page is recorded.
  ///
  /// - Returns: The state of the load then, or its present state if the waiting task is cancelled.
  private nonisolated(nonsending) func settled(
    _ load: PageLoad, _ event: @escaping @Sendable (inout Machine, [Model.ID]) -> Machine.Actions
  ) async -> PageLoadState {
    let (number, state) = await begin(load, event)
    return await withTaskCancellationHandler {
      await state.value
    } onCancel: {
      Task.detached { await self.stopWaiting(number) }
    }
  }

  /// Starts a load, and returns what tells its state when it is no longer running.
  private func begin(
    _ load: PageLoad, _ event: @escaping @Sendable (inout Machine, [Model.ID]) -> Machine.Actions
  ) -> (number: Int, state: Promise<PageLoadState>) {
    step { [shown] in event(&$0, shown) }
    let state = Promise<PageLoadState>()
    lastWaiter += 1
    if machine.states[load].isLoading {
      waiters[lastWaiter] = (load, state)
    } else {
      state.fulfil(machine.states[load])
    }
    return (lastWaiter, state)
  }

  private func stopWaiting(_ number: Int) {
    guard let (load, state) = waiters.removeValue(forKey: number) else { return }
    state.fulfil(machine.states[load])
  }
}
