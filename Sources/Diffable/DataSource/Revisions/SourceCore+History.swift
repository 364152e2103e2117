extension SourceCore {
  /// Replays a writer's changes since a revision onto the live state.
  ///
  /// - Parameter given: Models of the writer. Those that equal the models of the base are no
  ///   change.
  func merge(
    _ theirs: Snapshot<SectionID, ItemID>, _ given: Live.Given = Live.Given(),
    basedOn base: Revision,
    named name: String?, presentation: Presentation
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    // What is queued comes first, and may be what makes the history forget the base.
    try begin(ifRevision: nil)
    guard let state = hub.withMachine({ $0.state(at: base) }) else {
      abandon(.unknownRevision(base))
      throw .unknownRevision(base)
    }
    let snapshot = Reader.snapshot(of: state)
    return try mergeBegun(
      theirs, given.changes(since: snapshot), basedOn: snapshot, at: base, named: name,
      presentation)
  }

  /// Makes a merge that was opened, and closes it.
  private func mergeBegun(
    _ theirs: Snapshot<SectionID, ItemID>, _ given: Live.Given,
    basedOn base: Snapshot<SectionID, ItemID>, at revision: Revision, named name: String?,
    _ presentation: Presentation
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    let initial = self.snapshot
    let (merged, duration) = try timed { () throws(SnapshotError) in
      try live.merge(
        theirs, given, basedOn: base, renamedByOthers: renames(since: revision),
        duplicates: duplicates)
    }
    end(
      merged.commit, presentation, kind: .change(name: name), named: name, duration: duration)
    return Transaction(merged, at: self.revision, from: initial, named: name, reversing: nil)
  }

  /// Reverts what ``reversible(_:_:)`` names, even if nothing is left of it.
  func reverse(
    _ direction: UndoDirection, _ scope: UndoScope, presentation: Presentation
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try begin(ifRevision: nil)
    guard let found = reversible(direction, scope) else {
      abandon(nil)
      return nil
    }
    let initial = self.snapshot
    let (merged, duration) = try timed { () throws(SnapshotError) in
      try revert(found, direction)
    }
    end(
      merged.commit, presentation, kind: found.kind(direction), named: found.name,
      duration: duration)
    return Transaction(
      merged, at: revision, from: initial, named: found.name, reversing: found.change)
  }

  /// The renames since a revision, as far as the history knows.
  package func renames(since revision: Revision) -> ItemRenames<ItemID> {
    var marks = Snapshot<SectionID, ItemID>.Marks()
    for notes in hub.withMachine({ $0.notes(after: revision) }) {
      marks.formUnion(Reader.marks(of: notes))
    }
    return marks.renames
  }

  /// What undo or redo reverts next.
  package func reversible(
    _ direction: UndoDirection, _ scope: UndoScope
  ) -> Hub.Machine.History.Reversible? {
    hub.withMachine { $0.reversible(direction, scope) }
  }

  /// Merges the reverse of a change into the live state.
  ///
  /// If nothing is left of the change, no revision will record that it was reverted, so the history
  /// passes it over.
  package func revert(
    _ found: Hub.Machine.History.Reversible, _ direction: UndoDirection
  ) throws(SnapshotError) -> Live.Merged {
    let after = Reader.snapshot(of: found.after)
    var before = Reader.snapshot(of: found.before)
    let given = before.givenContent(since: after)
    before.marks = found.notes.map { Reader.marks(of: $0).inverse } ?? .init()
    let merged = try live.merge(
      valid: before, given, basedOn: after, renamedByOthers: renames(since: found.revision))
    if merged.commit == nil { hub.withMachine { $0.passOver(found.revision, direction) } }
    return merged
  }

  private func timed(
    _ merge: () throws(SnapshotError) -> Live.Merged
  ) throws(DataSourceError) -> (Live.Merged, Duration) {
    let elapsed = hub.startTimer()
    do throws(SnapshotError) {
      return (try merge(), elapsed())
    } catch {
      abandon(.invalidSnapshot(error))
      throw .invalidSnapshot(error)
    }
  }
}

extension Transaction {
  /// A change between two states that are known.
  package init(
    from initial: Snapshot<SectionID, ItemID>, to final: Snapshot<SectionID, ItemID>,
    at revision: Revision, named name: String?, conflicts: [MergeConflict<SectionID, ItemID>]
  ) {
    self.init(
      revision: revision, name: name, initialSnapshot: initial, finalSnapshot: final,
      difference: final.difference(fromState: initial, marks: .init()), conflicts: conflicts,
      reversedChange: nil)
  }

  /// A change that a merge made, at the revision that has it.
  package init(
    _ merged: LiveState<SectionID, ItemID>.Merged, at revision: Revision,
    from initial: Snapshot<SectionID, ItemID>, named name: String?,
    reversing change: UndoableChange?
  ) {
    self.init(
      revision: revision, name: name, initialSnapshot: initial,
      finalSnapshot: merged.commit?.snapshot ?? initial,
      difference: merged.commit?.difference ?? SnapshotDifference(), conflicts: merged.conflicts,
      reversedChange: change)
  }
}
