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
