import Diffable

extension SourceCore {
  /// Applies a delta that starts from the live state.
  ///
  /// - Parameters:
  ///   - place: The place in a shared log that it makes, even if nothing changes. If it is `nil`, a
  ///     change makes the next revision.
  ///   - kind: What the change is to undo.
  ///   - reached: Called when the change is made, before subscribers and the observer receive it.
  /// - Returns: The revision that has the new state.
  /// - Throws: ``DeltaError`` if it does not fit. Nothing changes then.
  /// - Complexity: O(c · log n) for c changes among n items.
  func advance(
    by delta: some ListDelta<SectionID, ItemID>, within limits: DeltaLimits,
    as place: HistoryPlace? = nil, kind: RevisionKind = .change(name: nil),
    _ reached: () -> Void = {}
  ) throws(DeltaError) -> Revision {
    let (shown, accepted) = (delta.update.presentation, delta.update.frame.accepted)
    return try change(shown, as: place, kind, accepted: accepted) { () throws(DeltaError) in
      let commit = try made(by: delta, within: limits)
      reached()
      return commit
    }
  }

  /// Applies a delta that starts from an earlier state; subscribers receive what it adds to the live one.
  ///
  /// - Parameters:
  ///   - former: The earlier state.
  ///   - base: The last revision that is not later than that.
  /// - Complexity: O(c · log n) for c changes among n items, of the delta and between the two states.
  func advance(
    by delta: some ListDelta<SectionID, ItemID>, from former: Snapshot<SectionID, ItemID>,
    since base: Revision, within limits: DeltaLimits, _ reached: () -> Void
  ) throws(DeltaError) -> Revision {
    // Back to the names that the delta starts from, and on to its own: so it is also told if a row has got
    // its former name back, which the delta does not say.
    var renames = renames(from: former, since: base).inverse
    renames.formUnion(delta.update.renamedItems)
    let published = snapshot
    return try change(delta.update.presentation, accepted: delta.update.frame.accepted) {
      () throws(DeltaError) in
      let difference = published.difference(fromState: former, marks: .init())
      let commit = try made(
        by: delta, from: former, onceMore: published.items(insertedBy: difference), within: limits)
      var notes = commit?.notes?.contents ?? .init()
      notes.marks.forgetRenames()
      // What is marked has its new name already. Another row may have an old one.
      notes.marks.rename(renames.to(stateWhere: live.snapshot.containsItem).inOrder)
      let marked = Live.Commit(state: live.unchanged.state, notes: TypedRevisionNotes(notes))
      let joined = live.joined(marked, live.unchanged, since: published)
      reached()
      return joined
    }
  }

  /// What was renamed from an earlier state to the live one.
  ///
  /// - Parameter base: The last revision that is not later than the state.
  private func renames(
    from state: Snapshot<SectionID, ItemID>, since base: Revision
  ) -> ItemRenames<ItemID> {
    let renames = renames(since: base)
    let first = RevisionReader<SectionID, ItemID>(hub: hub).snapshot(at: base)
    // A state between two revisions may have some of the later names already.
    return first?.order.isIdentical(to: state.order) == true
      ? renames : renames.from(stateWhere: state.containsItem)
  }

  /// The state that a delta makes of an earlier one, while the live state stays as it is.
  ///
  /// - Parameter former: The earlier state; `nil` if the delta is a reset.
  func state(
    after delta: some ListDelta<SectionID, ItemID>, from former: Snapshot<SectionID, ItemID>?,
    within limits: DeltaLimits
  ) throws(DeltaError) -> Snapshot<SectionID, ItemID> {
    try open()
    defer {
      withdraw()
      abandon(nil)
    }
    let commit =
      if let former {
        try made(by: delta, from: former, within: limits)
      } else {
        try made(byReset: delta, within: limits)
      }
    return commit?.snapshot ?? former ?? snapshot
  }

  /// Applies a delta to the live state, or to an earlier one, which becomes live.
  ///
  /// - Parameter arrived: What followers show already that the earlier state does not have.
  /// - Throws: ``DeltaError`` if it does not fit. The live state is the published one then.
  private func made(
    by delta: some ListDelta<SectionID, ItemID>, from former: Snapshot<SectionID, ItemID>? = nil,
    onceMore arrived: IdentifierSet<ItemID> = .init(), within limits: DeltaLimits
  ) throws(DeltaError) -> Live.Commit? {
    let given = try delta.content(within: limits, kernels)
    if let former { live.revert(to: former) }
    var isChanged = former != nil
    do throws(DeltaError) {
      let plan = try DeltaPlan(delta.update, on: live.snapshot)
      let commit = try carryOut { () throws(SnapshotError) in
        try plan.carryOut(given, onceMore: former == nil ? nil : arrived, &live)
      }
      isChanged = true
      // What the delta counts are visible items.
      try limits.check(sizeOf: live.snapshot)
      return commit
    } catch {
      if isChanged { withdraw() }
      throw error
    }
  }

  /// Applies a reset; subscribers receive the difference from the state before.
  ///
  /// - Complexity: O(n) for n items.
  func replace(
    by delta: some ListDelta<SectionID, ItemID>, within limits: DeltaLimits,
    as place: HistoryPlace? = nil, _ reached: () -> Void = {}
  ) throws(DeltaError) -> Revision {
    // A reset after a reconnection does not say how to show the changes in between.
    let presentation = revision == .empty ? delta.update.presentation : .animated
    return try change(presentation, as: place) { () throws(DeltaError) in
      let commit = try made(byReset: delta, within: limits)
      reached()
      return commit
    }
  }

  private func made(
    byReset delta: some ListDelta<SectionID, ItemID>, within limits: DeltaLimits
  ) throws(DeltaError) -> Live.Commit? {
    var given = try delta.content(within: limits, kernels)
    var state = try delta.update.wholeState(kernels)
    try limits.check(sizeOf: state)
    if let unknown = state.unknown(of: given) { throw DeltaError(unknown) }
    given = try state.complete(given, since: live.snapshot)
    state.marks.rename(delta.update.renamedItems.filter { live.snapshot.containsItem($0.old) })
    return try carryOut { () throws(SnapshotError) in
      try live.apply(state, given, duplicates: .reject, keepingOutlines: false)
    }
  }

  /// Makes a revision that changes nothing, for an entry of a shared log that does not count.
  ///
  /// - Throws: ``DeltaError/finished``.
  func pass(to place: HistoryPlace) throws(DeltaError) {
    _ = try change(.animated, as: place) { () throws(DeltaError) in nil }
  }

  /// Makes a change that a delta decides.
  ///
  /// The delta is compared with the live state inside the change, so nothing changes in between.
  func change(
    _ presentation: Presentation, as place: HistoryPlace? = nil,
    _ kind: RevisionKind = .change(name: nil), accepted: [WriteID] = [],
    _ make: () throws(DeltaError) -> Live.Commit?
  ) throws(DeltaError) -> Revision {
    try open()
    return try transact(presentation, kind: kind, as: place) { () throws(DeltaError) in
      let commit = try make()
      return (commit ?? (place == nil && accepted.isEmpty ? nil : live.unchanged))?
        .accepting(accepted)
    }
  }

  private func open() throws(DeltaError) {
    do throws(DataSourceError) {
      try begin(ifRevision: nil, isCancellable: false)
    } catch .finished {
      throw .finished
    } catch {
      throw .misfit(reason: error.description)
    }
  }

  /// Changes the live state, where nothing but a delta can be at fault.
  func carryOut(
    _ edit: () throws(SnapshotError) -> Live.Commit?
  ) throws(DeltaError) -> Live.Commit? {
    do throws(SnapshotError) {
      return try edit()
    } catch {
      _ = refusing(.invalidSnapshot(error))
      throw DeltaError(error)
    }
  }
}

extension ListDelta {
  /// The models, if the delta and the list after it are not too large.
  fileprivate func content(
    within limits: DeltaLimits, _ kernels: SnapshotKernels
  ) throws(DeltaError) -> GivenContent<SectionID, ItemID> {
    try limits.check(elements: elementCount)
    guard let counts = update.frame.counts else {
      throw .misfit(reason: "it is a proposal, which only the owner of the list can accept")
    }
    try limits.check(listOf: counts.sections, items: counts.items)
    return try _content.given(kernels)
  }
}

extension Snapshot {
  /// Checks the models of a reset; sections without a model lose the one that they had.
  ///
  /// - Throws: ``DeltaError/missingModels(_:)`` if an item has none.
  /// - Complexity: O(n) for n items.
  fileprivate func complete(
    _ given: Given, since live: Snapshot
  ) throws(DeltaError) -> Given {
    guard kernels.models != nil else { return given }
    var missing: [AnyItemID] = []
    for index in 0..<numberOfSections {
      let items = outline(ofSectionAt: index)?.items ?? Array(items(inSectionAt: index))
      missing += items.filter { !given.hasModel(of: $0) }.map(AnyItemID.init)
    }
    guard missing.isEmpty else { throw .missingModels(missing) }
    var given = given
    for section in sectionIdentifiers
    where given.sections[section] == nil && live.content(ofSection: section) != nil {
      given.sections[section] = SectionContent()
    }
    return given
  }
}

extension UpdateDelta {
  /// The state that a reset holds, valid and with its lookup table.
  ///
  /// - Complexity: O(n) for n items.
  fileprivate func wholeState(
    _ kernels: SnapshotKernels
  ) throws(DeltaError) -> Snapshot<SectionID, ItemID> {
    guard difference.isEmpty, items.isEmpty, outlines.isEmpty else {
      throw .misfit(reason: "a reset has no difference")
    }
    var snapshot = Snapshot<SectionID, ItemID>(
      kernels, sections: sections.map { ($0.id, $0.rows) })
    guard snapshot.numberOfSections == frame.counts?.sections,
      snapshot.numberOfItems == frame.counts?.items
    else { throw .misfit(reason: "the counts of the reset are not those of its sections") }
    snapshot.resolve()
    do throws(SnapshotError) {
      try snapshot.validate()
    } catch {
      throw DeltaError(error)
    }
    return snapshot
  }
}

/// A change of the live state that is not published, and perhaps never will be.
extension SourceCore {
  /// What a commit on the latest state is for followers.
  ///
  /// - Parameter place: The place that it makes if it is published; `nil` for the next revision.
  func batch(
    of commit: Live.Commit, _ presentation: Presentation, at place: HistoryPlace? = nil
  ) -> UpdateBatch<SectionID, ItemID> {
    let base = latestPlace
    let place = place ?? HistoryPlace(revision: base.revision.next, digest: .none)
    var batch = UpdateBatch<SectionID, ItemID>(
      BatchStep(
        epoch: hub.epoch, base: base.revision, target: place.revision,
        difference: commit.difference, previousSnapshot: latest.base,
        snapshot: commit.state.snapshot, presentation: presentation, isFromSource: true,
        digests: (base.digest, place.digest)))
    batch.notes = commit.notes
    return batch
  }

  /// Goes back to the latest state, which the last change that was not made has left.
  func withdraw() {
    live.revert(to: latest)
  }
}

extension UpdateDelta {
  /// Checks every position of the delta, and the numbers of what comes with it, against the list.
  ///
  /// A few bytes can name more positions than memory can hold. So nothing goes through the elements
  /// of a range before this. Afterwards no range has more elements than the list before or after the
  /// change, and that has no more than the list before and the text of the delta.
  ///
  /// - Parameter old: The size of the list that the delta starts from.
  /// - Returns: The size of the list after the change, with sections that come with the delta as empty.
  /// - Complexity: O(c log c) for c changes or ranges of them.
  func checkPositions(
    in old: SnapshotDifference.Extent
  ) throws(DeltaError) -> SnapshotDifference.Extent {
    if let fault = difference.contradiction ?? difference.misplacedOldPosition(in: old) {
      throw .misfit(reason: fault)
    }
    try check(items.count, difference.itemInserts.count, "items")
    try check(sections.count, difference.sectionInserts.elementCount, "sections")
    try check(outlines.count, difference.outlineChanges.elementCount, "outlines")
    // Sections that stay have the same number of items on both sides.
    let whole =
      difference.isStructural ? PositionMap(difference.inverse).oldExtent(forNew: old) : old
    let brought = difference.sectionInserts
    let new = SnapshotDifference.Extent(sections: whole.sections) { index in
      brought.contains(index) ? 0 : whole.items(index)
    }
    if let fault = difference.misplacedNewPosition(in: new) { throw .misfit(reason: fault) }
    if let counts = frame.counts {
      try check(counts.sections, new.sections, "counted sections")
    }
    return new
  }

  func check(_ count: Int, _ expected: Int, _ words: String) throws(DeltaError) {
    guard count == expected else {
      throw .misfit(
        reason: "its number of \(words) is \(count), but its difference needs \(expected)")
    }
  }
}
