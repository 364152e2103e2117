public import Diffable
public import DiffableLayout

extension CompositionalLayout {
  /// Computes the frames of everything in a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The state to lay out.
  ///   - environment: The size of the view, its screen and traits.
  /// - Throws: ``/DiffableLayout/LayoutError``, which names the part that cannot be laid out.
  /// - Complexity: O(sections + slots of the groups of each description).
  public func solve<SectionID, ItemID>(
    _ snapshot: Snapshot<SectionID, ItemID>, in environment: LayoutEnvironment
  ) throws(LayoutError) -> SolvedLayout {
    try solve(itemCounts: snapshot.itemCounts, in: environment)
  }
}

extension MeasuredSizes {
  /// Applies all measured sizes that are valid for a snapshot to its layout.
  ///
  /// - Throws: ``/DiffableLayout/LayoutError`` if the content would be too long for numbers. The layout is
  ///   unchanged then.
  /// - Complexity: O(m · log n) for m sizes and n items, copying the list of sections, and the cost of the
  ///   first lookup of an identifier in the snapshot. A waterfall costs O(items · log lanes).
  public func apply<SectionID>(
    to layout: inout SolvedLayout, of snapshot: Snapshot<SectionID, ID>
  ) throws(LayoutError) {
    try apply(to: &layout) { snapshot.itemPath(for: $0).map(LayoutPath.init) }
  }
}

extension Snapshot {
  /// The number of items in each section, in order.
  var itemCounts: [Int] {
    (0..<numberOfSections).map { items(inSectionAt: $0).count }
  }
}
