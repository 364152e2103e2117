import Diffable

extension UpdateDelta {
  /// Checks every position of the delta, and the numbers of what comes with it, against the list.
  ///
  /// A few bytes can name more positions than memory can hold. So nothing goes through the elements
  /// of a range before this. Afterwards no range has more elements than the list before or after the
  /// change, and that has no more than the list before and the text of the delta.
  ///
  /// - Parameter old: The size of the list that the delta starts from.
  /// - Returns: The size of the list after the change, with sections that come with the delta as empty.
  /// - Complexity: O(c log c) for c changes or ranges of them.
  func checkPositions(
    in old: SnapshotDifference.Extent
  ) throws(DeltaError) -> SnapshotDifference.Extent {
    if let fault = difference.contradiction ?? difference.misplacedOldPosition(in: old) {
      throw .misfit(reason: fault)
    }
    try check(items.count, difference.itemInserts.count, "items")
    try check(sections.count, difference.sectionInserts.elementCount, "sections")
    try check(outlines.count, difference.outlineChanges.elementCount, "outlines")
    // Sections that stay have the same number of items on both sides.
    let whole =
      difference.isStructural ? PositionMap(difference.inverse).oldExtent(forNew: old) : old
    let brought = difference.sectionInserts
    let new = SnapshotDifference.Extent(sections: whole.sections) { index in
      brought.contains(index) ? 0 : whole.items(index)
    }
    if let fault = difference.misplacedNewPosition(in: new) { throw .misfit(reason: fault) }
    if let counts = frame.counts {
      try check(counts.sections, new.sections, "counted sections")
    }
    return new
  }

  func check(_ count: Int, _ expected: Int, _ words: String) throws(DeltaError) {
    guard count == expected else {
      throw .misfit(
        reason: "its number of \(words) is \(count), but its difference needs \(expected)")
    }
  }
}
