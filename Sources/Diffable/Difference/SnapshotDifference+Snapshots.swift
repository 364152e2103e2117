extension SnapshotDifference {
  /// The first position that does not exist, in words; `nil` if all exist.
  ///
  /// - Complexity: O(r · log s) for r ranges and moves in s sections.
  package func misplacedPosition<SectionID, ItemID>(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>
  ) -> String? {
    misplacedPosition(from: old.base, to: new.base)
  }
}
