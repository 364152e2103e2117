/// The state that a data source holds, and the only place where it is replaced.
///
/// Every method either makes one commit or changes nothing. The live snapshot has the one lookup
/// table that is edited in place; what is handed out shares its trees, and may ask the table while
/// nobody edits it.
struct LiveState<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  typealias State = Snapshot<SectionID, ItemID>
  typealias Given = GivenContent<SectionID, ItemID>

  /// The live order, valid and without marks, and in a source of models with a model for each item.
  var snapshot: State
  /// Where the states that are handed out find the table of the live one.
  let table = LiveTable()

  /// The empty state.
  init(_ kernels: SnapshotKernels) {
    snapshot = State(kernels)
    snapshot.resolve()
  }

  /// A change that was made: all that the history and the subscribers need of it.
  struct Commit: Sendable {
    /// The order after it, without marks.
    let snapshot: State
    /// What changed since the state before it, models included.
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
    _ new: State, _ given: Given = Given(), duplicates: DuplicatePolicy
  ) throws(SnapshotError) -> Commit? {
    table.withdraw()
    defer { table.publish(snapshot) }
    do {
      return try replace(with: new, given, dropped: ([], []))
    } catch {
      guard duplicates != .reject else { throw error }
      var given = given
      new.giveModels(to: &given, duplicates)
      var unique =
        new.hasDuplicateSections ? new : new.adopted(by: snapshot, keepingOutlines: true).snapshot
      let dropped = unique.dropDuplicates(keepingLast: duplicates == .keepLast)
      return try replace(with: unique, given, dropped: dropped)
    }
  }

  /// Edits the state in place.
  ///
  /// If the edit throws, or what it makes is not valid, nothing changed.
  ///
  /// - Complexity: That of the edit, and O(d · log n) for d leaves that it changed.
  mutating func update(
    duplicates: DuplicatePolicy, _ edit: (inout State, inout Given) throws -> Void
  ) throws -> Commit? {
    table.withdraw()
    defer { table.publish(snapshot) }
    var draft = snapshot
    var given = Given()
    // The draft alone holds the table now, so that it is edited in place.
    snapshot = snapshot.detached
    do {
      try edit(&draft, &given)
    } catch {
      restoreTable(from: draft)
      throw error
    }
    do {
      return try commit(draft, given, duplicates: duplicates)
    } catch {
      throw DataSourceError.invalidSnapshot(error)
    }
  }

  /// Gives items and sections that are there other models; `nil` says that nothing changed.
  ///
  /// - Complexity: O(c · log n) for c models of n items.
  mutating func setModels(_ given: Given) throws(SnapshotError) -> Commit? {
    let unknown = snapshot.unknown(of: given)
    if let unknown { throw unknown }
    table.withdraw()
    defer { table.publish(snapshot) }
    let draft = snapshot
    snapshot = snapshot.detached
    return try commit(draft, given, duplicates: .reject)
  }

  mutating func commit(
    _ draft: State, _ given: Given, duplicates: DuplicatePolicy
  ) throws(SnapshotError) -> Commit? {
    guard draft.itemTable != nil, !draft.hasDuplicateSections, !draft.hasDuplicateItems() else {
      restoreTable(from: draft)
      return try apply(
        draft.itemTable == nil ? draft : draft.detached, given, duplicates: duplicates)
    }
    var draft = draft
    // The edit may have put a snapshot of the user's in its place.
    draft.kernels = snapshot.kernels
    var comparison = SnapshotComparison(old: snapshot, new: draft)
    let missing = draft.complete(since: snapshot, &comparison, given: given)
    guard missing.isEmpty else {
      restoreTable(from: draft)
      throw .missingModel(missing.map(AnyItemID.init))
    }
    let changes = ContentChanges(from: snapshot, to: draft, comparison)
    return install(draft, comparison.correspondence, changes, dropped: ([], []))
  }

  /// Makes the table of a draft that is given up that of the live state again, whatever became of
  /// it: a table is a function of the trees.
  ///
  /// - Complexity: O(d · log n) for d leaves that the edit changed; O(n) if it lost the table.
  mutating func restoreTable(from draft: consuming State) {
    guard var table = draft.itemTable else {
      snapshot = snapshot.withItemTable()
      snapshot.itemTable?.acquit()
      return
    }
    let changes = SnapshotComparison(old: draft, new: snapshot).changes
    draft.itemTable = nil
    // A comparison of trees always knows.
    _ = table.apply(changes ?? IdentityChanges())
    table.acquit()
    snapshot.itemTable = table
    snapshot.resolution = nil
  }

  mutating func replace(
    with new: State, _ given: Given, dropped: (sections: [SectionID], items: [ItemID])
  ) throws(SnapshotError) -> Commit? {
    guard !new.hasDuplicateSections else { throw new.duplicates() }
    var adopted = new.adopted(by: snapshot, keepingOutlines: true)
    var next = adopted.snapshot
    var comparison = SnapshotComparison(old: snapshot, new: next, matchings: adopted.matchings)
    adopted.matchings = [:]
    var borrowed: IdentityChanges?
    let areComplete = next.itemTable == nil && comparison.newcomers != nil
    if next.itemTable == nil {
      if let changes = comparison.changes, changes.removed.count * 2 <= snapshot.numberOfItems {
        next.takeTable(of: &snapshot, changes, bringing: comparison.newcomerItems)
        borrowed = changes
      } else {
        next = next.withItemTable(newcomers: comparison.newcomerItems)
      }
    }
    let hasDuplicates = next.hasDuplicateItems(whereSuspectsAreComplete: areComplete)
    var missing: [ItemID] = []
    if !hasDuplicates, next.kernels.models != nil {
      var given = given
      new.giveModels(to: &given, .keepLast, except: adopted.modelled)
      missing = next.complete(
        since: snapshot, &comparison, except: adopted.modelled, given: given)
    }
    guard !hasDuplicates, missing.isEmpty else {
      if let borrowed {
        let nothing = LeafContent(next.kernels.items)
        snapshot.takeTable(of: &next, borrowed.inverse, bringing: nothing)
        snapshot.itemTable?.acquit()
      }
      throw hasDuplicates ? next.duplicates() : .missingModel(missing.map(AnyItemID.init))
    }
    let changes = ContentChanges(from: snapshot, to: next, comparison)
    return install(next, comparison.correspondence, changes, dropped: dropped)
  }

  mutating func install(
    _ next: consuming State, _ correspondence: Correspondence, _ changes: ContentChanges,
    dropped: (sections: [SectionID], items: [ItemID])
  ) -> Commit? {
    let marks = next.marks
    next.marks = State.Marks()
    next.sectionTable.acquit()
    next.itemTable?.acquit()
    next.resolution = nil
    next.dropGarbage(moreThan: next.numberOfItems + next.order.totals.hiddenRows)
    snapshot = next
    snapshot._checkInvariants()
    snapshot._checkModels()
    let difference = snapshot.difference(
      correspondence, marks: marks, content: changes)
    // Content may change of what an outline hides.
    guard !difference.isEmpty || !changes.isEmpty else { return nil }
    return Commit(
      snapshot: snapshot.detached(asking: table), difference: difference, marks: marks,
      droppedItems: dropped.items, droppedSections: dropped.sections)
  }
}
