public import Diffable

extension ListSimulator {
  /// Performs the change from one snapshot to another, as a data source would hand it over.
  ///
  /// - Parameters:
  ///   - old: What the view shows.
  ///   - new: What it is to show; marks become reloads and reconfigures.
  ///   - profile: The kind of view.
  /// - Returns: Every violation; none is what the library promises.
  /// - Throws: `SnapshotError.duplicateSections` or `SnapshotError.duplicateItems` if an
  ///   identifier stands twice.
  public static func violations(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>,
    profile: ListProfile
  ) throws(SnapshotError) -> [ListViolation] {
    var view = ListSimulator(showing: old, profile: profile)
    return view.perform(try UpdateBatch(from: old, to: new))
  }
}
