extension ListSource {
  /// The life of this source, of which its tokens are.
  ///
  /// - Complexity: O(1).
  public nonisolated var epoch: Epoch { reader.hub.epoch }

  /// The name of a revision outside of the process.
  ///
  /// A batch has the token of the state that it leads to, see ``UpdateBatch/token``.
  ///
  /// - Parameter revision: A revision of this source, which need not be in the history.
  /// - Complexity: O(1).
  public nonisolated func token(for revision: Revision) -> ResumeToken {
    ResumeToken(epoch: epoch, revision: revision)
  }

  /// The revision that a token names, for ``EditableListSource/merge(_:basedOn:named:presentation:)``,
  /// ``EditableListSource/apply(_:presentation:ifRevision:)`` and all else that takes a revision.
  ///
  /// - Returns: `nil` if the token is of another source or another life of this one, if the history
  ///   does not have the revision, or if the text is not a token.
  /// - Complexity: O(1).
  public nonisolated func revision(for token: ResumeToken) -> Revision? {
    token.revision(in: epoch).flatMap { revision in
      reader.hub.withMachine { $0.state(at: revision) } == nil ? nil : revision
    }
  }
}
