public import Diffable

extension ListSimulator {
  /// Performs the change from one snapshot to another, as a data source would send it.
  ///
  /// - Parameters:
  ///   - old: What the view shows.
  ///   - new: What it should show; marks become reloads and reconfigures.
  ///   - profile: The kind of view.
  /// - Returns: Every violation; the library promises that there is none.
  /// - Throws: `SnapshotError.duplicateSections` or `SnapshotError.duplicateItems` if an identifier
  ///   appears twice.
  public static func violations(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>,
    profile: ListProfile
  ) throws(SnapshotError) -> [ListViolation] {
    var view = ListSimulator(showing: old, profile: profile)
    return view.perform(try UpdateBatch(from: old, to: new))
  }
}
