extension ModelDraft {
  /// Makes a section show an outline of models, as ``Snapshot/setOutline(_:forSection:keepingExpansion:)`` does.
  ///
  /// ```swift
  /// try await source.update { draft in
  ///   try draft.setOutline(ModelOutline(files) { $0.isFolder }, forSection: "Disk")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - outline: The outline, which replaces everything in the section. Models of items that it does not
  ///     have are ignored.
  ///   - section: The section.
  ///   - keepsExpansion: Whether items that are already in the section's outline keep their flags.
  ///     Otherwise, and for new items, the flags of the new outline count.
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section does not exist.
  /// - Complexity: O(n · log n) for n items in the old and the new outline.
  public mutating func setOutline(
    _ outline: ModelOutline<Model>, forSection section: SectionID,
    keepingExpansion keepsExpansion: Bool = false
  ) throws(SnapshotError) {
    try snapshot.setOutline(
      outline.outline, forSection: section, keepingExpansion: keepsExpansion)
    give(outline.models.filter { outline.outline.contains($0.id) })
  }

  /// Replaces all rows below an item of an outline, as ``Snapshot/replaceItems(childrenOf:using:)`` does.
  ///
  /// - Parameters:
  ///   - parent: The item, whose children count as loaded afterwards.
  ///   - children: The new rows below it. Models of items that they do not have are ignored.
  /// - Throws: What ``Snapshot/replaceItems(childrenOf:using:)`` throws.
  /// - Complexity: O((m + k) · log n) for k of n items that are deleted and m that are inserted.
  public mutating func replaceItems(
    childrenOf parent: Model.ID, using children: ModelOutline<Model>
  ) throws(SnapshotError) {
    try snapshot.replaceItems(childrenOf: parent, using: children.outline)
    give(children.models.filter { children.outline.contains($0.id) })
  }

  /// Moves an item with everything below it into an item of an outline, as ``Snapshot/moveItem(_:intoItem:)`` does.
  public mutating func moveItem(
    _ item: Model.ID, intoItem parent: Model.ID
  ) throws(SnapshotError) {
    try snapshot.moveItem(item, intoItem: parent)
  }
}
