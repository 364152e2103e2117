extension ListSource {
  /// The epoch of this source and of its tokens.
  ///
  /// - Complexity: O(1).
  public nonisolated var epoch: Epoch { reader.hub.epoch }

  /// The name of a revision outside the process.
  ///
  /// A batch has the token of the state that it leads to, see ``UpdateBatch/token``.
  ///
  /// - Parameter revision: A revision of this source, which need not be in the history. In a
  ///   `ReplicatedSource` it must be: otherwise the token names no state.
  /// - Complexity: O(1).
  public nonisolated func token(for revision: Revision) -> ResumeToken {
    reader.hub.token(for: revision)
  }

  /// The revision that a token names.
  ///
  /// Pass it to ``EditableListSource/merge(_:basedOn:named:presentation:)``,
  /// ``EditableListSource/apply(_:presentation:ifRevision:)`` and everything else that takes a
  /// revision.
  ///
  /// - Returns: `nil` if the token belongs to another source or another epoch, if the history does
  ///   not have the revision, or if the text is not a token.
  /// - Complexity: O(1).
  public nonisolated func revision(for token: ResumeToken) -> Revision? {
    reader.hub.revision(for: token)
  }
}

extension ListSource {
  /// The state of a revision, or `nil` if the history does not have it.
  ///
  /// - Complexity: O(1).
  public nonisolated func snapshot(at revision: Revision) -> Snapshot<SectionID, ItemID>? {
    reader.snapshot(at: revision)
  }

  /// The newest published state; `nil` if a newer one was published just now.
  ///
  /// For callers that cannot wait for the actor.
  ///
  /// - Complexity: O(1).
  package nonisolated var publishedSnapshot: Snapshot<SectionID, ItemID>? {
    reader.snapshot(at: reader.hub.withMachine { $0.revision })
  }
}
