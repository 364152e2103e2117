extension WritableListSource {
  /// Begins a drag of items by the user.
  ///
  /// - Parameters:
  ///   - items: The items that are dragged, in any order.
  ///   - revision: The revision that the renderer of the drag shows; by default the live one.
  /// - Returns: The drag, or `nil` if the app does not allow these items to be dragged.
  /// - Throws: ``DataSourceError``: `unknownRevision` if the history does not have the revision,
  ///   `invalidSnapshot` with the items that are not in it.
  /// - Complexity: O(n) to make the lookup table of the revision, off the main executor. Previews
  ///   are then cheap on any executor.
  public nonisolated func beginReorder(
    _ items: some Collection<ItemID> & Sendable, at revision: Revision? = nil
  ) async throws(DataSourceError) -> Reordering<SectionID, ItemID>? {
    try Reordering(items, at: revision, reader, _drops) { change async throws(DataSourceError) in
      try await self.write(change)
    }
  }
}
