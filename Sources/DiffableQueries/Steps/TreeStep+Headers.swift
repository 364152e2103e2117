import Diffable

/// The models of the sections of the input.
extension TreeStep {
  /// Sets the models of sections that have changed.
  func giveHeaders(
    from old: Input, to new: Input, _ difference: SnapshotDifference, _ given: inout Live.Given
  ) {
    let headers = difference.sectionReconfigures.union(
      PositionMap(difference).newSections(forOld: difference.sectionReloads))
    for section in headers.ranges.joined() where section < new.numberOfSections {
      let section = new.section(at: section)
      given.sections[section] = new.content(ofSection: section) ?? SectionContent()
    }
  }
}
