extension Snapshot {
  /// Whether an item is expanded but its children are not loaded.
  ///
  /// Needs no lookup table.
  func isLoading(_ item: ItemID) -> Bool {
    outlineIndices.contains { outline(ofSectionAt: $0)?.disclosure(of: item)?.sign == .loading }
  }

  /// Whether an item of an outline is expanded.
  ///
  /// Needs no lookup table.
  func isExpanded(_ item: ItemID) -> Bool {
    outlineIndices.contains { outline(ofSectionAt: $0)?.isExpanded(item) ?? false }
  }

  /// The same, with those loading items collapsed whose children a later state has.
  ///
  /// A change that brings children is taken back like this: otherwise they would be requested again at once,
  /// and taking back the answer would go on for ever.
  ///
  /// - Parameter renames: What was renamed in between.
  /// - Complexity: O(k · log s + m · log n) for k of s sections that are outlines, and m of n items that are
  ///   loading; O(d · log n) more for d leaves with such as are collapsed.
  func collapsing(
    loadedIn later: Snapshot, _ renames: ItemRenames<ItemID>
  ) -> Snapshot {
    var result = self
    for index in outlineIndices {
      guard var outline = outline(ofSectionAt: index) else { continue }
      let loaded = outline.loadingItems.filter { item in
        later.hasLoadedChildren(renames.newName(of: item) ?? item)
      }
      guard !loaded.isEmpty else { continue }
      outline.collapse(loaded)
      result.exchangeOutline(outline, ofSectionAt: index)
    }
    // It goes on asking the table of the live state, as before.
    return Snapshot(result.base.detached(asking: base.resolution?.live))
  }

  /// Whether an item is in an outline, and its children are loaded or there are none.
  ///
  /// Needs no lookup table.
  private func hasLoadedChildren(_ item: ItemID) -> Bool {
    outlineIndices.contains { index in
      guard let outline = outline(ofSectionAt: index) else { return false }
      return outline.contains(item) && !outline.hasUnloadedChildren(item)
    }
  }
}
