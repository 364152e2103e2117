extension Snapshot {
  /// Whether an item is expanded but its children are not loaded.
  ///
  /// Needs no lookup table.
  func isLoading(_ item: ItemID) -> Bool {
    loadingIndices.contains { outline(ofSectionAt: $0)?.disclosure(of: item)?.sign == .loading }
  }

  /// Whether an item of an outline is expanded.
  ///
  /// Needs no lookup table.
  func isExpanded(_ item: ItemID) -> Bool {
    outlineIndices.contains { outline(ofSectionAt: $0)?.isExpanded(item) ?? false }
  }

  /// Inserts the loaded children of an item before the rows that others have put below it.
  mutating func insertItems(
    loadedChildrenOf parent: ItemID, _ loaded: Outline<ItemID>
  ) throws(SnapshotError) {
    var children = loaded
    for index in outlineIndices {
      guard let outline = outline(ofSectionAt: index), outline.contains(parent) else { continue }
      try children.append(missingFrom: outline.outline(of: parent))
    }
    try replaceItems(childrenOf: parent, using: children)
  }

  /// This state with its loading items collapsed if a later state has their children.
  ///
  /// Undo of a change that brings children leads to it. If the items stayed expanded, their children would be
  /// requested again at once. The answer would be the next change to undo, and so on.
  ///
  /// - Parameters:
  ///   - later: The later state.
  ///   - renames: What was renamed in between.
  /// - Complexity: O(1) if nothing is loading, otherwise O(m · k · log s) for m loading items and k of s
  ///   sections that are outlines; O(d · log n) more for d leaves of n rows with items that are collapsed.
  func collapsing(
    loadedIn later: Snapshot, _ renames: ItemRenames<ItemID>
  ) -> Snapshot {
    let loaded = IdentifierSet(
      loadingItems.filter { later.hasLoadedChildren(renames.newName(of: $0) ?? $0) })
    guard !loaded.isEmpty else { return self }
    var result = self
    for index in loadingIndices {
      guard var outline = outline(ofSectionAt: index) else { continue }
      let collapsing = outline.loadingItems.filter(loaded.contains)
      guard !collapsing.isEmpty else { continue }
      outline.collapse(collapsing)
      result.exchangeOutline(outline, ofSectionAt: index)
    }
    result.takeModels(of: self)
    // It goes on asking the table of the live state, as before.
    return Snapshot(result.base.detached(asking: base.resolution?.live))
  }

  /// Whether an item is in an outline and does not wait for children.
  ///
  /// Needs no lookup table.
  private func hasLoadedChildren(_ item: ItemID) -> Bool {
    outlineIndices.contains { index in
      guard let outline = outline(ofSectionAt: index) else { return false }
      return outline.contains(item) && !outline.hasUnloadedChildren(item)
    }
  }
}

extension Outline {
  /// Adds the rows of another outline that are not in this one, with their flags.
  ///
  /// Each goes below the row that is its parent there, after the other children.
  ///
  /// - Complexity: O(k · log n) for k rows of the other outline.
  fileprivate mutating func append(missingFrom other: Outline) throws(SnapshotError) {
    var missing: [ItemID] = []
    for item in other.items where !contains(item) {
      // A parent comes before its children, so it is here by now.
      try append([item], to: other.parent(of: item))
      missing.append(item)
    }
    expand(missing.filter(other.isExpanded))
    setChildrenUnloaded(of: missing.filter(other.hasUnloadedChildren))
  }
}
