/// A list of another process, built from the deltas that have arrived from there.
///
/// ```swift
/// var list = FollowedList<String, Int>()
/// for line in lines {
///   let batch = try list.apply(decode(line))
///   show(batch)
/// }
/// ```
///
/// A delta either fits or is rejected. A rejected delta changes nothing. Request the whole state
/// then: the next delta is a reset, which always fits.
///
/// Invariants:
/// 1. No identifier appears twice in the list.
/// 2. The state has its lookup table, and no marks.
public struct FollowedList<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The name of the current state, to resume after it; `nil` before the first delta.
  public internal(set) var token: ResumeToken?
  /// How large a delta and the list may be.
  public let limits: DeltaLimits
  /// The list, with the lookup table that it keeps from delta to delta.
  var state: Snapshot<SectionID, ItemID>

  /// The list.
  ///
  /// - Complexity: O(1).
  public var snapshot: Snapshot<SectionID, ItemID> { state.detached }

  /// Creates an empty list that waits for its first delta.
  ///
  /// - Parameter limits: How large a delta and the list may be.
  @inlinable public init(limits: DeltaLimits = DeltaLimits()) {
    self.init(limits: limits, empty: Snapshot())
  }

  @usableFromInline init(limits: DeltaLimits, empty: Snapshot<SectionID, ItemID>) {
    self.limits = limits
    state = empty
    state.resolve()
  }

  /// Moves the list to the target state of a delta.
  ///
  /// - Returns: The same change as a batch, for renderers in this process.
  /// - Throws: ``DeltaError`` if the delta starts from another state, contradicts itself or the
  ///   list, or is too large. Nothing changes then.
  /// - Complexity: O(c · log n) for c changes among n items, including the items of inserted and
  ///   deleted sections, given good hashes. O(m) more for a list of m items that becomes an outline
  ///   or was one, and O(n) for a reset.
  @discardableResult
  public mutating func apply(
    _ delta: UpdateDelta<SectionID, ItemID>
  ) throws(DeltaError) -> UpdateBatch<SectionID, ItemID> {
    try commit(plan(delta), delta)
  }

  /// How to apply a delta, once everything has been checked.
  enum Plan {
    /// Another state in place of the current one.
    case reset(Snapshot<SectionID, ItemID>)
    case change(DeltaPlan<SectionID, ItemID>)
  }

  /// Checks a delta.
  func plan(_ delta: UpdateDelta<SectionID, ItemID>) throws(DeltaError) -> Plan {
    guard let target = delta.target.parts else {
      throw .misfit(reason: "“\(delta.target)” is not a token")
    }
    try limits.check(elements: delta.elementCount)
    try limits.check(listOf: delta.counts.sections, items: delta.counts.items)
    guard let baseToken = delta.base else { return .reset(try wholeState(of: delta)) }
    guard baseToken == token else { throw .wrongBase(expected: token, found: baseToken) }
    guard let base = baseToken.parts, base.epoch == target.epoch, base.revision <= target.revision
    else { throw .misfit(reason: "the target is older than the base, or of another list") }
    return .change(try DeltaPlan(delta, on: state))
  }

  /// Replaces the state as planned.
  ///
  /// - Parameter given: The models of the delta.
  mutating func commit(
    _ plan: Plan, _ delta: UpdateDelta<SectionID, ItemID>,
    _ given: GivenContent<SectionID, ItemID> = GivenContent()
  ) throws(DeltaError) -> UpdateBatch<SectionID, ItemID> {
    guard let target = delta.target.parts else {
      throw .misfit(reason: "“\(delta.target)” is not a token")
    }
    var previous: Snapshot<SectionID, ItemID>?
    switch plan {
    case .reset(let snapshot):
      state = snapshot.filled(with: given, state.kernels).snapshot
    case .change(let plan):
      let old = state.detached
      previous = old
      do throws(SnapshotError) {
        try plan.apply(to: &state)
      } catch {
        // Only identifiers that break the laws of `Hashable` are not found again.
        state = old
        state.resolve()
        throw DeltaError(error)
      }
      state.takeModels(of: old, given: given)
    }
    token = delta.target
    return UpdateBatch(
      epoch: target.epoch, base: delta.base?.parts?.revision, target: target.revision,
      difference: delta.difference, previousSnapshot: previous, snapshot: state.detached,
      presentation: delta.presentation, renamedItems: delta.renamedItems,
      droppedItems: delta.droppedItems, droppedSections: delta.droppedSections)
  }

  private func wholeState(
    of delta: UpdateDelta<SectionID, ItemID>
  ) throws(DeltaError) -> Snapshot<SectionID, ItemID> {
    guard delta.difference.isEmpty, delta.items.isEmpty, delta.outlines.isEmpty else {
      throw .misfit(reason: "a reset has no difference")
    }
    var snapshot = Snapshot<SectionID, ItemID>(
      state.kernels,
      sections: delta.sections.map { section in
        switch section.rows {
        case .list(let items): (section.id, .list(items))
        case .outline(let outline): (section.id, .outline(outline))
        }
      })
    guard snapshot.numberOfSections == delta.counts.sections,
      snapshot.numberOfItems == delta.counts.items
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
