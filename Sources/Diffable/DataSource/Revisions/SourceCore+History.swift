extension SourceCore {
  /// Replays what a writer changed since a revision onto the live state.
  ///
  /// - Parameter given: Models of the writer. Those that the base has as well are no change.
  func merge(
    _ theirs: Snapshot<SectionID, ItemID>, _ given: Live.Given = Live.Given(),
    basedOn base: Revision,
    named name: String?, presentation: Presentation
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    guard let state = hub.withMachine({ $0.state(at: base) }) else {
      throw refusing(.unknownRevision(base))
    }
    let base = Reader.snapshot(of: state)
    return try merge(
      theirs, given.changes(since: base), basedOn: base, named: name, presentation: presentation)
  }

  /// The same for a base that the writer holds.
  func merge(
    _ theirs: Snapshot<SectionID, ItemID>, _ given: Live.Given = Live.Given(),
    basedOn base: Snapshot<SectionID, ItemID>,
    named name: String?, presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try begin(ifRevision: nil)
    let initial = self.snapshot
    let (merged, duration) = try merged(theirs, given, base, duplicates)
    end(
      merged.commit, presentation, kind: .change(name: name), named: name, duration: duration)
    return transaction(merged, from: initial, named: name)
  }

  /// Takes back exactly what ``SubscriptionMachine/reversible(_:_:)`` names, even if that changes nothing any more.
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
    before.marks = found.notes.map(Reader.marks(of:)) ?? .init()
    let initial = self.snapshot
    let (merged, duration) = try merged(before, given, after, nil)
    // No revision says that it was taken back.
    if merged.commit == nil { hub.withMachine { $0.passOver(found.revision, direction) } }
    let kind: RevisionKind =
      direction == .undo ? .undo(of: found.revision) : .redo(of: found.revision)
    end(merged.commit, presentation, kind: kind, named: found.name, duration: duration)
    return transaction(merged, from: initial, named: found.name, reversing: found.change)
  }

  private func merged(
    _ theirs: Snapshot<SectionID, ItemID>, _ given: Live.Given, _ base: Snapshot<SectionID, ItemID>,
    _ duplicates: DuplicatePolicy?
  ) throws(DataSourceError) -> (Live.Merged, Duration) {
    let elapsed = hub.startTimer()
    do throws(SnapshotError) {
      guard let duplicates else {
        return (try live.merge(valid: theirs, given, basedOn: base), elapsed())
      }
      return (try live.merge(theirs, given, basedOn: base, duplicates: duplicates), elapsed())
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
