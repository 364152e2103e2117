/// What others have moved since a base, in positions of the live snapshot.
///
/// Others may have changed much since the base, while a merge asks only about what its writer has moved or
/// deleted. So no change of theirs is translated into identifiers.
package struct Relocations {
  private let difference: SnapshotDifference

  /// Nothing was moved.
  init() { difference = SnapshotDifference() }

  /// Compares two valid snapshots.
  ///
  /// - Complexity: The cost of finding the difference.
  package init<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>(
    from base: Snapshot<SectionID, ItemID>, to live: Snapshot<SectionID, ItemID>
  ) {
    difference = live.difference(fromValid: base, marks: Snapshot<SectionID, ItemID>.Marks())
  }

  /// Whether an item of the base was moved that is at a path of the live snapshot now.
  ///
  /// An item that was deleted with one section, or inserted with another, was moved.
  ///
  /// - Complexity: O(log c) for c changes by others.
  package func containsItem(at path: ItemPath) -> Bool {
    Self.hasMove(to: path, in: difference.itemMoves) || difference.itemInserts.contains(path)
      || difference.sectionInserts.contains(path.section)
  }

  /// Whether a section of the base was moved that is at an index of the live snapshot now.
  func containsSection(at index: Int) -> Bool {
    Self.hasMove(to: index, in: difference.sectionMoves)
  }

  /// - Parameter moves: Moves, ordered by their targets.
  private static func hasMove<Position: Comparable>(
    to target: Position, in moves: [Move<Position>]
  ) -> Bool {
    let index = moves.partitioningIndex { $0.to >= target }
    return index < moves.count && moves[index].to == target
  }
}
