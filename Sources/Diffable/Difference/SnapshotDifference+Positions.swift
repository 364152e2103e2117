extension SnapshotDifference {
  /// How many sections a snapshot has, and how many items each section has.
  struct Extent {
    let sections: Int
    /// The number of items in the section at an index; 0 where there is none.
    let items: (Int) -> Int
  }

  /// The first old position that does not exist, in words; `nil` if all of them do.
  ///
  /// - Complexity: O(r) questions for r ranges and moves.
  func misplacedOldPosition(in old: Extent) -> String? {
    old.fault("sectionDeletes", sectionDeletes) ?? old.fault("sectionReloads", sectionReloads)
      ?? old.fault("sectionMoves", sectionMoves.lazy.map(\.from))
      ?? old.fault("itemDeletes", itemDeletes) ?? old.fault("itemReloads", itemReloads)
      ?? old.fault("itemMoves", itemMoves.lazy.map(\.from))
  }

  /// The first new position that does not exist, in words; `nil` if all of them do.
  ///
  /// - Complexity: O(r) questions for r ranges and moves.
  func misplacedNewPosition(in new: Extent) -> String? {
    misplacedInsert(in: new)
      ?? new.fault("sectionMoves", sectionMoves.lazy.map(\.to))
      ?? new.fault("sectionReconfigures", sectionReconfigures)
      ?? new.fault("outlineChanges", outlineChanges)
      ?? new.fault("itemMoves", itemMoves.lazy.map(\.to))
      ?? new.fault("itemReconfigures", itemReconfigures) ?? new.fault("itemRenames", itemRenames)
  }

  /// The first position that something is inserted at and that does not exist, in words.
  func misplacedInsert(in new: Extent) -> String? {
    new.fault("sectionInserts", sectionInserts) ?? new.fault("itemInserts", itemInserts)
  }

  /// The first position that does not exist, in words; `nil` if all of them do.
  ///
  /// Where they do, arithmetic on positions cannot overflow, and walking all of them takes no
  /// longer than walking the snapshots.
  ///
  /// - Complexity: O(r · log s) for r ranges and moves in s sections.
  package func misplacedPosition<SectionID, ItemID>(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>
  ) -> String? {
    misplacedOldPosition(in: Extent(old)) ?? misplacedNewPosition(in: Extent(new))
  }

  /// The first position that cannot exist where only the state after the change is known, in words.
  ///
  /// What stays is as much on both sides: so the state after the change says how large the one
  /// before was.
  ///
  /// - Complexity: O(c log c) for c changes or ranges of them.
  func misplacedPosition<SectionID, ItemID>(to new: Snapshot<SectionID, ItemID>) -> String? {
    let extent = Extent(new)
    return misplacedNewPosition(in: extent)
      ?? misplacedOldPosition(in: PositionMap(self).oldExtent(forNew: extent))
  }
}

extension SnapshotDifference.Extent {
  init<SectionID, ItemID>(_ snapshot: Snapshot<SectionID, ItemID>) {
    sections = snapshot.numberOfSections
    items = { snapshot.items(inSectionAt: $0).count }
  }

  fileprivate func fault(_ kind: String, _ set: RangeSet<Int>) -> String? {
    set.ranges.first { !(0..<sections).contains($0) }
      .map { "\(kind) names sections \($0), and there are \(sections)" }
  }

  fileprivate func fault(_ kind: String, _ indices: some Sequence<Int>) -> String? {
    indices.first { !(0..<sections).contains($0) }
      .map { "\(kind) names section \($0), and there are \(sections)" }
  }

  fileprivate func fault(_ kind: String, _ set: ItemPathSet) -> String? {
    for range in set.ranges {
      let count = items(range.section)
      guard (0..<count).contains(range.items) else {
        return "\(kind) names items \(range.items) of section \(range.section), which has \(count)"
      }
    }
    return nil
  }

  fileprivate func fault(_ kind: String, _ paths: some Sequence<ItemPath>) -> String? {
    for path in paths {
      let count = items(path.section)
      guard (0..<count).contains(path.item) else {
        return "\(kind) names item \(path.item) of section \(path.section), which has \(count)"
      }
    }
    return nil
  }
}
