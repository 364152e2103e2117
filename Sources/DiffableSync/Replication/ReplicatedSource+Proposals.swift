public import Diffable

extension ReplicatedSource {
  /// Makes the change of a follower in another process, once the log has accepted it.
  ///
  /// As `accept(_:_:)` of a source that decides by itself. If another participant was faster, the
  /// proposal is merged again, and `decide` runs again on the result. All participants know the accepted
  /// proposals of the entries that they have read, so a follower may send its proposal to another server
  /// if the first one does not answer. That one works out again what it contradicted, as long as its history
  /// has the base. Refusals are remembered where they were made.
  ///
  /// - Parameters:
  ///   - proposal: The proposal. Besides those with which it was read, the limits of the source hold.
  ///   - decide: As in `accept(_:_:)`.
  /// - Returns: The answer for the follower.
  /// - Throws: As ``update(named:presentation:_:)``, and other errors of `decide`. If the fate of the
  ///   change is unknown, let the follower send the proposal again.
  @discardableResult
  public func accept(
    _ proposal: Proposal<Batch>,
    _ decide:
      @escaping @Sendable (_ change: ProposedChange<Batch>, _ draft: inout Batch.Draft) throws ->
      Void
  ) async throws -> ProposalAnswer<Batch> {
    let limits = list.limits
    guard let (base, state) = list.core.base(of: proposal) else {
      return list.core.answer(to: proposal, within: limits)
    }
    // A subscriber at the base: the history keeps what others rename while this waits for its turn.
    let cursor = CursorToken(hub: reader.hub, policy: .coalesced, after: base)
    defer { cursor.drop(releasing: .here) }
    let written = try await write(
      proposal.presentation, named: proposal.name
    ) { core -> (Core.Live.Commit?, Result<Contradictions<SectionID, ItemID>, Refusal>?) in
      // It may have come to another participant, and from there; or twice at once.
      let isOffered = core.unpublished.contains {
        Core.Live.Commit($0).notes?.proposals.contains(proposal.id) ?? false
      }
      guard core.answers[proposal.id] == nil, !isOffered else { return (nil, nil) }
      do {
        let merged = try core.merge(
          proposal, basedOn: state, at: base, within: limits, decide)
        return (merged.commit, .success(merged.contradictions))
      } catch {
        guard let refusal = Refusal(refusing: error) else { throw error }
        return (nil, .failure(refusal))
      }
    }
    let core = list.core
    // Otherwise it was decided on before.
    guard let decision = written.value else { return core.answer(to: proposal, within: limits) }
    return core.record(decision, for: proposal, in: core.hub.token(for: written.revision))
  }
}
