public import Diffable

extension ReplicatedSource {
  /// Makes the change of a follower in another process, once the log has accepted it.
  ///
  /// As `accept(_:_:)` of a source that decides by itself. If another participant was faster, the
  /// proposal is merged again, and `decide` runs again on the result. All participants know the
  /// accepted proposals of the entries that they have read, so a follower may send its proposal to
  /// another server if the first one does not answer. The other server finds the conflicts again,
  /// as long as its history has the base. Only the server that has refused a proposal remembers the
  /// refusal.
  ///
  /// The follower may have received a state from another server that this one has not read yet.
  /// Then the proposal waits until it is read, within its ``ReplicationOptions/timeLimit``.
  ///
  /// - Parameters:
  ///   - proposal: The proposal. Besides those with which it was read, the limits of the source hold.
  ///   - decide: As in `accept(_:_:)`.
  /// - Returns: The answer for the follower. If the change or the list after it is larger than the limits, it is
  ///   refused.
  /// - Throws: As ``update(named:presentation:_:)``, and other errors of `decide`. Let the follower send the
  ///   proposal again if the fate of the change is unknown, or if it was not made in time.
  @discardableResult
  public func accept(
    _ proposal: Proposal<Batch>,
    _ decide:
      @escaping @Sendable (_ change: ProposedChange<Batch>, _ draft: inout Batch.Draft) throws ->
      Void
  ) async throws -> ProposalAnswer<Batch> {
    let limits = list.limits.intersection(proposal.limits)
    let elapsed = reader.hub.startTimer()
    try await read(baseOf: proposal, since: elapsed)
    guard let (base, state) = list.core.base(of: proposal) else {
      return list.core.answer(to: proposal, within: limits)
    }
    // A subscriber at the base: the history keeps what others rename while this waits for its turn.
    let cursor = CursorToken(hub: reader.hub, policy: .coalesced, after: base)
    defer { cursor.drop(releasing: .here) }
    typealias Decision = Result<Contradictions<SectionID, ItemID>, Refusal>
    let kind = RevisionKind.change(name: proposal.name)
    let written = try await write(proposal.presentation, since: elapsed) {
      core -> (Core.Live.Commit?, RevisionKind, Decision?) in
      // It may have come to another participant, and from there; or twice at once.
      let isOffered = core.unpublished.contains {
        Core.Live.Commit($0).notes?.proposals.contains(proposal.id) ?? false
      }
      guard core.answers[proposal.id] == nil, !isOffered else { return (nil, kind, nil) }
      do {
        let merged = try core.merge(
          proposal, basedOn: state, at: base, within: limits, decide)
        return (merged.commit, kind, .success(merged.contradictions))
      } catch {
        guard let refusal = Refusal(refusing: error) else { throw error }
        return (nil, kind, .failure(refusal))
      }
    } tooLarge: {
      .failure(Refusal($0))
    }
    let core = list.core
    // Otherwise it was decided on before.
    guard let decision = written.result else { return core.answer(to: proposal, within: limits) }
    return core.record(decision, for: proposal, in: core.hub.token(for: written.revision))
  }

  /// Waits until this participant has read the base of a proposal, if the log has more than that.
  ///
  /// The follower would not send the proposal again, as long as it has no newer state, if it heard that nobody knows
  /// the one that it has. So the log is asked for its end only after the wait: a server of the log that has just
  /// started may not know of the last entries either.
  private func read(baseOf proposal: Proposal<Batch>, since elapsed: Stopwatch) async throws {
    guard list.core.answers[proposal.id] == nil, let base = proposal.base.parts,
      base.epoch == list.core.hub.epoch, base.place.revision > list.revision
    else { return }
    do {
      try await catchUp(with: base.place.revision, since: elapsed)
    } catch ReplicationError.timedOut(let limit) {
      // A log that was put back from an older copy does not have it.
      if let end = await end(), end < base.place.revision { return }
      throw ReplicationError.timedOut(after: limit)
    }
  }

  /// The last revision of the log, if it says so; proposals that wait at the same time share the question.
  private func end() async -> Revision? {
    // Detached: all share it, and the first must not pass on its priority or its task-local values.
    let asking =
      askingForEnd
      ?? Task.detached(priority: Self.priority) { [log] in try? await log.lastRevision() }
    askingForEnd = asking
    let end = await asking.value
    if askingForEnd == asking { askingForEnd = nil }
    return end
  }
}
