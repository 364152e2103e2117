/// What a data source does with identifiers, compiled for their types.
///
/// Generic code of a library is compiled once for all types, unless the client can see it; a
/// comparison costs sixteen times as much then. Were the actor visible to clients, so would be its
/// state. So the engine alone is: whoever creates a source makes these closures, specialised where
/// the types are known, and the actor calls them.
@usableFromInline
struct LiveEngine<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  @usableFromInline typealias Live = LiveState<SectionID, ItemID>

  /// ``LiveState/apply(_:duplicates:)``.
  let apply:
    @Sendable (inout Live, Live.State, DuplicatePolicy) -> Result<Live.Commit?, SnapshotError>
  /// ``LiveState/update(duplicates:_:)``.
  let update:
    @Sendable (inout Live, DuplicatePolicy, (inout Live.State) throws -> Void) throws -> Live
      .Commit?
  /// ``Snapshot/difference(fromValid:marks:)``.
  let difference:
    @Sendable (_ old: Live.State, _ new: Live.State, Live.State.Marks) ->
      SnapshotDifference

  @usableFromInline init(
    apply:
      @escaping @Sendable (
        inout Live, Live.State, DuplicatePolicy
      ) -> Result<Live.Commit?, SnapshotError>,
    update:
      @escaping @Sendable (
        inout Live, DuplicatePolicy, (inout Live.State) throws -> Void
      ) throws -> Live.Commit?,
    difference:
      @escaping @Sendable (
        Live.State, Live.State, Live.State.Marks
      ) -> SnapshotDifference
  ) {
    self.apply = apply
    self.update = update
    self.difference = difference
  }

  /// The engine for the types that are known where this is called.
  @inlinable static func specialised() -> LiveEngine {
    LiveEngine { live, snapshot, duplicates in
      do throws(SnapshotError) {
        return .success(try live.apply(snapshot, duplicates: duplicates))
      } catch {
        return .failure(error)
      }
    } update: { live, duplicates, edit in
      try live.update(duplicates: duplicates, edit)
    } difference: { old, new, marks in
      new.difference(fromValid: old, marks: marks)
    }
  }
}
