extension Snapshot {
  /// What changed from an older snapshot to this one, with the fewest moves.
  ///
  /// Of several equally small differences it is the one that moves what the writer of this snapshot has
  /// placed, see ``placedItemIdentifiers``. The marks of this snapshot become reloads and reconfigures;
  /// marks of the old one are ignored. The same two snapshots always give the same difference.
  ///
  /// - Throws: ``SnapshotError/duplicateSections(_:)`` or ``SnapshotError/duplicateItems(_:)`` if
  ///   an identifier appears twice in either snapshot.
  /// - Complexity: O(n) comparisons for n items in arrays. The first time also a hash for each item
  ///   of the old one, to prove once that its identifiers are unique. If both hold trees,
  ///   O(d · log n) for d leaves of 64 items that differ, and O(n) to make a missing lookup table.
  ///   In both cases O(r log r) for r runs of items that are neighbours in both.
  public func difference(
    from old: Snapshot
  ) throws(SnapshotError) -> SnapshotDifference {
    if !marks.hasRenames, !marks.hasPlaced, isBetterCompared(asValueWith: old) {
      return try difference(asValueFrom: old)
    }
    try old.validate()
    try validate()
    return resolved.difference(fromValid: old.resolved, marks: marks)
  }

  /// The difference between two valid snapshots, with marks that may span several revisions.
  ///
  /// - Parameter preference: Which elements move where there is a choice.
  package func difference(
    fromValid old: Snapshot, marks: Marks, moving preference: MovePreference = .fewest
  ) -> SnapshotDifference {
    var correspondence = SnapshotComparison(old: old.base, new: base).correspondence
    correspondence.follow(marks, from: old, to: self)
    return difference(correspondence, marks: marks, moving: preference)
  }

  /// The difference between two valid states of a source, models included.
  ///
  /// - Parameter preference: Which elements move where there is a choice.
  package func difference(
    fromState old: Snapshot, marks: Marks, moving preference: MovePreference = .fewest
  ) -> SnapshotDifference {
    var comparison = SnapshotComparison(old: old.base, new: base)
    comparison.correspondence.follow(marks, from: old, to: self)
    return difference(
      comparison.correspondence, marks: marks,
      content: ContentChanges(from: old.base, to: base, comparison), moving: preference)
  }

  /// The difference for a correspondence; this snapshot is the new side.
  func difference(
    _ correspondence: Correspondence, marks: Marks, content: ContentChanges = ContentChanges(),
    moving preference: MovePreference = .fewest
  ) -> SnapshotDifference {
    var difference = SnapshotDifference(correspondence, moving: preference)
    addRefreshes(of: marks, content, to: &difference)
    return difference
  }

  /// Adds marks and changes of content to a difference.
  ///
  /// Marks on inserted or absent elements are ignored.
  ///
  /// - Complexity: O(m log n) for m marks and n items; without a table, one look at every stored
  ///   hash instead. O(c log c) for c changed models.
  func addRefreshes(
    of marks: Marks, _ content: ContentChanges, to difference: inout SnapshotDifference
  ) {
    guard marks.count > 0 || !content.isEmpty else { return }
    // There are mostly no marks, and listing them would take longer than the rest.
    guard marks.count > 0 || content.mayHaveAppeared else {
      return difference.addReconfigures(ofStaying: content)
    }
    difference.addRefreshes(
      sections: (
        marks.reloadedSections.inOrder.compactMap(indexOfSection),
        marks.reconfiguredSections.inOrder.compactMap(indexOfSection) + content.sections
      ),
      items: (
        firstPaths(ofItems: marks.reloadedItems.inOrder),
        firstPaths(ofItems: marks.reconfiguredItems.inOrder) + content.items
      ))
  }
}

extension SnapshotDifference {
  /// Adds reconfigures of elements that are in both states.
  fileprivate mutating func addReconfigures(ofStaying content: ContentChanges) {
    for new in content.sections { sectionReconfigures.insert(contentsOf: new..<new + 1) }
    itemReconfigures =
      itemReconfigures.isEmpty
      ? ItemPathSet(content.items) : ItemPathSet(itemReconfigures + content.items)
  }

  /// Adds reloads and reconfigures, in new positions.
  ///
  /// Inserted elements are left out, and a reload replaces a reconfigure.
  mutating func addRefreshes(
    sections: (reloads: [Int], reconfigures: [Int]),
    items: (reloads: [ItemPath], reconfigures: [ItemPath])
  ) {
    let map = PositionMap(self)
    let reloaded = RangeSet(sorting: sections.reloads.map { $0..<$0 + 1 })
    sectionReloads.formUnion(map.oldSections(forNew: reloaded))
    let reconfigured = sections.reconfigures.filter { new in
      map.oldSection(forNew: new) != nil && !reloaded.contains(new)
    }
    sectionReconfigures.formUnion(RangeSet(sorting: reconfigured.map { $0..<$0 + 1 }))
    itemReloads = ItemPathSet(items.reloads.compactMap(map.oldPath(forNew:)))
    let reloads = Set(items.reloads)
    func stays(_ path: ItemPath) -> Bool { reloads.isEmpty || !reloads.contains(path) }
    // What an outline reconfigures is listed already.
    itemReconfigures = ItemPathSet(
      itemReconfigures.filter(stays)
        + items.reconfigures.filter { map.oldPath(forNew: $0) != nil && stays($0) })
  }
}

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
    guard base.itemTable == nil, base.resolution?.cached == nil, let table = earlier.base.itemTable,
      !hasDuplicateSections, !earlier.hasDuplicateSections
    else { return resolved }
    // The storage of an earlier state has the earlier models. A state with models consists of trees
    // already.
    let reused: UntypedSnapshot.Reused =
      kernels.models == nil
      ? base.reusing(earlier.base, keepingOutlines: false)
      : (base, [], [])
    var result = Snapshot(reused.snapshot, marks: marks)
    let comparison = SnapshotComparison(
      old: earlier.base, new: result.base, matchings: reused.matchings)
    guard let changes = comparison.changes, changes.removed.count * 2 <= earlier.numberOfItems
    else {
      result.makeTable()
      return result
    }
    result.base.resolution = nil
    result.base.itemTable = table
    result.base.follow(changes, bringing: nil)
    result._checkInvariants()
    return result
  }
}

extension Correspondence {
  /// Matches items that received another identifier: they stay or move like all others.
  ///
  /// A rename counts if the old identifier is deleted and the new one inserted, both in sections
  /// that stay. Otherwise the identifiers alone decide.
  ///
  /// - Complexity: O(c · log n) for c deleted or inserted items among n, if anything was renamed.
  mutating func match<SectionID, ItemID>(
    _ renames: ItemRenames<ItemID>, from old: Snapshot<SectionID, ItemID>,
    to new: Snapshot<SectionID, ItemID>
  ) {
    guard !renames.isEmpty else { return }
    // By new name: the old place of the item.
    var origins = IdentifierMap<ItemID, (section: Int, place: Int)>()
    for (number, section) in changed.enumerated() {
      for place in section.deletes.joined() {
        let path = ItemPath(section: section.old, item: place)
        guard let name = old.itemIdentifier(for: path).flatMap(renames.newName(of:)) else {
          continue
        }
        origins[name] = (number, place)
      }
    }
    guard !origins.isEmpty else { return }
    var departures: [Int: Set<Int>] = [:]
    var arrivals: [Int: Set<Int>] = [:]
    for number in changed.indices {
      for place in changed[number].inserts.joined() {
        let path = ItemPath(section: changed[number].new, item: place)
        guard let name = new.itemIdentifier(for: path), let origin = origins[name] else { continue }
        origins[name] = nil
        departures[origin.section, default: []].insert(origin.place)
        arrivals[number, default: []].insert(place)
        self.renames.append(path)
        if origin.section == number {
          changed[number].runs.append(MatchedRun(old: origin.place, new: place, count: 1))
          changed[number].stays = nil
        } else {
          migrations.append(
            Move(
              from: ItemPath(section: changed[origin.section].old, item: origin.place), to: path))
        }
      }
    }
    for (number, places) in departures { changed[number].deletes.removeIndices(places) }
    for (number, places) in arrivals {
      changed[number].inserts.removeIndices(places)
      changed[number].sort()
    }
  }
}

extension [Range<Int>] {
  /// Removes indices from ascending ranges.
  ///
  /// - Complexity: O(n) for n indices in the ranges.
  fileprivate mutating func removeIndices(_ gone: Set<Int>) {
    var rest: [Range<Int>] = []
    for index in joined() where !gone.contains(index) { rest.appendIndex(index) }
    self = rest
  }
}

extension Correspondence {
  /// Matches what has other names, and notes what was placed.
  ///
  /// - Complexity: O(c · log n) for c deleted or inserted items among n, if anything was renamed, and
  ///   O(p + d · log n) for p placed rows and d leaves that differ, if anything was placed.
  mutating func follow<SectionID, ItemID>(
    _ marks: Snapshot<SectionID, ItemID>.Marks, from old: Snapshot<SectionID, ItemID>,
    to new: Snapshot<SectionID, ItemID>
  ) {
    guard !marks.isEmpty else { return }
    if marks.hasRenames { match(marks.renames, from: old, to: new) }
    if let placed = marks.placed.elements { follow(placed, from: old.base, to: new.base) }
  }
}
