/// The state that a data source holds, and the only place where it is replaced.
///
/// Every method either makes one commit or changes nothing. The live snapshot holds the only lookup
/// table that is edited in place. Delivered snapshots share its trees, and may use the table while
/// it is not being edited.
package struct LiveState<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  package typealias Given = GivenContent<SectionID, ItemID>

  /// The live order, valid and without marks, and in a source of models with a model for each item.
  package var snapshot: Snapshot<SectionID, ItemID>
  /// Gives delivered snapshots access to the table of the live one.
  package let table = LiveTable()
  /// What the app does with models.
  package var handlers: ModelHandlers<SectionID>

  /// The empty state.
  package init(_ kernels: SnapshotKernels, _ handlers: ModelHandlers<SectionID> = .init()) {
    self.handlers = handlers
    snapshot = Snapshot<SectionID, ItemID>(kernels)
    snapshot.resolve()
  }

  /// A change that was made: everything that the history and the subscribers need.
  package struct Commit: Sendable {
    /// The order after it, without marks, and all changes since the previous state.
    package let state: RevisionState
    /// Its notes; `nil` if there are none.
    package let notes: TypedRevisionNotes<SectionID, ItemID>?

    package init(state: RevisionState, notes: TypedRevisionNotes<SectionID, ItemID>?) {
      (self.state, self.notes) = (state, notes)
    }

    package var snapshot: Snapshot<SectionID, ItemID> { Snapshot(state.snapshot) }
    package var difference: SnapshotDifference { state.difference ?? SnapshotDifference() }
  }

  /// A commit that changes nothing.
  package var unchanged: Commit {
    Commit(
      state: RevisionState(
        snapshot: snapshot.base.detached(asking: table), difference: SnapshotDifference()),
      notes: nil)
  }

  /// Goes back to the state before a commit that was not published.
  ///
  /// - Parameter state: The state before, as it was published.
  /// - Complexity: O(d · log n) for d leaves that the commit changed.
  package mutating func revert(to state: Snapshot<SectionID, ItemID>) {
    table.withdraw()
    defer { table.publish(snapshot.base) }
    let draft = snapshot
    snapshot = state.detached
    restoreTable(from: draft)
    snapshot._checkInvariants(withModels: true)
  }

  /// Two commits, of which the second was made after the first, as one.
  ///
  /// - Parameter state: The state before, as it was published.
  /// - Returns: `nil` if the two together change nothing.
  /// - Complexity: O(d · log n) for d leaves that the commits changed.
  package mutating func joined(
    _ first: Commit?, _ second: Commit?, since state: Snapshot<SectionID, ItemID>
  ) -> Commit? {
    guard let first, let second else { return first ?? second }
    var marks = first.notes?.marks ?? .init()
    marks.formUnion(second.notes?.marks ?? .init())
    marks = marks.replacingRenames { $0.to(stateWhere: snapshot.containsItem) }
    marks.placed.keep(in: snapshot)
    let difference = snapshot.difference(fromState: state, marks: marks)
    guard !difference.isEmpty || !snapshot.givenContent(since: state).isEmpty else {
      revert(to: state)
      return nil
    }
    return Commit(
      state: RevisionState(
        snapshot: snapshot.base.detached(asking: table), difference: difference),
      notes: marks.isEmpty ? nil : TypedRevisionNotes(.init(marks: marks)))
  }

  /// Replaces the whole state; returns `nil` if nothing changed.
  ///
  /// - Parameters:
  ///   - keepsOutlines: Whether a list in place of an outline only changes the visible rows.
  ///   - isComplete: Whether the new state has no item twice, and each item in a tree has its model.
  /// - Complexity: O(n) comparisons for n items in arrays, and O(d · log n) for d leaves that
  ///   differ from the live ones.
  package mutating func apply(
    _ new: Snapshot<SectionID, ItemID>, _ given: Given = Given(), duplicates: DuplicatePolicy,
    keepingOutlines keepsOutlines: Bool = true, isComplete: Bool = false
  ) throws(SnapshotError) -> Commit? {
    table.withdraw()
    defer { table.publish(snapshot.base) }
    do {
      return try replace(
        with: new, given, keepingOutlines: keepsOutlines, isComplete: isComplete)
    } catch {
      guard duplicates != .reject else { throw error }
      var given = given
      given.isComplete = false
      new.giveModels(to: &given, duplicates)
      var unique =
        new.hasDuplicateSections ? new : new.reusing(snapshot, keepingOutlines: keepsOutlines)
      let dropped = unique.dropDuplicates(keepingLast: duplicates == .keepLast)
      return try replace(with: unique, given, keepingOutlines: keepsOutlines)?.adding(dropped)
    }
  }

  /// Edits the state in place.
  ///
  /// If the edit throws, or its result is not valid, nothing changes.
  ///
  /// - Complexity: The cost of the edit, and O(d · log n) for d leaves that it changed.
  package mutating func update(
    duplicates: DuplicatePolicy,
    _ edit: (inout Snapshot<SectionID, ItemID>, inout Given) throws -> Void
  ) throws -> Commit? {
    table.withdraw()
    defer { table.publish(snapshot.base) }
    var draft = snapshot
    var given = Given()
    // The draft is the only holder of the table now, so the table is edited in place.
    snapshot.base.itemTable = nil
    do {
      try edit(&draft, &given)
    } catch {
      restoreTable(from: draft)
      throw error
    }
    do {
      return try commit(&draft, given, duplicates: duplicates)
    } catch {
      throw DataSourceError.invalidSnapshot(error)
    }
  }

  /// Edits the state in place, where nothing but the state can be at fault.
  ///
  /// - Complexity: As ``update(duplicates:_:)``.
  package mutating func edit(
    _ edit: (inout Snapshot<SectionID, ItemID>, inout Given) throws(SnapshotError) -> Void
  ) throws(SnapshotError) -> Commit? {
    do {
      return try update(duplicates: .reject, edit)
    } catch let error as SnapshotError {
      throw error
    } catch DataSourceError.invalidSnapshot(let error) {
      throw error
    } catch {
      preconditionFailure("an edit threw what no edit of a snapshot throws: \(error)")
    }
  }

  /// Sets models of existing items and sections; returns `nil` if nothing changed.
  ///
  /// - Complexity: O(c · log n) for c models of n items.
  package mutating func setModels(_ given: Given) throws(SnapshotError) -> Commit? {
    let unknown = snapshot.unknown(of: given)
    if let unknown { throw unknown }
    // Not by an edit: to pass through its closure takes a twentieth of the whole.
    table.withdraw()
    defer { table.publish(snapshot.base) }
    var draft = snapshot
    snapshot.base.itemTable = nil
    return try commit(&draft, given, duplicates: .reject)
  }

  /// Makes an edited copy of the live state the live one; `nil` if nothing changed.
  ///
  /// - Parameter draft: The copy, which holds the table. It is used up.
  mutating func commit(
    _ draft: inout Snapshot<SectionID, ItemID>, _ given: Given, duplicates: DuplicatePolicy
  ) throws(SnapshotError) -> Commit? {
    guard draft.base.itemTable != nil, !draft.hasDuplicates else {
      let proposal = draft.base.itemTable == nil ? draft : draft.detached
      restoreTable(from: draft)
      return try apply(proposal, given, duplicates: duplicates)
    }
    // The edit may have assigned a snapshot of the user's.
    draft.base.kernels = snapshot.base.kernels
    var comparison = SnapshotComparison(
      old: snapshot.base.order, new: draft.base.order, draft.base.kernels)
    if draft.base.kernels.models != nil {
      let missing = draft.complete(since: snapshot, &comparison, given: given)
      guard missing.isEmpty else {
        restoreTable(from: draft)
        throw .missingModel(missing.map(AnyItemID.init))
      }
    }
    if !draft.marks.isEmpty {
      comparison.correspondence.follow(draft.marks, from: snapshot, to: draft)
    }
    return install(&draft, draft.marks, comparison)
  }

  /// Gives the table of an abandoned draft back to the live state.
  ///
  /// This works whatever the edit did: a table is a function of the trees.
  ///
  /// - Complexity: O(d · log n) for d leaves that the edit changed; O(n) if it lost the table.
  mutating func restoreTable(from draft: consuming Snapshot<SectionID, ItemID>) {
    guard var table = draft.base.itemTable else {
      snapshot.makeTable()
      snapshot.base.itemTable?.forgetPossibleDuplicates()
      return
    }
    let changes = SnapshotComparison(old: draft.base, new: snapshot.base).changes
    draft.base.itemTable = nil
    // A comparison of trees always knows.
    _ = table.apply(changes ?? IdentityChanges())
    table.forgetPossibleDuplicates()
    snapshot.base.itemTable = table
    snapshot.base.resolution = nil
  }

  private mutating func replace(
    with new: Snapshot<SectionID, ItemID>, _ given: Given,
    keepingOutlines keepsOutlines: Bool, isComplete: Bool = false
  ) throws(SnapshotError) -> Commit? {
    guard new.base.sectionTable.possibleDuplicates.isEmpty || !new.hasDuplicateSections else {
      throw new.duplicates()
    }
    // A copy of a snapshot that was applied before has its renames still.
    let marks =
      new.marks.isEmpty
      ? new.marks : new.marks.replacingRenames { $0.from(stateWhere: snapshot.containsItem) }
    // Nothing else may hold the new state, so that it is edited in place.
    let (reused, matchings, modelled) = new.base.reusing(
      snapshot.base, keepingOutlines: keepsOutlines)
    let isModelled = isComplete ? Array(repeating: true, count: reused.order.count) : modelled
    // Only arrays come with models, and none of them stays one.
    let hasArrays = !reused.order.isIdentical(to: new.base.order)
    var next = Snapshot<SectionID, ItemID>(consume reused)
    var comparison = SnapshotComparison(
      old: snapshot.base.order, new: next.base.order, next.kernels, matchings: matchings)
    var borrowed: IdentityChanges?
    let areComplete = next.base.itemTable == nil && (isComplete || comparison.knowsNewcomers)
    if next.base.itemTable == nil {
      if let changes = comparison.changes, changes.removed.count * 2 <= snapshot.numberOfItems {
        next.base.takeTable(
          of: &snapshot.base, changes, bringing: comparison.newcomers(isUnique: isComplete))
        borrowed = changes
      } else {
        next.makeTable(newcomers: comparison.newcomers(isUnique: isComplete))
      }
    }
    let hasDuplicates =
      next.base.mayHaveDuplicates && next.hasDuplicateItems(whereAllPossibleAreKnown: areComplete)
    var missing: [ItemID] = []
    if !hasDuplicates, next.kernels.models != nil {
      var given = given
      if hasArrays { new.giveModels(to: &given, .keepLast, except: isModelled) }
      missing = next.complete(since: snapshot, &comparison, except: isModelled, given: given)
    }
    guard !hasDuplicates, missing.isEmpty else {
      if let borrowed {
        let nothing = HashedElements(snapshot.kernels.items)
        snapshot.base.takeTable(of: &next.base, borrowed.inverse, bringing: nothing)
        snapshot.base.itemTable?.forgetPossibleDuplicates()
      }
      throw hasDuplicates ? next.duplicates() : .missingModel(missing.map(AnyItemID.init))
    }
    if !marks.isEmpty { comparison.correspondence.follow(marks, from: snapshot, to: next) }
    return install(&next, marks, comparison)
  }

  /// Makes a state the live one and returns the commit; `nil` if nothing changed.
  ///
  /// - Parameters:
  ///   - next: The state, which is exchanged for the one before.
  ///   - comparison: What it has in common with the live one, including renamed items.
  private mutating func install(
    _ next: inout Snapshot<SectionID, ItemID>, _ marks: Snapshot<SectionID, ItemID>.Marks,
    _ comparison: SnapshotComparison
  ) -> Commit? {
    if next.base.mayHaveDuplicates { next.base.forgetPossibleDuplicates() }
    next.base.resolution = nil
    let content =
      next.base.kernels.models == nil
      ? nil : ContentChanges(from: snapshot.base, to: next.base, comparison)
    swap(&snapshot.base, &next.base)
    snapshot.base.dropGarbage(moreThan: snapshot.base.weight)
    snapshot._checkInvariants(withModels: true)
    var marks = marks
    var hasMarks = !marks.isEmpty
    if hasMarks {
      // Renames that count for nothing here must not be joined with those of later revisions.
      marks = marks.replacingRenames { $0.to(stateWhere: snapshot.containsItem) }
      marks.placed.keep(in: snapshot)
      hasMarks = !marks.isEmpty
    }
    var difference = SnapshotDifference(comparison.correspondence)
    let hasContent = content.map { !$0.isEmpty } ?? false
    if hasMarks || hasContent {
      snapshot.addRefreshes(of: marks, content ?? ContentChanges(), to: &difference)
    }
    // The content of hidden items may change too.
    guard !difference.isEmpty || hasContent else { return nil }
    return Commit(
      state: RevisionState(
        snapshot: snapshot.base.detached(asking: table), difference: consume difference),
      notes: hasMarks ? TypedRevisionNotes(.init(marks: marks)) : nil)
  }
}
