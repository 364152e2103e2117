extension SolvedLayout {
  /// Whether what a host shows depends on how far it has scrolled: something is pinned, or a
  /// visible-items handler changes what is in sight.
  ///
  /// A host asks for elements anew while it scrolls, then; else their frames are good until the
  /// layout changes.
  ///
  /// - Complexity: O(sections + their boundary items).
  public var dependsOnScrolling: Bool {
    boundary.items.contains { $0.pinToVisibleBounds }
      || sections.contains { section in
        section.plan.section.visibleItemsHandler != nil
          || section.plan.boundary.items.contains { $0.pinToVisibleBounds }
      }
  }
}
