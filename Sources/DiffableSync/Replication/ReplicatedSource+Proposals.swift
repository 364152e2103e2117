public import Diffable

extension ReplicatedSource {
  /// Makes the change of a follower in another process, once the log has accepted it.
  ///
  /// As `accept(_:limits:_:)` of a source that decides by itself. If another participant was faster, the
  /// proposal is merged again, and `decide` runs again on the result. All participants know the accepted
  /// proposals of the entries that they have read, so a follower may send its proposal to another server
  /// if the first one does not answer. That one says only that the proposal was accepted, not what it
  /// contradicted. Refusals are remembered where they were made.
  ///
  /// - Parameters:
  ///   - proposal: The proposal. Its limits are those of the source.
  ///   - decide: As in `accept(_:limits:_:)`.
  /// - Returns: The answer for the follower.
  /// - Throws: As ``update(named:presentation:_:)->Result``, and other errors of `decide`. If the fate of the
  ///   change is unknown, let the follower send the proposal again.
  @discardableResult
  public func accept(
    _ proposal: Proposal<Batch>,
    _ decide:
      @escaping @Sendable (_ change: ProposedChange<Batch>, _ draft: inout Batch.Draft) throws ->
      Void
  ) async throws -> ProposalAnswer<Batch> {
    guard let (base, state) = list.core.base(of: proposal) else {
      return list.core.answer(to: proposal.id) ?? .unknownBase
    }
    // A subscriber at the base: the history keeps what others rename while this waits for its turn.
    let cursor = CursorToken(hub: reader.hub, policy: .coalesced, after: base)
    defer { withExtendedLifetime(cursor) {} }
    let limits = list.limits
    let (revision, found) = try await write(
      proposal.presentation, kind: .change(name: proposal.name)
    ) { core -> (Core.Live.Commit?, Contradictions<SectionID, ItemID>?) in
      // It may have come to another participant, and from there.
      guard core.answers[proposal.id] == nil else { return (nil, nil) }
      do {
        let merged = try core.merge(
          proposal, basedOn: state, at: base, within: limits, decide)
        return (merged.commit, merged.contradictions)
      } catch {
        guard let refusal = Refusal(refusing: error) else { throw error }
        _ = core.record(refusal, for: proposal.id) as ProposalAnswer<Batch>
        return (nil, nil)
      }
    }
    let core = list.core
    return found.map { core.record($0, for: proposal, in: core.hub.token(for: revision)) }
      ?? core.answer(to: proposal.id) ?? .unknownBase
  }
}
