/// The shape of a generated snapshot.
package enum SnapshotShape: Hashable, Sendable {
  /// Sections of the same length.
  case even(sections: Int, itemsEach: Int)
  /// Items spread randomly over sections, so that some sections stay empty.
  case uneven(sections: Int, items: Int)
  /// Some of the first sections and items of the generator, in any order.
  ///
  /// Two snapshots of this shape have elements in common in all possible ways.
  case anyOf(sections: Int, items: Int)
}

/// A way in which a generated snapshot differs from another.
package enum SnapshotChange: String, CaseIterable, Hashable, Sendable {
  /// No change.
  case none
  /// The items of every section are in reverse order.
  case reversedItems
  /// The items of every section are in random order.
  case shuffledItems
  /// The two halves of every section are swapped.
  case swappedHalves
  /// The last item of every section is now the first.
  case rotatedItems
  /// A few items are elsewhere, in any section.
  case movedItems
  /// All items are anywhere, in any section.
  case scatteredItems
  /// About a third of the items are deleted.
  case deletedItems
  /// New items are inserted among the others.
  case insertedItems
  /// The sections are in reverse order.
  case reversedSections
  /// The sections are in random order.
  case shuffledSections
  /// About a third of the sections are deleted with their items.
  case deletedSections
  /// About a third of the sections are deleted, and their items are in other sections.
  case mergedSections
  /// New sections are inserted among the others.
  case insertedSections
  /// New sections are inserted among the others and have taken some of their items.
  case splitSections
  /// All sections and items are replaced.
  case replacedEverything
  /// Everything is deleted.
  case deletedEverything
  /// Sections turn into outlines or flat lists, and rows of outlines change.
  ///
  /// Rows are inserted, deleted, moved, expanded or collapsed.
  case changedOutlines
  /// Some items and sections are marked for a reload or a reconfigure.
  case marked
  /// Some items have other identifiers, by `renameItem(_:to:)`; some are moved or deleted.
  ///
  /// Some of the old identifiers are used again, by new items or by renamed ones.
  case renamedItems
  /// Several other changes, one after another.
  case mixed
}
