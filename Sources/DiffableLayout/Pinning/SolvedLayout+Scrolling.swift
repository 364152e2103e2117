extension SolvedLayout {
  /// Whether the visible elements depend on the scroll position.
  ///
  /// They do if something is pinned, or a visible-items handler changes them. A host then requests
  /// elements again while it scrolls; otherwise their frames are valid until the layout changes.
  ///
  /// - Complexity: O(sections + their boundary items).
  package var dependsOnScrolling: Bool {
    boundary.items.contains { $0.pinToVisibleBounds }
      || sections.contains { section in
        section.plan.section.visibleItemsHandler != nil
          || section.plan.boundary.items.contains { $0.pinToVisibleBounds }
      }
  }
}
