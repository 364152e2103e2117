/// The state of a mirror, without its actor.
///
/// A delta is checked as a whole before anything is changed. It only says how to get to the new state:
/// the difference is found by comparing the two states.
///
/// Invariants:
/// 1. No identifier appears twice in the list, and in a list of models each item has one.
/// 2. `held` names the state of the list in the other process.
struct MirroredList<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Live = LiveState<SectionID, ItemID>
  typealias Marks = Snapshot<SectionID, ItemID>.Marks

  let core: SourceCore<SectionID, ItemID>
  /// How large a delta and the list may be.
  let limits: DeltaLimits
  /// The token of the current state; `nil` before the first delta.
  private(set) var held: ResumeToken?
  /// Whether the last delta was rejected.
  private var wantsReset = false

  /// The token to resume from in the other process; `nil` requests a reset.
  var token: ResumeToken? { wantsReset ? nil : held }

  var snapshot: Snapshot<SectionID, ItemID> { core.snapshot }

  init(_ core: SourceCore<SectionID, ItemID>, limits: DeltaLimits) {
    (self.core, self.limits) = (core, limits)
  }

  /// Reads a delta and applies it.
  ///
  /// - Returns: The revision that has the new state: a new one, or the live one if nothing changed.
  /// - Throws: ``DeltaError``. Then the list is unchanged, and a reset is requested.
  mutating func apply<Delta: ListDelta<SectionID, ItemID>>(
    _ read: () throws(DeltaError) -> Delta
  ) throws(DeltaError) -> Revision {
    guard !core.isFinished else { throw .finished }
    wantsReset = true
    let delta = try read()
    let revision = try follow(delta)
    (held, wantsReset) = (delta.target, false)
    return revision
  }

  private func follow(_ delta: some ListDelta<SectionID, ItemID>) throws(DeltaError) -> Revision {
    let update = delta.update
    guard let target = update.target.parts else {
      throw .misfit(reason: "“\(update.target)” is not a token")
    }
    try limits.check(elements: delta.elementCount)
    try limits.check(listOf: update.counts.sections, items: update.counts.items)
    let given = try delta.content.given(core.kernels)
    guard let baseToken = update.base else { return try replace(by: update, given) }
    guard baseToken == held else { throw .wrongBase(expected: held, found: baseToken) }
    guard let base = baseToken.parts, base.epoch == target.epoch, base.revision <= target.revision
    else { throw .misfit(reason: "the target is older than the base, or of another list") }
    let plan = try DeltaPlan(update, on: core.live.snapshot)
    return try change(update.presentation) { live throws(SnapshotError) in
      try plan.carryOut(given, &live)
    }
  }

  /// Applies a reset; subscribers receive the difference from the state before.
  private func replace(
    by delta: UpdateDelta<SectionID, ItemID>, _ given: Live.Given
  ) throws(DeltaError) -> Revision {
    var state = try delta.wholeState(core.kernels)
    if let unknown = state.unknown(of: given) { throw DeltaError(unknown) }
    let given = try state.complete(given, since: core.live.snapshot)
    state.marks.rename(delta.renamedItems.filter { core.live.snapshot.containsItem($0.old) })
    // A reset after a reconnection does not say how to show the changes in between.
    let presentation = core.revision == .empty ? delta.presentation : .animated
    return try change(presentation) { live throws(SnapshotError) in
      try live.apply(state, given, duplicates: .reject, keepingOutlines: false)
    }
  }

  private func change(
    _ presentation: Presentation, _ change: (inout Live) throws(SnapshotError) -> Live.Commit?
  ) throws(DeltaError) -> Revision {
    do throws(DataSourceError) {
      return try core.change(presentation: presentation, isCancellable: false, change)
    } catch .invalidSnapshot(let error) {
      throw DeltaError(error)
    } catch .finished {
      throw .finished
    } catch {
      throw .misfit(reason: error.description)
    }
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
      kernels,
      sections: sections.map { section in
        switch section.rows {
        case .list(let items): (section.id, .list(items))
        case .outline(let outline): (section.id, .outline(outline))
        }
      })
    guard snapshot.numberOfSections == counts.sections, snapshot.numberOfItems == counts.items
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
