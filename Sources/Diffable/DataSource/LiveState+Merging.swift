extension LiveState {
  /// What a merge changed, and what it found.
  typealias Merged = (commit: Commit?, conflicts: [MergeConflict<SectionID, ItemID>])

  /// Replays what a writer changed since a base that is known to be valid.
  ///
  /// - Complexity: That of ``Snapshot/merging(_:basedOn:)``.
  mutating func merge(
    _ theirs: (snapshot: State, content: Content),
    basedOn base: (snapshot: State, content: Content),
    duplicates: DuplicatePolicy
  ) throws(SnapshotError) -> Merged {
    var writer = theirs.snapshot
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
    return try merge(valid: (writer, theirs.content), basedOn: base, dropped: dropped)
  }

  /// Replays what a writer changed, where both sides are states of the history or checked.
  ///
  /// - Complexity: O(c · log n) for c elements that either side changed.
  mutating func merge(
    valid theirs: (snapshot: State, content: Content),
    basedOn base: (snapshot: State, content: Content),
    dropped: (sections: [SectionID], items: [ItemID]) = ([], [])
  ) throws(SnapshotError) -> Merged {
    var draft = snapshot
    var content = content
    // The draft alone holds the table now, so that it is edited in place.
    snapshot = snapshot.detached
    let conflicts: [MergeConflict<SectionID, ItemID>]
    do throws(SnapshotError) {
      conflicts = try draft.merge(valid: theirs.snapshot, basedOn: base.snapshot)
    } catch {
      restoreTable(from: draft)
      throw error
    }
    content.merge(theirs.content, basedOn: base.content)
    let commit = try commit(draft, content, duplicates: .reject)
    return (commit?.adding(dropped), conflicts)
  }
}

extension LiveState.Commit {
  /// The same with what the duplicates policy dropped before it was made.
  func adding(_ dropped: (sections: [SectionID], items: [ItemID])) -> Self {
    Self(
      snapshot: snapshot, content: content, difference: difference, marks: marks,
      droppedItems: droppedItems + dropped.items,
      droppedSections: droppedSections + dropped.sections)
  }
}
