extension Snapshot {
  /// Whether an item is expanded but its children are not loaded.
  ///
  /// Needs no lookup table.
  func isLoading(_ item: ItemID) -> Bool {
    outlineIndices.contains { index in
      outline(ofSectionAt: index).map { $0.isExpanded(item) && $0.hasUnloadedChildren(item) }
        ?? false
    }
  }

  /// Whether an item of an outline is expanded.
  func isExpanded(_ item: ItemID) -> Bool {
    outlineIndices.contains { outline(ofSectionAt: $0)?.isExpanded(item) ?? false }
  }
}
