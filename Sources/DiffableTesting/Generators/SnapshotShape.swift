/// What a generated snapshot looks like.
public enum SnapshotShape: Hashable, Sendable {
  /// No section at all.
  case empty
  /// Sections without items.
  case emptySections(Int)
  /// One section with all the items.
  case oneSection(items: Int)
  /// Sections of the same length.
  case even(sections: Int, itemsEach: Int)
  /// Items spread over sections at random, so that some sections stay empty.
  case uneven(sections: Int, items: Int)
  /// Some of the first sections and items that the generator knows, in any order.
  ///
  /// Two snapshots of this shape have much in common, in every way that two snapshots can.
  case anyOf(sections: Int, items: Int)
}

/// How a generated snapshot differs from another.
public enum SnapshotChange: String, CaseIterable, Hashable, Sendable {
  /// Not at all.
  case none
  /// The items of every section stand in the opposite order.
  case reversedItems
  /// The items of every section stand in any order.
  case shuffledItems
  /// The two halves of every section have changed places.
  case swappedHalves
  /// The last item of every section has become the first.
  case rotatedItems
  /// A few items stand elsewhere, in any section.
  case movedItems
  /// All items stand anywhere, in any section.
  case scatteredItems
  /// About a third of the items are gone.
  case deletedItems
  /// New items stand among the others.
  case insertedItems
  /// The sections stand in the opposite order.
  case reversedSections
  /// The sections stand in any order.
  case shuffledSections
  /// About a third of the sections are gone, and their items with them.
  case deletedSections
  /// About a third of the sections are gone, and their items stand in others.
  case mergedSections
  /// New sections stand among the others.
  case insertedSections
  /// New sections stand among the others and have taken items of theirs.
  case splitSections
  /// Nothing is left of the old sections and items.
  case replacedEverything
  /// Nothing is left.
  case deletedEverything
  /// Sections have become outlines, or outlines lists; rows of outlines have come, gone, moved, or
  /// been expanded or collapsed.
  case changedOutlines
  /// Some items and sections are marked for a reload or a reconfigure.
  case marked
  /// Some items have other identifiers, by `replaceItem(_:with:)` of the snapshot, and some have moved or
  /// are gone.
  case renamedItems
  /// Several other changes, one after the other.
  case mixed
}
