extension Snapshot {
  /// This state with its lookup table, made from an earlier state's table if that is less work.
  ///
  /// For code that shows one state after another and looks up identifiers in between.
  ///
  /// - Parameter earlier: A state of the same list. Any other state is correct too, but does not
  ///   help.
  /// - Complexity: O(s + d · log n) for s sections and d leaves that differ, if `earlier` has a
  ///   table; otherwise O(n). O(1) if this state has its table already.
  package func resolved(continuing earlier: Snapshot) -> Snapshot {
    guard itemTable == nil, resolution?.cached == nil, let table = earlier.itemTable,
      !hasDuplicateSections, !earlier.hasDuplicateSections
    else { return resolved }
    // The storage of an earlier state has the earlier models. A state with models consists of trees
    // already.
    let adopted =
      kernels.models == nil
      ? base.adopted(by: earlier.base, keepingOutlines: false)
      : UntypedSnapshot.Adopted(snapshot: base)
    var result = Snapshot(adopted.snapshot, marks: marks)
    let comparison = SnapshotComparison(old: earlier, new: result, matchings: adopted.matchings)
    guard let changes = comparison.changes, changes.removed.count * 2 <= earlier.numberOfItems
    else {
      return result.withItemTable()
    }
    result.resolution = nil
    result.itemTable = table
    result.base.follow(changes, bringing: nil)
    result._checkInvariants()
    return result
  }
}
