extension ListSource {
  /// The metrics of the source so far.
  ///
  /// - Complexity: O(k) for k subscribers.
  public nonisolated var metrics: DataSourceMetrics { reader.hub.metrics }

  /// A summary of the state of the source, for debugging.
  ///
  /// It shows the live revision, what undo and redo would revert, the sections with their first
  /// items, the subscribers and the metrics.
  ///
  /// - Complexity: O(k) for k subscribers; only the shown part of the list is read.
  public nonisolated var debugDescription: String { reader.description }
}
