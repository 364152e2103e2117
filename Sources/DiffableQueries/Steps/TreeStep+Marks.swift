import Diffable

/// What the writers of the input have marked, and the models of its sections.
extension TreeStep {
  /// Sets the models of sections that have changed, and passes on the marks of the writers.
  func finish(
    from old: Input, to new: Input, _ difference: SnapshotDifference, _ draft: inout Input,
    _ given: inout Live.Given
  ) {
    let map = PositionMap(difference)
    let headers = difference.sectionReconfigures.union(
      map.newSections(forOld: difference.sectionReloads))
    for section in headers.ranges.joined() where section < new.numberOfSections {
      let section = new.section(at: section)
      given.sections[section] = new.content(ofSection: section) ?? SectionContent()
    }
    mark(from: old, to: new, difference, map, &draft)
  }

  /// Passes on the marks of the writers of the input.
  func mark(
    from old: Input, to new: Input, _ difference: SnapshotDifference, _ map: PositionMap,
    _ draft: inout Input
  ) {
    func items(_ paths: some Sequence<ItemPath>) -> [ItemID] {
      paths.compactMap(new.itemIdentifier(for:))
    }
    func sections(_ indices: RangeSet<Int>) -> [SectionID] {
      indices.ranges.joined().compactMap(new.sectionIdentifier(at:))
    }
    let elements = old.kernels.models ?? old.kernels.items
    let reconfigured = items(difference.itemReconfigures).filter { item in
      guard draft.containsItem(item), let path = new.itemPath(for: item),
        let oldPath = old.itemPath(for: item)
      else { return false }
      // A row that is listed although it shows the same must have been marked, or folded.
      return old.disclosure(of: item) == new.disclosure(of: item)
        && old.withRow(at: oldPath) { old in
          new.withRow(at: path) { elements.areEqual(old.element, $0.element) }
        }
    }
    draft.mark(
      renamed: difference.renames(from: old, to: new),
      reloaded: items(map.newPaths(forOld: difference.itemReloads)), reconfigured: reconfigured,
      reloadedSections: sections(map.newSections(forOld: difference.sectionReloads)),
      reconfiguredSections: sections(difference.sectionReconfigures).filter {
        old.content(ofSection: $0) == new.content(ofSection: $0)
      })
  }
}
