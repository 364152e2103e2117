import Diffable

/// The state of a mirror, without its actor.
///
/// A delta is checked as a whole before anything is changed. It only says how to get to the new state:
/// the difference is found by comparing the two states.
///
/// It is a class for the same reason as ``SourceCore``: decoders and observers of the user run inside
/// its functions, and may read the state through `assumeIsolated`.
///
/// Invariants:
/// 1. No identifier appears twice in the list, and in a list of models each item has one.
/// 2. `held` names the state of the list in the other process.
final class MirroredList<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Live = LiveState<SectionID, ItemID>

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
  func apply<Delta: ListDelta<SectionID, ItemID>>(
    _ read: () throws(DeltaError) -> Delta
  ) throws(DeltaError) -> Revision {
    guard !core.isFinished else { throw .finished }
    do throws(DeltaError) {
      let delta = try read()
      return try follow(delta) { [self] in (held, wantsReset) = (delta.target, false) }
    } catch {
      wantsReset = true
      throw error
    }
  }

  /// - Parameter reached: Called when the list has the new state, before subscribers receive it.
  private func follow(
    _ delta: some ListDelta<SectionID, ItemID>, _ reached: () -> Void
  ) throws(DeltaError) -> Revision {
    let update = delta.update
    guard let target = update.target.parts else {
      throw .misfit(reason: "“\(update.target)” is not a token")
    }
    guard let baseToken = update.base else {
      return try core.replace(by: delta, within: limits, reached)
    }
    guard baseToken == held else { throw .wrongBase(expected: held, found: baseToken) }
    guard let base = baseToken.parts, base.epoch == target.epoch,
      base.place.revision <= target.place.revision
    else { throw .misfit(reason: "the target is older than the base, or of another list") }
    return try core.advance(by: delta, within: limits, reached)
  }
}
