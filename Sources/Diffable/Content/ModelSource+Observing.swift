extension ModelSource {
  /// What the source has done so far.
  ///
  /// - Complexity: O(k) for k subscribers.
  public nonisolated var metrics: DataSourceMetrics { hub.metrics }
}

extension ModelSource: CustomDebugStringConvertible {
  /// The state of the source on one screen, as that of a ``DataSourceActor``: the order, and who
  /// follows it.
  ///
  /// - Complexity: O(k) for k subscribers; of the list only what is shown is looked at.
  public nonisolated var debugDescription: String { reader.description }
}
