extension EditableListSource {
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
    // What is queued comes first, and may rename the items.
    core.performQueued()
    let names = core.renames(since: base)
    let given =
      entrance.givenByDrop?(
        items.map { item in
          let name = names.newName(of: item).flatMap { snapshot.containsItem(item) ? nil : $0 }
          return (dropped: item, live: name ?? item)
        }, preview, snapshot) ?? GivenContent()
    return try core.merge(preview, given, basedOn: original, at: base, named: name)
  }
}
