import Diffable

/// The list of one participant, without its actor and without the log.
///
/// Readers see the confirmed state: what the entries of the log have made. The live state may be
/// ahead of it by proposals, which share one append. The next entry of the log decides on all of them:
/// if it is the first proposal, they become the confirmed state. If it is the entry of another
/// participant, they are withdrawn, and their writers try again on the new state.
///
/// So a write that the log has accepted is never lost, and no write happens twice, whatever happens to
/// the answers of the log. Entries are offered after one revision only. They can be in the log there,
/// or not at all, and every reader of the log sees which.
///
/// It is a class for the same reason as ``SourceCore``: edits, observers and coders of the user run
/// inside its functions, and may read the state through `assumeIsolated`.
///
/// Invariants:
/// 1. The revision of the core is the number of entries that made the confirmed state.
/// 2. The live state is the confirmed state, changed by the proposals, one after another.
/// 3. The proposals are the changes that the core has not published.
final class ReplicatedList<Batch: DeltaBatch> {
  typealias SectionID = Batch.SectionID
  typealias ItemID = Batch.ItemID
  typealias Core = SourceCore<SectionID, ItemID>

  let core: Core
  let limits: DeltaLimits
  let coder: DeltaCoder<Batch.Delta>
  /// The name of the participant, by which it recognizes its entries later.
  let author: String?
  /// The changes that ask for the next places in the log.
  private(set) var proposals: [OwnChange<SectionID, ItemID>] = []
  /// The first of the proposals of this participant that the log has accepted last.
  private var confirmed: WriteID?
  /// The first of the last proposals on which a dropped entry decided.
  ///
  /// The log dropped it before this participant saw it.
  var dropped: WriteID?
  /// The last place of which it was found out that the log has it, see ``ReplicationError/forked(_:)``.
  var proven: HistoryPlace?
  /// The last revision that another participant has made.
  var lastForeign = Revision.empty
  /// What was skipped and not reported yet.
  var skipped: [ReplicationError] = []

  init(_ core: Core, limits: DeltaLimits, coder: DeltaCoder<Batch.Delta>, author: String? = nil) {
    (self.core, self.limits, self.coder, self.author) = (core, limits, coder, author)
  }

  /// The revision of the confirmed state.
  var revision: Revision { core.revision }
  var place: HistoryPlace { core.place }

  // MARK: Writing

  /// Changes the live state after the other proposals, and makes the entry that asks for it.
  ///
  /// - Returns: The entry, or `nil` if nothing changed; and what the function returned.
  /// - Throws: What the change throws, what the encoder throws, and
  ///   ``ReplicationError/rejected(reason:)`` if the change is larger than the limits. Nothing has
  ///   changed then, and the other proposals stay.
  func propose<Result>(
    _ id: WriteID, ifRevision expected: Revision?, _ presentation: Presentation,
    _ change: Core.Change<Result>
  ) throws -> (entry: LogEntry?, result: Result) {
    let (made, result) = try core.propose(id, ifRevision: expected, presentation, change)
    guard let made else { return (nil, result) }
    do {
      let change = made.change
      let delta = Batch(core.batch(of: change.commit, made.presentation, at: change.place)).delta
      let bytes = try coder.encode(delta)
      // Others would reject it, and everybody would stop there.
      try limits.check(bytes)
      // Each element takes a byte at least.
      if bytes.count > limits.elementCount { try limits.check(elements: delta.elementCount) }
      proposals.append(made)
      core.unpublished.append(change)
      let kind = LogEntry.Kind(made.kind)
      return (LogEntry(id: id, delta: bytes, author: author, kind: kind), result)
    } catch {
      core.withdraw()
      guard let tooLarge = error as? DeltaError else { throw error }
      throw ReplicationError.rejected(reason: tooLarge.fault)
    }
  }

  /// Takes over the answer that the proposals are in the log.
  ///
  /// - Parameter first: The first of them.
  func accept(_ first: WriteID) {
    guard proposals.first?.id == first else { return }
    let accepted = proposals
    (proposals, confirmed) = ([], first)
    for proposal in accepted { core.publish(proposal) }
    _checkInvariants()
  }

  /// Gives up the proposals, unless an entry of the log has decided already.
  ///
  /// - Parameter first: The first of them.
  func withdraw(_ first: WriteID) {
    guard proposals.first?.id == first else { return }
    proposals = []
    core.withdrawAll()
    _checkInvariants()
  }

  /// Gives up the last proposal, which was not offered.
  func withdrawLast() {
    guard proposals.popLast() != nil else { return }
    core.unpublished.removeLast()
    core.withdraw()
  }

  /// What the entries that were received say about proposals.
  ///
  /// - Parameter first: The first of them.
  func decision(on first: WriteID) -> Offer.Decision {
    if confirmed == first { return .next }
    if proposals.first?.id == first { return .open }
    return dropped == first ? .dropped : .lost
  }

  /// Checks what every event must leave in order.
  func _checkInvariants() {
    #if InternalChecks
    precondition(
      proposals.map(\.change.place) == core.unpublished.map(\.place),
      "the core knows of other proposals")
    precondition(
      core.live.snapshot == core.latest, "the live state is not that of the last proposal")
    #endif
  }
}

/// How deltas become bytes and back; this package has no JSON coder of its own.
struct DeltaCoder<Delta: ListDelta>: Sendable {
  let encode: @Sendable (Delta) throws -> [UInt8]
  let decode: @Sendable ([UInt8]) throws -> Delta

  func read(_ bytes: [UInt8], _ limits: DeltaLimits) throws(DeltaError) -> Delta {
    try Delta.read(bytes, limits: limits, decode: decode)
  }
}
