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
    guard let state = hub.withMachine({ $0.state(at: base) }) else {
      throw refusing(.unknownRevision(base))
    }
    let snapshot = Reader.snapshot(of: state)
    return try merge(
      theirs, given.changes(since: snapshot), basedOn: snapshot, at: base, named: name,
      presentation: presentation)
  }

  /// Replays a writer's changes since a base that the writer holds.
  ///
  /// - Parameter revision: The revision of the base. The history knows what others have renamed
  ///   since then.
  func merge(
    _ theirs: Snapshot<SectionID, ItemID>, _ given: Live.Given = Live.Given(),
    basedOn base: Snapshot<SectionID, ItemID>, at revision: Revision,
    named name: String?, presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try begin(ifRevision: nil)
    let initial = self.snapshot
    let (merged, duration) = try merged(
      theirs, given, base, duplicates, renamedByOthers: renames(since: revision))
    end(
      merged.commit, presentation, kind: .change(name: name), named: name, duration: duration)
    return transaction(merged, from: initial, named: name)
  }

  /// Reverts what ``SubscriptionMachine/reversible(_:_:)`` names, even if nothing is left of it.
  func reverse(
    _ direction: UndoDirection, _ scope: UndoScope, presentation: Presentation
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try begin(ifRevision: nil)
    guard let found = hub.withMachine({ $0.reversible(direction, scope) }) else {
      abandon(nil)
      return nil
    }
    let after = Reader.snapshot(of: found.after)
    var before = Reader.snapshot(of: found.before)
    let given = before.givenContent(since: after)
    before.marks = found.notes.map { Reader.marks(of: $0).inverse } ?? .init()
    let initial = self.snapshot
    let (merged, duration) = try merged(
      before, given, after, nil, renamedByOthers: renames(since: found.revision))
    // No revision records that it was reverted.
    if merged.commit == nil { hub.withMachine { $0.passOver(found.revision, direction) } }
    let kind: RevisionKind =
      direction == .undo ? .undo(of: found.revision) : .redo(of: found.revision)
    end(merged.commit, presentation, kind: kind, named: found.name, duration: duration)
    return transaction(merged, from: initial, named: found.name, reversing: found.change)
  }

  /// The renames since a revision, as far as the history knows.
  private func renames(since revision: Revision) -> ItemRenames<ItemID> {
    let way = hub.withMachine { $0.transition(from: revision, to: $0.revision) }
    var marks = Snapshot<SectionID, ItemID>.Marks()
    for notes in way?.notes ?? [] { marks.formUnion(Reader.marks(of: notes)) }
    return marks.renames
  }

  private func merged(
    _ theirs: Snapshot<SectionID, ItemID>, _ given: Live.Given, _ base: Snapshot<SectionID, ItemID>,
    _ duplicates: DuplicatePolicy?, renamedByOthers others: ItemRenames<ItemID>
  ) throws(DataSourceError) -> (Live.Merged, Duration) {
    let elapsed = hub.startTimer()
    do throws(SnapshotError) {
      guard let duplicates else {
        return (
          try live.merge(valid: theirs, given, basedOn: base, renamedByOthers: others), elapsed()
        )
      }
      let merged = try live.merge(
        theirs, given, basedOn: base, renamedByOthers: others, duplicates: duplicates)
      return (merged, elapsed())
    } catch {
      abandon(.invalidSnapshot(error))
      throw .invalidSnapshot(error)
    }
  }

  private func transaction(
    _ merged: Live.Merged, from initial: Snapshot<SectionID, ItemID>, named name: String?,
    reversing change: UndoableChange? = nil
  ) -> Transaction<SectionID, ItemID> {
    Transaction(
      revision: revision, name: name, initialSnapshot: initial,
      finalSnapshot: merged.commit?.snapshot ?? initial,
      difference: merged.commit?.difference ?? SnapshotDifference(), conflicts: merged.conflicts,
      reversedChange: change)
  }
}
