/// What a data source does with identifiers and content, compiled for their types.
///
/// Generic code of a library is compiled once for all types, unless the client can see it; a
/// comparison costs sixteen times as much then. Were the actor visible to clients, so would be its
/// state. So the engine alone is: whoever creates a source makes these closures, specialised where
/// the types are known, and the source calls them.
@usableFromInline
struct LiveEngine<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable,
  Content: SourceContent<SectionID, ItemID>
>: Sendable {
  @usableFromInline typealias Live = LiveState<SectionID, ItemID, Content>
  /// An order and its content.
  @usableFromInline typealias Pair = (snapshot: Live.State, content: Content)
  /// What a merge changed, and what it found.
  @usableFromInline typealias Merged = (
    commit: Live.Commit?, conflicts: [MergeConflict<SectionID, ItemID>]
  )

  /// ``LiveState/apply(_:content:duplicates:)``.
  let apply:
    @Sendable (inout Live, Live.State, Content, DuplicatePolicy) -> Result<
      Live.Commit?, SnapshotError
    >
  /// ``LiveState/update(duplicates:_:)``.
  let update:
    @Sendable (
      inout Live, DuplicatePolicy, (inout Live.State, inout Content) throws -> Void
    ) throws -> Live.Commit?
  /// ``LiveState/merge(_:basedOn:duplicates:)``, or without a policy for a state of the history
  /// ``LiveState/merge(valid:basedOn:dropped:)``.
  let merge: @Sendable (inout Live, Pair, Pair, DuplicatePolicy?) -> Result<Merged, SnapshotError>
  /// ``LiveState/setContent(_:)``.
  let setContent: @Sendable (inout Live, Content) -> Live.Commit?
  /// What changed between two states that a source has gone through.
  let difference: @Sendable (_ old: Pair, _ new: Pair, Live.State.Marks) -> SnapshotDifference

  @usableFromInline init(
    apply:
      @escaping @Sendable (
        inout Live, Live.State, Content, DuplicatePolicy
      ) -> Result<Live.Commit?, SnapshotError>,
    update:
      @escaping @Sendable (
        inout Live, DuplicatePolicy, (inout Live.State, inout Content) throws -> Void
      ) throws -> Live.Commit?,
    merge:
      @escaping @Sendable (
        inout Live, Pair, Pair, DuplicatePolicy?
      ) -> Result<Merged, SnapshotError>,
    setContent: @escaping @Sendable (inout Live, Content) -> Live.Commit?,
    difference:
      @escaping @Sendable (Pair, Pair, Live.State.Marks) -> SnapshotDifference
  ) {
    self.apply = apply
    self.update = update
    self.merge = merge
    self.setContent = setContent
    self.difference = difference
  }

  /// The engine for the types that are known where this is called.
  @inlinable static func specialised() -> LiveEngine {
    LiveEngine { live, snapshot, content, duplicates in
      do throws(SnapshotError) {
        return .success(try live.apply(snapshot, content: content, duplicates: duplicates))
      } catch {
        return .failure(error)
      }
    } update: { live, duplicates, edit in
      try live.update(duplicates: duplicates, edit)
    } merge: { live, theirs, base, duplicates in
      do throws(SnapshotError) {
        guard let duplicates else {
          return .success(try live.merge(valid: theirs, basedOn: base))
        }
        return .success(try live.merge(theirs, basedOn: base, duplicates: duplicates))
      } catch {
        return .failure(error)
      }
    } setContent: { live, content in
      live.setContent(content)
    } difference: { old, new, marks in
      var marks = marks
      marks.formUnion(new.content.changes(since: old.content))
      return new.snapshot.difference(fromValid: old.snapshot, marks: marks)
    }
  }
}
