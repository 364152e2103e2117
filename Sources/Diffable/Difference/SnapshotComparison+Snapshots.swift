extension SnapshotComparison {
  /// Compares two snapshots.
  ///
  /// - Parameter matchings: How the items of sections match their old items, by new index, as far
  ///   as that is known.
  init<SectionID, ItemID>(
    old: Snapshot<SectionID, ItemID>, new: Snapshot<SectionID, ItemID>,
    matchings: [Int: OrderMatching] = [:]
  ) {
    self.init(old: old.base, new: new.base, matchings: matchings)
  }
}
