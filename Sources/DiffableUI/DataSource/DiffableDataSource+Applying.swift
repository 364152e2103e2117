public import Diffable

extension DiffableDataSource {
  /// Shows a state; returns when it, or a newer one, is on the screen and at rest.
  ///
  /// - Parameters:
  ///   - snapshot: The new state. Its marks travel with it.
  ///   - animatingDifferences: Whether the change is to be seen while it happens.
  /// - Throws: `DataSourceError`, in which case nothing has changed.
  /// - Complexity: That of finding the difference, which is done off the main actor.
  public func apply(
    _ snapshot: Snapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true
  ) async throws(DataSourceError) {
    try await write(snapshot, animatingDifferences ? .animated : .immediate)
  }

  /// Shows a state, after what was handed over before it.
  ///
  /// It does not wait. A snapshot that has not been begun is replaced by a newer one.
  ///
  /// - Parameters:
  ///   - snapshot: The new state. Its marks travel with it.
  ///   - animatingDifferences: Whether the change is to be seen while it happens.
  ///   - completion: Is called when the state, or a newer one, is on the screen and at rest; not if it
  ///     is refused, see ``errorHandler``.
  public func apply(
    _ snapshot: Snapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    enqueue(snapshot, animatingDifferences ? .animated : .immediate, completion)
  }

  /// Shows a state from scratch; returns when it, or a newer one, is on the screen.
  ///
  /// - Throws: `DataSourceError`, in which case nothing has changed.
  public func applySnapshotUsingReloadData(
    _ snapshot: Snapshot<SectionIdentifierType, ItemIdentifierType>
  ) async throws(DataSourceError) {
    try await write(snapshot, .reset)
  }

  /// Shows a state from scratch, after what was handed over before it.
  ///
  /// - Parameters:
  ///   - snapshot: The new state.
  ///   - completion: Is called when the state, or a newer one, is on the screen; not if it is refused,
  ///     see ``errorHandler``.
  public func applySnapshotUsingReloadData(
    _ snapshot: Snapshot<SectionIdentifierType, ItemIdentifierType>,
    completion: (() -> Void)? = nil
  ) {
    enqueue(snapshot, .reset, completion)
  }
}
