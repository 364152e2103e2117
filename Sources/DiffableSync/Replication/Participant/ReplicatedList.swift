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
  private var proposals: [UnpublishedChange] { core.unpublished }
  /// The first of the proposals of this participant that the log has accepted last.
  private var confirmed: WriteID?
  /// The first of the last proposals on which a dropped entry decided.
  ///
  /// The log dropped it before this participant saw it.
  var dropped: WriteID?
  /// The last place of which it was found out that the log has it, see ``ReplicationError/forked(_:)``.
  var proven: HistoryPlace?
  /// How the participant takes turns with others.
  var contention: Contention
  /// The time since the list was opened.
  let elapsed: Stopwatch
  /// What was skipped and not reported yet.
  var skipped: [ReplicationError] = []

  init(
    _ core: Core, limits: DeltaLimits, coder: DeltaCoder<Batch.Delta>, author: String? = nil,
    longestPause: Duration = .zero
  ) {
    (self.core, self.limits, self.coder, self.author) = (core, limits, coder, author)
    contention = Contention(participant: .random(in: .min ... .max), longestPause: longestPause)
    elapsed = core.hub.startTimer()
  }

  /// Makes a name for an own write.
  func makeWriteID() -> WriteID {
    // A generator of our own would be quicker, but a participant whose memory is copied would use names twice.
    var random = SystemRandomNumberGenerator()
    return WriteID(of: contention.participant, using: &random)
  }

  /// The revision of the confirmed state.
  var revision: Revision { core.revision }
  var place: HistoryPlace { core.place }

  // MARK: Writing

  /// Changes the live state after the other proposals, and makes the entry that asks for it.
  ///
  /// - Parameters:
  ///   - expected: The revision that the latest state must have.
  ///   - change: Makes one commit, and says what it does to the undo history and what to return.
  ///   - tooLarge: What to return instead if the change or the list is larger than the limits; by default, that is
  ///     ``ReplicationError/rejected(reason:)``.
  /// - Returns: The entry, or `nil` if nothing changed; and what the function returned.
  /// - Throws: What the functions throw, and what the encoder throws. Nothing has changed then, and the other
  ///   proposals stay.
  func propose<Result>(
    _ id: WriteID, ifRevision expected: Revision?, _ presentation: Presentation,
    _ change: (Core) throws -> (commit: Core.Live.Commit?, kind: RevisionKind, result: Result),
    tooLarge: (DeltaError) throws -> Result = { throw ReplicationError.rejected(reason: $0.fault) }
  ) throws -> (entry: LogEntry?, result: Result) {
    try core.begin(ifRevision: expected)
    let elapsed = core.hub.startTimer()
    let (commit, kind, result): (Core.Live.Commit?, RevisionKind, Result)
    do {
      (commit, kind, result) = try change(core)
    } catch {
      core.abandon(error as? DataSourceError)
      throw error
    }
    let duration = elapsed()
    guard let commit else {
      core.end(nil, presentation, kind: kind, duration: duration)
      return (nil, result)
    }
    core.isWriting = false
    let made = UnpublishedChange(
      id: id, state: commit.state, notes: commit.notes, place: core.latestPlace.next(id),
      presentation: presentation, kind: kind, duration: duration)
    do {
      let delta = Batch(core.batch(of: commit, presentation, at: made.place)).delta
      let bytes = try coder.encode(delta)
      // Others would reject it, and everybody would stop there.
      try limits.check(delta, written: bytes, leadingTo: commit.snapshot)
      core.unpublished.append(made)
      return (LogEntry(id: id, delta: bytes, author: author, kind: .init(kind)), result)
    } catch {
      goBack()
      guard let fault = error as? DeltaError else { throw error }
      return (nil, try tooLarge(fault))
    }
  }

  /// Takes over the answer that the proposals are in the log.
  ///
  /// - Parameter first: The first of them.
  func accept(_ first: WriteID) {
    guard proposals.first?.id == first, let last = proposals.last?.id else { return }
    confirmed = first
    // A source that has ended meanwhile keeps the state that its subscribers have.
    for change in core.unpublished where !core.isClosed {
      core.end(
        .init(change), change.presentation, kind: change.kind, duration: change.duration,
        as: change.place)
    }
    core.unpublished.removeAll(keepingCapacity: true)
    if core.isClosed { core.withdraw() }
    contention.received(last, at: elapsed())
    _checkInvariants()
  }

  /// Gives up the proposals, unless an entry of the log has decided already.
  ///
  /// - Parameter first: The first of them.
  func withdraw(_ first: WriteID) {
    guard proposals.first?.id == first else { return }
    core.unpublished = []
    goBack()
    _checkInvariants()
  }

  /// Gives up the last proposal, which was not offered.
  func withdrawLast() {
    guard core.unpublished.popLast() != nil else { return }
    goBack()
  }

  /// Goes back to the state that the other proposals leave.
  ///
  /// An edit may have ended the source, which takes effect after its change.
  private func goBack() {
    core.withdraw()
    if core.isFinished { core.finish() }
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
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    precondition(
      core.live.snapshot == core.latest, "the live state is not that of the last proposal")
    #endif
  }
}

extension DeltaLimits {
  /// Checks that a participant with these limits can read a delta, and can hold the list after it.
  ///
  /// - Complexity: O(b) for b bytes.
  func check<SectionID, ItemID>(
    _ delta: some ListDelta<SectionID, ItemID>, written text: [UInt8],
    leadingTo list: Snapshot<SectionID, ItemID>
  ) throws(DeltaError) {
    try check(text)
    // Each element takes a byte at least.
    if text.count > elementCount { try check(elements: delta.elementCount) }
    try check(sizeOf: list)
  }
}

/// How deltas become bytes and back; this package has no JSON coder of its own.
struct DeltaCoder<Delta: ListDelta>: Sendable {
  let encode: @Sendable (Delta) throws -> [UInt8]
  let decode: @Sendable ([UInt8]) throws -> Delta

  func read(_ bytes: [UInt8], _ limits: DeltaLimits) throws(DeltaError) -> Delta {
    try Delta.read(bytes, limits: limits, decode: decode)
  }

  /// Reads a stored state.
  ///
  /// - Throws: ``DeltaError``, also if it is not the state of its revision.
  func read(
    _ state: StoredState, in epoch: Epoch, _ limits: DeltaLimits
  ) throws(DeltaError) -> (reset: Delta, place: HistoryPlace) {
    guard state.revision.isOfLog else {
      throw .misfit(reason: "no log can have \(state.revision)")
    }
    let reset = try read(state.reset, limits)
    guard reset.isReset, let target = reset.target.parts, target.epoch == epoch,
      target.place.revision == state.revision
    else { throw .misfit(reason: "it is not the state of \(state.revision)") }
    return (reset, target.place)
  }
}

extension ReplicatedList {
  /// Applies the entries after a revision; those that were applied already are ignored.
  ///
  /// - Throws: ``ReplicationError/unreadableEntry(_:_:)``, and ``ReplicationError/forked(_:)`` if an
  ///   entry was made on another history than that of this participant. The entries before it are
  ///   applied. To find out which of the two the log has, see ``prove(_:)``.
  func receive(
    _ entries: [LogEntry], after base: Revision
  ) throws(ReplicationError) {
    guard base.isOfLog else { return }
    var (next, foreign) = (base.next, WriteID?.none)
    defer { if let foreign { contention.received(foreign, at: elapsed()) } }
    for entry in entries {
      defer { next = next.next }
      guard next > revision else { continue }
      guard next == revision.next else { return }
      if let first = proposals.first?.id {
        if first == entry.id {
          // The log has all of them or none.
          accept(first)
          continue
        }
        withdraw(first)
      }
      let isFollowed: Bool
      do throws(DeltaError) {
        isFollowed = try follow(entry)
      } catch {
        guard error != .finished else { return }
        throw .unreadableEntry(next, error)
      }
      guard isFollowed else { throw .forked(revision) }
      if let foreign, foreign.participant != entry.id.participant {
        contention.received(foreign, at: elapsed())
      }
      foreign = entry.id
      if entry.id.participant == contention.participant {
        // Two that have one number would both have its turn, and the one farther from the log would lose.
        contention.participant = .random(in: .min ... .max)
      }
      _checkInvariants()
    }
  }

  /// Applies the entry of another participant.
  ///
  /// - Returns: `false` if it was made on another history, and it is not known whose is that of the log.
  private func follow(_ entry: LogEntry) throws(DeltaError) -> Bool {
    let next = place.next(entry.id)
    guard !entry.delta.isEmpty else {
      try skip(next, "no participant has written it")
      return true
    }
    let delta = try coder.read(entry.delta, limits)
    guard delta.base == token(of: place) else {
      // If the lost history had another number of entries here, its revisions have other numbers, too.
      guard let base = delta.base?.parts, base.epoch == core.hub.epoch else {
        throw .wrongBase(expected: token(of: place), found: delta.base)
      }
      guard proven == place else { return false }
      try skip(next, "it was made on entries that the log has lost")
      return true
    }
    guard delta.target == token(of: next) else {
      throw .misfit(reason: "it leads to another revision than the next one")
    }
    // Undo is for the changes of its author.
    let isOwn = author != nil && entry.author == author
    let kind = isOwn ? RevisionKind(entry.kind) : .change(name: nil)
    _ = try core.advance(by: delta, within: limits, as: next, kind: kind)
    return true
  }

  private func token(of place: HistoryPlace) -> ResumeToken {
    ResumeToken(epoch: core.hub.epoch, place: place)
  }

  /// Makes a revision that changes nothing.
  private func skip(_ next: HistoryPlace, _ reason: String) throws(DeltaError) {
    try core.pass(to: next)
    skipped.append(.skippedEntry(next.revision, reason: reason))
  }

  /// Continues from a stored state, if it is newer.
  ///
  /// - Throws: ``ReplicationError/unreadableState(_:_:)``. Nothing changes then.
  func jump(to state: StoredState) throws(ReplicationError) {
    guard state.revision > revision else { return }
    do throws(DeltaError) {
      let (reset, reached) = try coder.read(state, in: core.hub.epoch, limits)
      // The entry that decides on proposals may be among those that were dropped.
      if let open = proposals.first?.id {
        withdraw(open)
        dropped = open
      }
      _ = try core.replace(by: reset, within: limits, as: reached)
    } catch {
      guard error != .finished else { return }
      throw .unreadableState(state.revision, error)
    }
    _checkInvariants()
  }

  /// Checks that a stored state can be read, without continuing from it.
  ///
  /// - Throws: ``ReplicationError/unreadableState(_:_:)``.
  func check(_ state: StoredState) throws(ReplicationError) {
    do throws(DeltaError) {
      _ = try coder.read(state, in: core.hub.epoch, limits)
    } catch {
      throw .unreadableState(state.revision, error)
    }
  }

  /// What was skipped since the last call.
  func takeSkipped() -> [ReplicationError] {
    defer { skipped = [] }
    return skipped
  }

  // MARK: Forks

  /// Takes over what the log has at the revision of this participant.
  ///
  /// If it is the place of this participant, entries that were made on another one are skipped from now
  /// on. All participants do so, since all of them read the same log.
  ///
  /// - Throws: ``ReplicationError/forked(_:)`` if it is another place, or unknown.
  func prove(_ found: HistoryPlace?) throws(ReplicationError) {
    guard let found, found == place else { throw .forked(revision) }
    proven = found
  }
}
