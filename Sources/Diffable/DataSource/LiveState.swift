/// The state that a data source holds, and the only place where it is replaced.
///
/// Every method either makes one commit or changes nothing. The live snapshot has the one lookup
/// table that is edited in place; what is handed out shares its trees.
struct LiveState<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  typealias State = Snapshot<SectionID, ItemID>

  /// The live state, valid and without marks.
  private(set) var snapshot: State = {
    var empty = State()
    empty.resolve()
    return empty
  }()

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

  /// Replaces the whole state; `nil` says that nothing changed.
  ///
  /// - Complexity: O(n) comparisons for n items in arrays, and O(d · log n) for d leaves that
  ///   differ from the live ones.
  mutating func apply(
    _ new: State, duplicates: DuplicatePolicy
  ) throws(SnapshotError) -> Commit? {
    do {
      return try replace(with: new, dropped: ([], []))
    } catch {
      guard duplicates != .reject else { throw error }
      var unique = new
      let dropped = unique.dropDuplicates(keepingLast: duplicates == .keepLast)
      return try replace(with: unique, dropped: dropped)
    }
  }

  /// Edits the state in place.
  ///
  /// If the edit throws, or what it makes is not valid, nothing changed.
  ///
  /// - Complexity: That of the edit, and O(d · log n) for d leaves that it changed.
  mutating func update<Result>(
    duplicates: DuplicatePolicy, _ edit: (inout State) throws -> Result
  ) throws -> (result: Result, commit: Commit?) {
    var draft = snapshot
    // The draft alone holds the table now, so that it is edited in place.
    snapshot = snapshot.detached
    let result: Result
    do {
      result = try edit(&draft)
    } catch {
      restoreTable(from: draft)
      throw error
    }
    do {
      return (result, try commit(draft, duplicates: duplicates))
    } catch {
      throw DataSourceError.invalidSnapshot(error)
    }
  }

  private mutating func commit(
    _ draft: State, duplicates: DuplicatePolicy
  ) throws(SnapshotError) -> Commit? {
    guard draft.itemTable != nil, !draft.hasDuplicateSections, !draft.hasDuplicateItems else {
      restoreTable(from: draft)
      return try apply(draft.itemTable == nil ? draft : draft.detached, duplicates: duplicates)
    }
    let comparison = SnapshotComparison(old: snapshot, new: draft)
    return install(draft, comparison.correspondence, dropped: ([], []))
  }

  /// Makes the table of a draft that is given up that of the live state again, whatever became of
  /// it: a table is a function of the trees.
  ///
  /// - Complexity: O(d · log n) for d leaves that the edit changed; O(n) if it lost the table.
  private mutating func restoreTable(from draft: consuming State) {
    guard var table = draft.itemTable else {
      snapshot = snapshot.withItemTable()
      snapshot.itemTable?.acquit()
      return
    }
    let changes = SnapshotComparison(old: draft, new: snapshot).changes
    draft.itemTable = nil
    table.apply(changes)
    table.acquit()
    snapshot.itemTable = table
    snapshot.resolution = nil
  }

  private mutating func replace(
    with new: State, dropped: (sections: [SectionID], items: [ItemID])
  ) throws(SnapshotError) -> Commit? {
    guard !new.hasDuplicateSections else { throw new.duplicates() }
    var next = new.adopted(by: snapshot)
    let comparison = SnapshotComparison(old: snapshot, new: next)
    var liveTable: ItemTable?
    if next.itemTable == nil {
      next.resolution = nil
      if comparison.changes.removed.count * 2 > snapshot.numberOfItems {
        next = next.withItemTable()
      } else {
        liveTable = snapshot.itemTable
        snapshot.itemTable = nil
        liveTable?.apply(comparison.changes)
        next.itemTable = liveTable
        liveTable = nil
      }
    }
    guard !next.hasDuplicateItems else {
      if snapshot.itemTable == nil {
        liveTable = next.itemTable
        next.itemTable = nil
        liveTable?.apply(comparison.changes.inverse)
        liveTable?.acquit()
        snapshot.itemTable = liveTable
      }
      throw new.duplicates()
    }
    return install(next, comparison.correspondence, dropped: dropped)
  }

  private mutating func install(
    _ next: consuming State, _ correspondence: Correspondence,
    dropped: (sections: [SectionID], items: [ItemID])
  ) -> Commit? {
    let marks = next.marks
    next.marks = State.Marks()
    next.sectionTable.acquit()
    next.itemTable?.acquit()
    next.resolution = nil
    snapshot = next
    snapshot._checkInvariants()
    let difference = snapshot.difference(correspondence, marks: marks)
    guard !difference.isEmpty else { return nil }
    return Commit(
      snapshot: snapshot.detached, difference: difference, marks: marks,
      droppedItems: dropped.items, droppedSections: dropped.sections)
  }
}
