/// The common part of all ways to cut a batch.
final class StageCutter<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
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

extension StageCutter {
  /// Stages for views that take old and new positions at once.
  ///
  /// If the structural changes cannot be made in one stage, they are cut at the order of the
  /// sections:
  ///
  ///     old        A[a b]  B[c]  C[d e]
  ///     items      A[b x]        C[d]         delete sections, change items, keep old order
  ///     sections   C[d]  D[a e]  A[b x]       insert and move sections, keep items
  ///
  /// Sections are deleted first because an item may move from a deleted section to one that stays:
  /// no state in between contains an identifier twice.
  ///
  /// - Parameter rowMovesApart: Whether section inserts and deletes may not share a stage with item
  ///   moves.
  func batchedStages(keepingRowMovesApart rowMovesApart: Bool) throws(SnapshotError) -> [Stage] {
    let hasApartMoves = rowMovesApart && !difference.itemMoves.isEmpty
    let cutsDeletes = hasApartMoves && !difference.sectionDeletes.isEmpty
    let cutsEntries =
      difference.changesItems
      && (!difference.sectionMoves.isEmpty
        || (hasApartMoves && !difference.sectionInserts.isEmpty))

    var structure = difference.structure
    var stages: [Stage] = []
    if cutsDeletes {
      stages.append(try takeDeletes(from: &structure))
    }
    if cutsEntries {
      stages.append(try takeItemChanges(from: &structure))
    }
    if structure.isStructural {
      stages.append(Stage(difference: structure, snapshot: new))
    }
    let refreshes = refreshes()
    if !refreshes.isEmpty {
      stages.append(Stage(difference: refreshes, snapshot: renamed))
    }
    return stages
  }

  /// Cuts off the section deletes; the rest starts from the sections that survive.
  private func takeDeletes(
    from structure: inout SnapshotDifference
  ) throws(SnapshotError) -> Stage {
    var snapshot = old
    try snapshot.removeSections(at: structure.sectionDeletes)
    var deletes = SnapshotDifference()
    deletes.sectionDeletes = structure.sectionDeletes

    structure.sectionDeletes = RangeSet()
    structure.sectionMoves = structure.sectionMoves.map {
      Move(from: survivor(atOld: $0.from), to: $0.to)
    }
    structure.itemDeletes = structure.itemDeletes.mapSections(survivor(atOld:))
    structure.itemMoves = structure.itemMoves.map {
      Move(
        from: ItemPath(section: survivor(atOld: $0.from.section), item: $0.from.item), to: $0.to)
    }
    return Stage(difference: deletes, snapshot: snapshot)
  }

  /// Cuts off all item changes and the section deletes.
  ///
  /// The rest starts from the surviving sections, in their old order, with their new items.
  private func takeItemChanges(
    from structure: inout SnapshotDifference
  ) throws(SnapshotError) -> Stage {
    var items = structure
    items.sectionInserts = RangeSet()
    items.sectionMoves = []
    items.itemInserts = try structure.itemInserts.mapSections(survivor(atNew:))
    items.itemMoves = try structure.itemMoves.map { move throws(SnapshotError) in
      Move(
        from: move.from,
        to: ItemPath(section: try survivor(atNew: move.to.section), item: move.to.item))
    }
    items.itemMoves = items.itemMoves.sortedIfNeeded { $0.to }

    var sections = SnapshotDifference()
    sections.sectionInserts = difference.sectionInserts
    sections.sectionMoves = difference.sectionMoves.map {
      Move(from: survivor(atOld: $0.from), to: $0.to)
    }
    structure = sections
    return Stage(difference: items, snapshot: try survivors())
  }

  /// The surviving sections, in their old order, with their new items.
  private func survivors() throws(SnapshotError) -> Snapshot<SectionID, ItemID> {
    var (survivors, resting) = (new, old)
    try survivors.removeSections(at: difference.sectionInserts)
    try resting.removeSections(at: difference.sectionDeletes)
    let moves = difference.sectionMoves.map { survivor(atOld: $0.from) }.sortedIfNeeded { $0 }
    return try survivors.movingSectionsBack(to: moves, as: resting)
  }
}

extension Snapshot {
  /// This snapshot with some sections at the places that they have in another one, which has all of them.
  ///
  /// - Parameter places: The places there, in ascending order.
  func movingSectionsBack(
    to places: [Int], as resting: Snapshot
  ) throws(SnapshotError) -> Snapshot {
    var snapshot = self
    // In ascending order, each section finds its predecessor in place.
    for place in places {
      let section = try resting.identifiers(at: place..<place + 1)[0]
      if let neighbour = resting.sectionIdentifier(at: place - 1) {
        try snapshot.moveSection(section, afterSection: neighbour)
      } else if let first = snapshot.sectionIdentifier(at: 0), first != section {
        try snapshot.moveSection(section, beforeSection: first)
      }
    }
    // No writer has placed them.
    snapshot.marks = marks
    return snapshot
  }
}

extension SnapshotDifference {
  /// Whether items of surviving sections are deleted, inserted or moved.
  var changesItems: Bool {
    !itemDeletes.isEmpty || !itemInserts.isEmpty || !itemMoves.isEmpty
  }

  /// The difference without reloads and reconfigures.
  fileprivate var structure: SnapshotDifference {
    var structure = self
    structure.sectionReloads = RangeSet()
    structure.sectionReconfigures = RangeSet()
    structure.itemReloads = []
    structure.itemReconfigures = []
    structure.itemRenames = []
    structure.outlineChanges = RangeSet()
    return structure
  }
}

extension ItemPathSet {
  /// The same items in sections at other indices.
  fileprivate func mapSections<Failure: Error>(
    _ transform: (Int) throws(Failure) -> Int
  ) throws(Failure) -> ItemPathSet {
    var moved: [PathRange] = []
    for range in ranges {
      moved.append(PathRange(section: try transform(range.section), items: range.items))
    }
    return ItemPathSet(sorting: moved)
  }
}
