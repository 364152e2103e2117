import Diffable

/// The list of one participant, without its actor and without the log.
///
/// Readers see the confirmed state: what the entries of the log have made. The live state may be
/// ahead of it by one proposal. The next entry of the log decides: if it is the proposal, the proposal
/// becomes the confirmed state. If it is the entry of another participant, the proposal is withdrawn,
/// and its writer tries again on the new state.
///
/// So a write that the log has accepted is never lost, and no write happens twice, whatever happens to
/// the answers of the log. An entry is offered after one revision only. It can be in the log there, or
/// not at all, and every reader of the log sees which.
///
/// It is a class for the same reason as ``SourceCore``: edits, observers and coders of the user run
/// inside its functions, and may read the state through `assumeIsolated`.
///
/// Invariants:
/// 1. The revision of the core is the number of entries that made the confirmed state.
/// 2. The live state is the confirmed state, changed by the proposal if there is one.
final class ReplicatedList<Batch: DeltaBatch> {
  typealias SectionID = Batch.SectionID
  typealias ItemID = Batch.ItemID
  typealias Core = SourceCore<SectionID, ItemID>

  let core: Core
  let limits: DeltaLimits
  let coder: DeltaCoder<Batch.Delta>
  /// The name of the participant, by which it recognizes its entries later.
  let author: String?
  var proposal: OwnChange<SectionID, ItemID>?
  /// The last write of this participant that is in the log, and the revision that it made.
  private var confirmed: (id: WriteID, revision: Revision)?
  /// The last write that the log dropped before this participant saw which entry decided on it.
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

  /// Changes the live state, and makes the entry that asks for it.
  ///
  /// - Returns: The entry, or `nil` if nothing changed; and what the function returned.
  /// - Throws: What the change throws, what the encoder throws, and
  ///   ``ReplicationError/rejected(reason:)`` if the change is larger than the limits. Nothing has
  ///   changed then.
  func propose<Result>(
    _ id: WriteID, ifRevision expected: Revision?, _ presentation: Presentation,
    _ change: Core.Change<Result>
  ) throws -> (entry: LogEntry?, result: Result) {
    precondition(proposal == nil, "A participant has one proposal at a time")
    let (made, result) = try core.propose(id, ifRevision: expected, presentation, change)
    guard let made else { return (nil, result) }
    do {
      let delta = Batch(core.batch(of: made)).delta
      let bytes = try coder.encode(delta)
      // Others would reject it, and everybody would stop there.
      try limits.check(bytes)
      // Each element takes a byte at least.
      if bytes.count > limits.elementCount { try limits.check(elements: delta.elementCount) }
      proposal = made
      let kind = LogEntry.Kind(made.kind)
      return (LogEntry(id: id, delta: bytes, author: author, kind: kind), result)
    } catch {
      core.withdraw()
      guard let tooLarge = error as? DeltaError else { throw error }
      throw ReplicationError.rejected(reason: tooLarge.fault)
    }
  }

  /// Takes over the answer that a write is in the log.
  func accept(_ id: WriteID) {
    guard let accepted = proposal, accepted.id == id else { return }
    proposal = nil
    confirmed = (id, core.publish(accepted))
    _checkInvariants()
  }

  /// Gives up a write, unless an entry of the log has decided already.
  func withdraw(_ id: WriteID) {
    guard proposal?.id == id else { return }
    proposal = nil
    core.withdraw()
    _checkInvariants()
  }

  /// What the entries that were received say about a write.
  func decision(on id: WriteID) -> Offer.Decision {
    if confirmed?.id == id { return .next }
    if proposal?.id == id { return .open }
    return dropped == id ? .dropped : .lost
  }

  /// Checks what every event must leave in order.
  func _checkInvariants() {
    #if InternalChecks
    guard proposal == nil else { return }
    precondition(
      core.live.snapshot == core.snapshot, "the live state is ahead although there is no proposal")
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
