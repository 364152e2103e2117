/// The state that a data source holds, and the only place where it is replaced.
///
/// Every method either makes one commit or changes nothing.
struct LiveState<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  typealias State = Snapshot<SectionID, ItemID>

  /// The live state, without marks. O(1).
  private(set) var snapshot = State()

  /// A change that was made: all that the history and the subscribers need of it.
  struct Commit: Sendable {
    /// The state after it, without marks.
    let snapshot: State
    /// What changed since the state before it.
    let difference: SnapshotDifference
    /// The marks that travelled with it.
    let marks: State.Marks
    let droppedItems: [ItemID]
    let droppedSections: [SectionID]
  }

  /// Replaces the whole state. `nil` says that nothing changed.
  mutating func apply(
    _ new: State, duplicates: DuplicatePolicy
  ) throws(SnapshotError) -> Commit? {
    var new = new
    var dropped: (sections: [SectionID], items: [ItemID]) = ([], [])
    if duplicates == .reject {
      try new.validate()
    } else {
      dropped = new.dropDuplicates(keepingLast: duplicates == .keepLast)
    }
    let marks = new.marks
    new.marks = State.Marks()
    let difference = new.difference(fromValid: snapshot, marks: marks)
    guard !difference.isEmpty else { return nil }
    snapshot = new
    return Commit(
      snapshot: new, difference: difference, marks: marks, droppedItems: dropped.items,
      droppedSections: dropped.sections)
  }

  /// Edits the state in place. If the edit throws, or what it makes is not valid, nothing changed.
  mutating func update<Result>(
    duplicates: DuplicatePolicy, _ edit: (inout State) throws -> Result
  ) throws -> (result: Result, commit: Commit?) {
    var draft = snapshot
    let result = try edit(&draft)
    do {
      return (result, try apply(draft, duplicates: duplicates))
    } catch {
      throw DataSourceError.invalidSnapshot(error)
    }
  }
}
