extension ModelSource {
  /// The life of this source, of which its tokens are.
  ///
  /// - Complexity: O(1).
  public nonisolated var epoch: Epoch { hub.epoch }

  /// The name of a revision outside of the process, as ``DataSourceActor/token(for:)``.
  ///
  /// - Complexity: O(1).
  public nonisolated func token(for revision: Revision) -> ResumeToken {
    hub.token(for: revision)
  }

  /// The revision that a token names, or `nil`, as ``DataSourceActor/revision(for:)``.
  ///
  /// - Complexity: O(1).
  public nonisolated func revision(for token: ResumeToken) -> Revision? {
    hub.revision(for: token)
  }
}
