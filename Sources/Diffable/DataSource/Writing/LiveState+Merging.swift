extension LiveState {
  /// What a merge changed, and the conflicts that it found.
  package typealias Merged = (commit: Commit?, conflicts: [MergeConflict<SectionID, ItemID>])

  /// Replays a writer's changes since a base that is known to be valid.
  ///
  /// - Parameters:
  ///   - given: The models that the writer changed. They win over models that others changed.
  ///   - others: What others have renamed since the base.
  /// - Complexity: The same as ``Snapshot/merging(_:basedOn:)``.
  package mutating func merge(
    _ theirs: Snapshot<SectionID, ItemID>, _ given: Given,
    basedOn base: Snapshot<SectionID, ItemID>, renamedByOthers others: ItemRenames<ItemID>,
    duplicates: DuplicatePolicy
  ) throws(SnapshotError) -> Merged {
    var writer = theirs
    var dropped: (sections: [SectionID], items: [ItemID]) = ([], [])
    do {
      try writer.validate()
    } catch {
      guard duplicates != .reject else { throw error }
      dropped = writer.dropDuplicates(keepingLast: duplicates == .keepLast)
    }
    let marks = writer.marks
    writer = writer.resolved
    writer.marks = marks
    return try merge(
      valid: writer, given, basedOn: base, renamedByOthers: others, dropped: dropped)
  }

  /// Replays a writer's changes; both sides are checked, or states of the history.
  ///
  /// - Complexity: O(c · log n) for c elements that either side changed.
  mutating func merge(
    valid theirs: Snapshot<SectionID, ItemID>, _ given: Given,
    basedOn base: Snapshot<SectionID, ItemID>, renamedByOthers others: ItemRenames<ItemID>,
    dropped: (sections: [SectionID], items: [ItemID]) = ([], [])
  ) throws(SnapshotError) -> Merged {
    table.withdraw()
    defer { publishTable() }
    var draft = snapshot
    // The draft is the only holder of the table now, so the table is edited in place.
    snapshot.base.itemTable = nil
    let given = given.keepingContent(of: theirs.marks.renames, others, basedOn: base, in: draft)
    var unified: Snapshot<SectionID, ItemID>.UnifiedNames
    do throws(SnapshotError) {
      unified = try draft.merge(valid: theirs, basedOn: base, renamedByOthers: others)
    } catch {
      restoreTable(from: draft)
      throw error
    }
    let (renamed, lost) = given.renaming(unified.names, snapshot.kernels)
    let commit = try commit(&draft, renamed, duplicates: .reject)
    unified.conflicts += lost.map { .item($0, .editedButRenamed) }.filter { conflict in
      !unified.conflicts.contains { $0.identifier == conflict.identifier }
    }
    return (commit?.adding(dropped), unified.conflicts)
  }
}

extension LiveState.Commit {
  /// The same, with what the duplicates policy dropped before the merge.
  func adding(_ dropped: (sections: [SectionID], items: [ItemID])) -> Self {
    Self(
      state: state,
      notes: .notes(
        notes?.marks ?? .init(),
        (
          sections: (notes?.droppedSections ?? []) + dropped.sections,
          items: (notes?.droppedItems ?? []) + dropped.items
        )))
  }
}
