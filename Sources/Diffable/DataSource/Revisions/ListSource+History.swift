extension ListSource {
  /// The state that a revision was, or `nil` if the history does not have it.
  ///
  /// - Complexity: O(1).
  public nonisolated func snapshot(at revision: Revision) -> Snapshot<SectionID, ItemID>? {
    reader.snapshot(at: revision)
  }

  /// The live state as it was published last; `nil` if a newer one was published just now.
  ///
  /// For whoever cannot wait for the actor.
  ///
  /// - Complexity: O(1).
  package nonisolated var publishedSnapshot: Snapshot<SectionID, ItemID>? {
    reader.snapshot(at: reader.hub.withMachine { $0.revision })
  }
}
