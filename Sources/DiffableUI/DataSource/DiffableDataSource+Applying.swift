public import Diffable

extension DiffableDataSource {
  /// Shows a state; returns when it, or a newer one, is on the screen and animations are over.
  ///
  /// - Parameters:
  ///   - snapshot: The new state, with its marks.
  ///   - animatingDifferences: Whether to animate the change.
  /// - Throws: `DataSourceError`, in which case nothing has changed.
  /// - Complexity: The cost of finding the difference, which is done off the main actor.
  public func apply(
    _ snapshot: Snapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true
  ) async throws(DataSourceError) {
    try await write(snapshot, animatingDifferences ? .animated : .immediate)
  }

  /// Shows a state, after all earlier writes, without waiting.
  ///
  /// A newer snapshot replaces one that has not been begun, and takes over its marks and renames.
  ///
  /// - Parameters:
  ///   - snapshot: The new state, with its marks.
  ///   - animatingDifferences: Whether to animate the change.
  ///   - completion: Called when the state, or a newer one, is on the screen and animations are
  ///     over. It is not called if the state is rejected, see ``errorHandler``.
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

  /// Shows a state from scratch, after all earlier writes.
  ///
  /// - Parameters:
  ///   - snapshot: The new state.
  ///   - completion: Called when the state, or a newer one, is on the screen. It is not called if
  ///     the state is rejected, see ``errorHandler``.
  public func applySnapshotUsingReloadData(
    _ snapshot: Snapshot<SectionIdentifierType, ItemIdentifierType>,
    completion: (() -> Void)? = nil
  ) {
    enqueue(snapshot, .reset, completion)
  }
}
