extension DataSourceActor {
  /// The live state as it was published last; `nil` if a newer one was published just now.
  ///
  /// For whoever cannot wait for the actor.
  ///
  /// - Complexity: O(1).
  package nonisolated var publishedSnapshot: Snapshot<SectionID, ItemID>? {
    hub.state(at: hub.liveRevision).map(
      RevisionReader<SectionID, ItemID>.snapshot(of:))
  }
}
