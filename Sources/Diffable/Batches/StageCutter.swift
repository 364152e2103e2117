/// The common part of all ways to cut a batch.
struct StageCutter<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Stage = UpdateStage<SectionID, ItemID>

  let old: Snapshot<SectionID, ItemID>
  /// The state after the batch, but with the old identifiers of renamed items.
  let new: Snapshot<SectionID, ItemID>
  /// The state after the batch.
  let renamed: Snapshot<SectionID, ItemID>
  let difference: SnapshotDifference
  let positions: PositionMap
  private let deletedSections: SlotList

  init(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>,
    _ difference: SnapshotDifference
  ) {
    let positions = PositionMap(difference)
    self.old = old
    renamed = new
    self.new = new.naming(
      difference.itemRenames.lazy.compactMap { path in
        positions.oldPath(forNew: path).flatMap(old.itemIdentifier(for:)).map { (path, $0) }
      })
    self.difference = difference
    self.positions = positions
    deletedSections = SlotList(difference.sectionDeletes.ranges)
  }

  /// The index of a surviving section among all surviving sections, in their old order.
  func survivor(atOld section: Int) -> Int {
    deletedSections.rank(of: section)
  }

  /// The old index of the last surviving section before an old index.
  func survivor(beforeOld section: Int) -> Int? {
    let rank = survivor(atOld: section)
    return rank > 0 ? deletedSections.free(at: rank - 1) : nil
  }

  /// Like ``survivor(atOld:)``, for a section given by its new index.
  func survivor(atNew section: Int) throws(SnapshotError) -> Int {
    guard let old = positions.oldSection(forNew: section) else {
      throw .inapplicableDifference(reason: "items change in section \(section), which is new")
    }
    return survivor(atOld: old)
  }

  /// Reloads and reconfigures in new positions, each element once: a reload covers a reconfigure, and
  /// the reload of a section covers its items.
  func refreshes() -> SnapshotDifference {
    var refreshes = SnapshotDifference()
    guard difference.hasRefreshes || !difference.itemRenames.isEmpty else { return refreshes }
    refreshes.sectionReloads = positions.newSections(forOld: difference.sectionReloads)
    refreshes.sectionReconfigures = difference.sectionReconfigures
      .subtracting(refreshes.sectionReloads)
    func uncovered(_ paths: ItemPathSet) -> ItemPathSet {
      ItemPathSet(sorting: paths.ranges.filter { !refreshes.sectionReloads.contains($0.section) })
    }
    refreshes.itemReloads = uncovered(positions.newPaths(forOld: difference.itemReloads))
    refreshes.itemReconfigures = uncovered(difference.itemReconfigures)
      .subtracting(refreshes.itemReloads)
    refreshes.itemRenames = difference.itemRenames
    return refreshes
  }
}
