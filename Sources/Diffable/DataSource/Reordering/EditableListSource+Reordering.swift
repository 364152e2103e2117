extension EditableListSource {
  /// Begins to reorder items by hand.
  ///
  /// - Parameters:
  ///   - items: The items that are dragged, in any order.
  ///   - revision: The revision that the renderer of the drag shows; the live one if there is none.
  /// - Returns: The drag, or `nil` if the app does not let these items be dragged.
  /// - Throws: ``DataSourceError``: `unknownRevision` if the history does not have the revision,
  ///   `invalidSnapshot` with the items that are not in it.
  /// - Complexity: O(n) to make the lookup table of the revision, which happens off the main executor.
  ///   The previews then cost little wherever they are asked for.
  public nonisolated func beginReorder(
    _ items: some Collection<ItemID> & Sendable, at revision: Revision? = nil
  ) async throws(DataSourceError) -> Reordering<SectionID, ItemID>? {
    try Reordering(items, at: revision, reader, handlers: entrance.reordering) {
      (items, preview, original, base, name) async throws(DataSourceError) in
      try await self.merge(items, preview, basedOn: original, at: base, named: name)
    }
  }

  private func merge(
    _ items: [ItemID], _ preview: Snapshot<SectionID, ItemID>,
    basedOn original: Snapshot<SectionID, ItemID>, at base: Revision,
    named name: String?
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    let given = entrance.givenByDrop?(items, preview, core.snapshot) ?? GivenContent()
    return try core.merge(preview, given, basedOn: original, at: base, named: name)
  }
}
