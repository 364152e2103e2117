extension SourceCore {
  /// Replays what a writer changed since a revision onto the live state.
  func merge(
    _ snapshot: Snapshot<SectionID, ItemID>, basedOn base: Revision, named name: String?,
    presentation: Presentation, _ edit: (inout Content) -> Void = { _ in }
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    guard let state = hub.state(at: base) else { throw refusing(.unknownRevision(base)) }
    let pair = Reader.pair(of: state)
    var content = pair.content
    edit(&content)
    return try merge(
      (snapshot, content), basedOn: pair, named: name, presentation: presentation)
  }

  /// The same for a base that the writer holds.
  func merge(
    _ theirs: Reader.Pair, basedOn base: Reader.Pair, named name: String?,
    presentation: Presentation
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try begin(ifRevision: nil)
    let initial = self.snapshot
    let (merged, duration) = try merged(theirs, base, duplicates)
    end(
      merged.commit, presentation, kind: .change(name: name), named: name, duration: duration)
    return transaction(merged, from: initial, named: name)
  }

  /// The same for an order alone: the content stays what it is.
  func merge(
    _ theirs: Snapshot<SectionID, ItemID>, basedOn base: Snapshot<SectionID, ItemID>,
    named name: String?
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try merge(
      (theirs, Content()), basedOn: (base, Content()), named: name, presentation: .animated)
  }

  /// Takes back exactly what ``Hub/next(_:_:)`` names, even if that changes nothing any more.
  func reverse(
    _ direction: UndoDirection, _ scope: UndoScope, presentation: Presentation
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try begin(ifRevision: nil)
    guard let found = hub.reversible(direction, scope) else {
      abandon(nil)
      return nil
    }
    var before = Reader.pair(of: found.before)
    before.snapshot.marks = found.notes.map(Reader.marks(of:)) ?? .init()
    let initial = self.snapshot
    let (merged, duration) = try merged(before, Reader.pair(of: found.after), nil)
    // No revision says that it was taken back.
    if merged.commit == nil { hub.passOver(found.revision, direction) }
    let kind: RevisionKind =
      direction == .undo ? .undo(of: found.revision) : .redo(of: found.revision)
    end(merged.commit, presentation, kind: kind, named: found.name, duration: duration)
    return transaction(merged, from: initial, named: found.name, reversing: found.change)
  }

  private func merged(
    _ theirs: Reader.Pair, _ base: Reader.Pair, _ duplicates: DuplicatePolicy?
  ) throws(DataSourceError) -> (Live.Merged, Duration) {
    let elapsed = hub.startTimer()
    do throws(SnapshotError) {
      guard let duplicates else {
        return (try live.merge(valid: theirs, basedOn: base), elapsed())
      }
      return (try live.merge(theirs, basedOn: base, duplicates: duplicates), elapsed())
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
