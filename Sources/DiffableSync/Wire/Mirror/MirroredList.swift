import Diffable

/// The state of a mirror, without its actor.
///
/// A delta is checked as a whole before anything is changed. It only says how to get to the new state:
/// the difference is found by comparing the two states.
///
/// The answer to a proposal can bring the list further than its stream. From then on, the states are held that
/// the stream may go on from: where it is, and those that the list has had since, as a new connection begins at
/// one of them. That ends when the stream has come to the list or beyond. A delta that leads to a state that the list has had is skipped, wherever it starts: it is
/// late, or comes twice.
///
/// It is a class for the same reason as ``SourceCore``: decoders and observers of the user run inside
/// its functions, and may read the state through `assumeIsolated`.
///
/// Invariants:
/// 1. No identifier appears twice in the list, and in a list of models each item has one.
/// 2. `held` names the state of the list in the other process.
/// 3. `earlier` are states before the list, of the same epoch, each later than the one before it.
final class MirroredList<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Live = LiveState<SectionID, ItemID>

  let core: SourceCore<SectionID, ItemID>
  /// How large a delta and the list may be.
  let limits: DeltaLimits
  /// The token of the current state; `nil` before the first delta.
  private(set) var held: ResumeToken?
  /// Where the stream is, and the states of the list since, if an answer has brought it further.
  private var earlier: [EarlierState] = []
  /// As many of them are held; from another one a stream begins again.
  private static var earlierLimit: Int { 32 }

  /// A state of the list, or one between two of them.
  struct EarlierState {
    let token: ResumeToken
    let snapshot: Snapshot<SectionID, ItemID>
    /// The last revision of the list that is not later.
    let revision: Revision

    func isLater(than other: EarlierState) -> Bool {
      guard let own = token.parts, let other = other.token.parts else { return false }
      return own.epoch == other.epoch && own.place.revision > other.place.revision
    }
  }

  /// The state of the list; `nil` before the first delta.
  var state: EarlierState? {
    held.map { EarlierState(token: $0, snapshot: snapshot, revision: core.revision) }
  }

  /// Whether the last delta was rejected.
  private var wantsReset = false

  /// The token to resume from in the other process; `nil` requests a reset.
  var token: ResumeToken? { wantsReset ? nil : held }

  var snapshot: Snapshot<SectionID, ItemID> { core.snapshot }

  init(_ core: SourceCore<SectionID, ItemID>, limits: DeltaLimits) {
    (self.core, self.limits) = (core, limits)
  }

  /// Reads a delta and applies it, unless the list has its changes already.
  ///
  /// - Returns: The revision that has the new state: a new one, or the live one if nothing changed.
  /// - Throws: ``DeltaError``. Then the list is unchanged, and a reset is requested.
  func apply<Delta: ListDelta<SectionID, ItemID>>(
    _ read: () throws(DeltaError) -> Delta
  ) throws(DeltaError) -> Revision {
    guard !core.isFinished else { throw .finished }
    do throws(DeltaError) {
      return try follow(read())
    } catch {
      wantsReset = true
      throw error
    }
  }

  private func follow(_ delta: some ListDelta<SectionID, ItemID>) throws(DeltaError) -> Revision {
    let update = delta.update
    guard let target = update.target.parts else {
      throw .misfit(reason: "“\(update.target)” is not a token")
    }
    guard let baseToken = update.base else { return try begin(with: delta) }
    let index = earlier.lastIndex { $0.token == baseToken }
    let isNext = baseToken == held || index != nil
    guard isNext || has(update.target) else {
      throw .wrongBase(expected: held, found: baseToken)
    }
    guard let base = baseToken.parts, base.epoch == target.epoch,
      base.place.revision <= target.place.revision
    else { throw .misfit(reason: "the target is older than the base, or of another list") }
    // It is late, or has come twice.
    guard isNext else { return core.revision }
    guard let index, baseToken != held else {
      // The stream goes on from the list itself.
      return try core.advance(by: delta, within: limits) { [self] in reach(update.target) }
    }
    if update.target == held {
      reach(update.target)
      return core.revision
    }
    let stream = earlier[index]
    if has(update.target) {
      let state = try core.state(after: delta, from: stream.snapshot, within: limits)
      lag(EarlierState(token: update.target, snapshot: state, revision: stream.revision))
      return core.revision
    }
    return try core.advance(
      by: delta, from: stream.snapshot, since: stream.revision, within: limits
    ) { [self] in reach(update.target) }
  }

  /// Applies a reset.
  ///
  /// If an answer has brought the list further, only the stream begins with it.
  private func begin(with delta: some ListDelta<SectionID, ItemID>) throws(DeltaError) -> Revision {
    let token = delta.target
    if let stream = earlier.first, token != held, has(token) {
      let state = try core.state(ofReset: delta, within: limits)
      lag(EarlierState(token: token, snapshot: state, revision: stream.revision))
      return core.revision
    }
    return try core.replace(by: delta, within: limits) { [self] in reach(token) }
  }

  /// Whether the list has a state, or has had it.
  private func has(_ token: ResumeToken) -> Bool {
    guard token != held else { return true }
    guard let shown = held?.parts, let other = token.parts else { return false }
    return shown.epoch == other.epoch && other.place.revision < shown.place.revision
  }

  /// Records that the list and its stream have come to a state.
  private func reach(_ token: ResumeToken) { (held, earlier, wantsReset) = (token, [], false) }

  /// Records that the stream has come to a state before the list.
  private func lag(_ state: EarlierState) {
    earlier.removeAll { !$0.isLater(than: state) }
    earlier.insert(state, at: 0)
    wantsReset = false
    _checkInvariants()
  }

  /// Brings the list to where an answer leads, unless it is there already.
  ///
  /// - Parameters:
  ///   - delta: What the answer says. It starts from an earlier state of the list, or from the list.
  ///   - base: The state that it starts from.
  /// - Throws: ``DeltaError`` if it does not fit. Then the list is unchanged.
  func advance(
    by delta: some ListDelta<SectionID, ItemID>, from base: EarlierState
  ) throws(DeltaError) {
    guard delta.base == base.token else {
      throw .wrongBase(expected: base.token, found: delta.base)
    }
    guard let shown = held?.parts, let target = delta.target.parts, target.epoch == shown.epoch,
      target.place.revision > shown.place.revision
    else { return }
    let before = state
    _ = try core.advance(
      by: delta, from: base.snapshot, since: base.revision, within: limits
    ) { [self] in
      held = delta.target
      if let before { earlier.append(before) }
      if earlier.count > Self.earlierLimit { earlier.remove(at: 1) }
      _checkInvariants()
    }
  }

  private func _checkInvariants() {
    #if InternalChecks
    for (state, next) in zip(earlier, earlier.dropFirst() + [state].compactMap(\.self)) {
      precondition(next.isLater(than: state), "3: the states that a stream may be at are in order")
    }
    #endif
  }
}
