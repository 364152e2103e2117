extension LiveState {
  /// What a merge changed, and what it found.
  typealias Merged = (commit: Commit?, conflicts: [MergeConflict<SectionID, ItemID>])

  /// Replays what a writer changed since a base that is known to be valid.
  ///
  /// - Parameters:
  ///   - given: The models that the writer changed; where others did so as well, those of the writer
  ///     count.
  ///   - others: What others have renamed since the base.
  /// - Complexity: That of ``Snapshot/merging(_:basedOn:)``.
  mutating func merge(
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

  /// Replays what a writer changed, where both sides are states of the history or checked.
  ///
  /// - Complexity: O(c · log n) for c elements that either side changed.
  mutating func merge(
    valid theirs: Snapshot<SectionID, ItemID>, _ given: Given,
    basedOn base: Snapshot<SectionID, ItemID>, renamedByOthers others: ItemRenames<ItemID>,
    dropped: (sections: [SectionID], items: [ItemID]) = ([], [])
  ) throws(SnapshotError) -> Merged {
    table.withdraw()
    defer { table.publish(snapshot.base) }
    var draft = snapshot
    // The draft alone holds the table now, so that it is edited in place.
    snapshot.base.itemTable = nil
    let conflicts: [MergeConflict<SectionID, ItemID>]
    do throws(SnapshotError) {
      conflicts = try draft.merge(valid: theirs, basedOn: base, renamedByOthers: others)
    } catch {
      restoreTable(from: draft)
      throw error
    }
    let commit = try commit(draft, given, duplicates: .reject)
    return (commit?.adding(dropped), conflicts)
  }
}

extension LiveState.Commit {
  /// The same with what the duplicates policy dropped before it was made.
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
