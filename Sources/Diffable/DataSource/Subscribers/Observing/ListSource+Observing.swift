extension ListSource {
  /// What the source has done so far.
  ///
  /// - Complexity: O(k) for k subscribers.
  public nonisolated var metrics: DataSourceMetrics { reader.hub.metrics }

  /// The state of the source on one screen: the live revision, what undo and redo would take back,
  /// the sections with their first items, the subscribers and the metrics.
  ///
  /// - Complexity: O(k) for k subscribers; of the list only what is shown is looked at.
  public nonisolated var debugDescription: String { reader.description }
}
