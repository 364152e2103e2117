import Diffable

/// The models of the sections of an input, in a step that keeps its sections.
extension GivenContent {
  /// Sets the models of sections that have changed.
  mutating func setHeaders(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>,
    _ difference: SnapshotDifference
  ) {
    let headers = difference.sectionReconfigures.union(
      PositionMap(difference).newSections(forOld: difference.sectionReloads))
    for section in headers.ranges.joined() where section < new.numberOfSections {
      let section = new.section(at: section)
      sections[section] = new.content(ofSection: section) ?? SectionContent()
    }
  }
}
