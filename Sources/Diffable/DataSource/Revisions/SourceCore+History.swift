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
    guard let state = hub.state(at: base) else {
      abandon(.unknownRevision(base))
      throw .unknownRevision(base)
    }
    let snapshot = Snapshot<SectionID, ItemID>(state.snapshot)
    let given = given.changes(since: snapshot)
    return try transaction(presentation, named: name) { () throws(DataSourceError) in
      try checked { () throws(SnapshotError) in
        try live.merge(
          theirs, given, basedOn: snapshot, others: rowNotes(since: base),
          duplicates: duplicates)
      }
    }
  }

  /// Reverts what ``reversible(_:_:)`` names, even if nothing is left of it.
  func reverse(
    _ direction: UndoDirection, _ scope: UndoScope, presentation: Presentation
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try begin(ifRevision: nil)
    guard let found = hub.reversible(direction, scope) else {
      abandon(nil)
      return nil
    }
    return try reverseBegun(found, direction, presentation)
  }

  /// Reverts the changes of some revisions, even if nothing is left of them.
  func reverse(
    _ changes: [UndoableChange?], presentation: Presentation
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try begin(ifRevision: nil)
    let found: Hub.Reversible?
    do throws(DataSourceError) {
      found = try reversal(of: changes)
    } catch {
      abandon(error)
      throw error
    }
    guard let found else {
      return try transaction(presentation, named: nil) { () throws(DataSourceError) in
        (nil, Contradictions())
      }
    }
    return try reverseBegun(found, .undo, presentation)
  }

  private func reverseBegun(
    _ found: Hub.Reversible, _ direction: UndoDirection,
    _ presentation: Presentation
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try transaction(
      presentation, kind: found.kind(direction), named: found.name, reversing: hub.change(found)
    ) { () throws(DataSourceError) in try revert(found, direction) }
  }

  /// Makes a change that was opened, closes it, and says what it did.
  func transaction(
    _ presentation: Presentation, kind: RevisionKind? = nil, named name: String?,
    reversing change: UndoableChange? = nil, _ make: () throws(DataSourceError) -> Live.Merged
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    let initial = snapshot
    var made: Live.Merged = (nil, Contradictions())
    let reached = try transact(presentation, kind: kind ?? .change(name: name)) {
      () throws(DataSourceError) in
      made = try make()
      return made.commit
    }
    return Transaction(
      made, at: reached, made.commit.map { _ in hub.change(reached, named: name) }, from: initial,
      named: name, reversing: change)
  }

  /// The renames from a revision to the state on which the next change is made.
  ///
  /// - Complexity: As of ``rowNotes(since:)``.
  package func renames(since revision: Revision) -> ItemRenames<ItemID> {
    rowNotes(since: revision).renames
  }

  /// What was renamed and placed from a revision to the state on which the next change is made.
  ///
  /// - Complexity: O(k) for the k revisions since then, O(1) if none of them has renamed or placed anything.
  package func rowNotes(since revision: Revision) -> Snapshot<SectionID, ItemID>.Marks {
    guard revision < lastRowNote || unpublished.contains(where: { $0.notes != nil }) else {
      return .init()
    }
    let published = revision < lastRowNote ? hub.notes(after: revision) : []
    return (published + unpublished.compactMap(\.notes)).reduce(into: .init()) { marks, notes in
      marks.formUnion(Reader.marks(of: notes).rowNotes)
    }
  }

  /// Brings a reader to the published state.
  ///
  /// - Parameters:
  ///   - place: The revision where the reader is; `nil` if it begins.
  ///   - known: Revisions of which the reader knows what they say, in their order.
  /// - Returns: The strongest presentation of the other revisions since then; `nil` if there are none.
  ///   And what they say; `nil` if they say nothing.
  package func read(
    after place: inout Revision?, except known: [Revision]
  ) -> (presentation: Presentation?, notes: TypedRevisionNotes<SectionID, ItemID>?) {
    let (presentation, notes) = hub.read(after: place, except: known)
    place = revision
    let joined = notes.first?.joined(with: notes.dropFirst())
    return (presentation, joined.map(TypedRevisionNotes.of))
  }

  /// What some changes have changed; `nil` if there are none.
  ///
  /// - Throws: ``DataSourceError`` with `unknownRevision`, also for a change of another source.
  package func reversal(
    of changes: [UndoableChange?]
  ) throws(DataSourceError) -> Hub.Reversible? {
    let changes = changes.compactMap(\.self)
    let strange = changes.filter { $0.epoch != hub.epoch }.map(\.revision).max()
    if let strange { throw .unknownRevision(strange) }
    let sorted = Set(changes.map(\.revision)).sorted(by: >)
    if let found = hub.reversal(of: sorted) { return found }
    let unknown = sorted.first { hub.reversal(of: [$0]) == nil }
    if let unknown { throw .unknownRevision(unknown) }
    return nil
  }

  /// Merges the reverse of changes into the live state, newest first.
  ///
  /// If nothing is left of them, no revision will record that they were reverted, so the history passes
  /// them over.
  package func revert(
    _ found: Hub.Reversible, _ direction: UndoDirection
  ) throws(DataSourceError) -> Live.Merged {
    var all: Live.Merged = (nil, Contradictions())
    do throws(DataSourceError) {
      for change in found.changes {
        let merged = try revert(change, after: all.commit?.notes?.marks ?? .init())
        all.contradictions.formUnion(merged.contradictions)
        all.commit = live.joined(all.commit, merged.commit, since: snapshot)
      }
    } catch {
      if all.commit != nil { live.revert(to: snapshot) }
      throw error
    }
    if all.commit == nil { hub.passOver(found.revisions, direction) }
    return all
  }

  /// - Parameter marks: What was renamed and placed on the live state since it was published.
  private func revert(
    _ change: Hub.Reversible.Change, after marks: Snapshot<SectionID, ItemID>.Marks
  ) throws(DataSourceError) -> Live.Merged {
    let made = change.notes.map(Reader.marks(of:)) ?? .init()
    let after = Snapshot<SectionID, ItemID>(change.after.snapshot)
    var before = Snapshot<SectionID, ItemID>(change.before.snapshot)
    if children != nil { before = before.collapsing(loadedIn: after, made.renames) }
    let replay = Replay(from: after, to: before, made.inverse, by: .undo)
    var others = rowNotes(since: change.revision)
    others.formUnion(marks.rowNotes)
    return try checked { () throws(SnapshotError) in
      try live.make(replay, others: others)
    }
  }
}
