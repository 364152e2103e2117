/// The state that a data source holds, and the only place where it is replaced.
///
/// Every method either makes one commit or changes nothing. The live snapshot has the one lookup
/// table that is edited in place; what is handed out shares its trees.
struct LiveState<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable,
  Content: SourceContent<SectionID, ItemID>
>: Sendable {
  typealias State = Snapshot<SectionID, ItemID>

  /// The live order, valid and without marks.
  var snapshot: State
  /// What is kept beside it, for exactly what stands in it.
  var content: Content

  /// The empty state.
  init(_ kernels: SnapshotKernels, _ content: Content = Content()) {
    self.content = content
    snapshot = State(kernels)
    snapshot.resolve()
  }

  /// A change that was made: all that the history and the subscribers need of it.
  struct Commit: Sendable {
    /// The order after it, without marks.
    let snapshot: State
    /// The content after it.
    let content: Content
    /// What changed since the state before it, content included.
    let difference: SnapshotDifference
    /// The marks that travelled with it.
    let marks: State.Marks
    let droppedItems: [ItemID]
    let droppedSections: [SectionID]

    init(
      snapshot: State, content: Content, difference: SnapshotDifference, marks: State.Marks,
      droppedItems: [ItemID], droppedSections: [SectionID]
    ) {
      self.snapshot = snapshot
      self.content = content
      self.difference = difference
      self.marks = marks
      self.droppedItems = droppedItems
      self.droppedSections = droppedSections
    }
  }

  /// Replaces the whole state; `nil` says that nothing changed.
  ///
  /// - Complexity: O(n) comparisons for n items in arrays, and O(d · log n) for d leaves that
  ///   differ from the live ones.
  mutating func apply(
    _ new: State, content: Content, duplicates: DuplicatePolicy
  ) throws(SnapshotError) -> Commit? {
    do {
      return try replace(with: new, content, dropped: ([], []))
    } catch {
      guard duplicates != .reject else { throw error }
      var unique =
        new.hasDuplicateSections ? new : new.adopted(by: snapshot, keepingOutlines: true).snapshot
      let dropped = unique.dropDuplicates(keepingLast: duplicates == .keepLast)
      return try replace(with: unique, content, dropped: dropped)
    }
  }

  /// Edits the state in place.
  ///
  /// If the edit throws, or what it makes is not valid, nothing changed.
  ///
  /// - Complexity: That of the edit, and O(d · log n) for d leaves that it changed.
  mutating func update(
    duplicates: DuplicatePolicy, _ edit: (inout State, inout Content) throws -> Void
  ) throws -> Commit? {
    var draft = snapshot
    var content = content
    // The draft alone holds the table now, so that it is edited in place.
    snapshot = snapshot.detached
    do {
      try edit(&draft, &content)
    } catch {
      restoreTable(from: draft)
      throw error
    }
    do {
      return try commit(draft, content, duplicates: duplicates)
    } catch {
      throw DataSourceError.invalidSnapshot(error)
    }
  }

  /// Replaces the content and leaves the order alone; `nil` says that nothing changed.
  ///
  /// - Parameter new: Content for exactly what stands there.
  /// - Complexity: O(c · log n) for c changes in the content of n items.
  mutating func setContent(_ new: Content) -> Commit? {
    let changes = new.changes(since: content)
    content = new
    guard !changes.isEmpty else { return nil }
    // It stays empty where an outline hides all that has changed.
    var difference = SnapshotDifference()
    snapshot.addRefreshes(of: changes, to: &difference)
    return Commit(
      snapshot: snapshot.detached, content: new, difference: difference, marks: State.Marks(),
      droppedItems: [], droppedSections: [])
  }

  mutating func commit(
    _ draft: State, _ content: Content, duplicates: DuplicatePolicy
  ) throws(SnapshotError) -> Commit? {
    guard draft.itemTable != nil, !draft.hasDuplicateSections, !draft.hasDuplicateItems() else {
      restoreTable(from: draft)
      return try apply(
        draft.itemTable == nil ? draft : draft.detached, content: content, duplicates: duplicates)
    }
    let comparison = SnapshotComparison(old: snapshot, new: draft)
    var content = content
    let missing = content.follow(comparison.correspondence, from: snapshot, to: draft)
    guard missing.isEmpty else {
      restoreTable(from: draft)
      throw .missingModel(missing.map(AnyItemID.init))
    }
    return install(draft, content, comparison.correspondence, dropped: ([], []))
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
    with new: State, _ content: Content, dropped: (sections: [SectionID], items: [ItemID])
  ) throws(SnapshotError) -> Commit? {
    guard !new.hasDuplicateSections else { throw new.duplicates() }
    var (next, matchings) = new.adopted(by: snapshot, keepingOutlines: true)
    let comparison = SnapshotComparison(old: snapshot, new: next, matchings: matchings)
    matchings = [:]
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
    var content = content
    let hasDuplicates = next.hasDuplicateItems(whereSuspectsAreComplete: areComplete)
    let missing =
      hasDuplicates
      ? [] : content.follow(comparison.correspondence, from: snapshot, to: next)
    guard !hasDuplicates, missing.isEmpty else {
      if let borrowed {
        let nothing = LeafContent(next.kernels.items)
        snapshot.takeTable(of: &next, borrowed.inverse, bringing: nothing)
        snapshot.itemTable?.acquit()
      }
      throw hasDuplicates ? next.duplicates() : .missingModel(missing.map(AnyItemID.init))
    }
    return install(next, content, comparison.correspondence, dropped: dropped)
  }

  mutating func install(
    _ next: consuming State, _ content: Content, _ correspondence: Correspondence,
    dropped: (sections: [SectionID], items: [ItemID])
  ) -> Commit? {
    let marks = next.marks
    let changes = content.changes(since: self.content)
    var refreshes = marks
    if !changes.isEmpty { refreshes.formUnion(changes) }
    next.marks = State.Marks()
    next.sectionTable.acquit()
    next.itemTable?.acquit()
    next.resolution = nil
    next.dropGarbage(moreThan: next.numberOfItems + next.order.totals.hiddenRows)
    snapshot = next
    self.content = content
    snapshot._checkInvariants()
    let difference = snapshot.difference(correspondence, marks: refreshes)
    // Content may change of what an outline hides.
    guard !difference.isEmpty || !changes.isEmpty else { return nil }
    return Commit(
      snapshot: snapshot.detached, content: content, difference: difference, marks: marks,
      droppedItems: dropped.items, droppedSections: dropped.sections)
  }
}
