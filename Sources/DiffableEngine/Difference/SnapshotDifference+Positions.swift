extension SnapshotDifference {
  /// The number of sections of a snapshot, and the number of items of each section.
  package struct Extent {
    package let sections: Int
    /// The number of items in the section at an index; 0 if there is no section.
    package let items: (Int) -> Int

    package init(sections: Int, items: @escaping (Int) -> Int) {
      (self.sections, self.items) = (sections, items)
    }
  }

  /// The first old position that does not exist, in words; `nil` if all exist.
  ///
  /// - Complexity: O(r) questions for r ranges and moves.
  package func misplacedOldPosition(in old: Extent) -> String? {
    old.fault("sectionDeletes", sectionDeletes) ?? old.fault("sectionReloads", sectionReloads)
      ?? old.fault("sectionMoves", sectionMoves.lazy.map(\.from))
      ?? old.fault("itemDeletes", itemDeletes) ?? old.fault("itemReloads", itemReloads)
      ?? old.fault("itemMoves", itemMoves.lazy.map(\.from))
  }

  /// The first new position that does not exist, in words; `nil` if all exist.
  ///
  /// - Complexity: O(r) questions for r ranges and moves.
  package func misplacedNewPosition(in new: Extent) -> String? {
    misplacedInsert(in: new)
      ?? new.fault("sectionMoves", sectionMoves.lazy.map(\.to))
      ?? new.fault("sectionReconfigures", sectionReconfigures)
      ?? new.fault("outlineChanges", outlineChanges)
      ?? new.fault("itemMoves", itemMoves.lazy.map(\.to))
      ?? new.fault("itemReconfigures", itemReconfigures) ?? new.fault("itemRenames", itemRenames)
  }

  /// The first insert position that does not exist, in words.
  package func misplacedInsert(in new: Extent) -> String? {
    new.fault("sectionInserts", sectionInserts) ?? new.fault("itemInserts", itemInserts)
  }

  /// The first position that does not exist, in words; `nil` if all exist.
  ///
  /// If all exist, arithmetic on positions cannot overflow, and iterating over them takes no longer
  /// than iterating over the snapshots.
  ///
  /// - Complexity: O(r · log s) for r ranges and moves in s sections.
  package func misplacedPosition(from old: UntypedSnapshot, to new: UntypedSnapshot) -> String? {
    misplacedOldPosition(in: Extent(old)) ?? misplacedNewPosition(in: Extent(new))
  }
}

extension SnapshotDifference.Extent {
  package init(_ snapshot: UntypedSnapshot) {
    let sections = snapshot.order.count
    self.sections = sections
    items = { (0..<sections).contains($0) ? snapshot.itemCount(ofSectionAt: $0) : 0 }
  }

  fileprivate func fault(_ kind: String, _ set: RangeSet<Int>) -> String? {
    set.ranges.first { !(0..<sections).contains($0) }
      .map { "\(kind) names sections \($0), but the number of sections is \(sections)" }
  }

  fileprivate func fault(_ kind: String, _ indices: some Sequence<Int>) -> String? {
    indices.first { !(0..<sections).contains($0) }
      .map { "\(kind) names section \($0), but the number of sections is \(sections)" }
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
