import Diffable

/// A change that was made to the live state of a participant, and that the log has not accepted yet.
struct OwnChange<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// The name of the write; it is the name of the entry in the log.
  let id: WriteID
  /// The place in the log that it asks for.
  let place: HistoryPlace
  let commit: LiveState<SectionID, ItemID>.Commit
  let presentation: Presentation
  let kind: RevisionKind
  let duration: Duration
}

extension SourceCore {
  /// Makes one commit, or changes nothing.
  ///
  /// - Returns: The commit, what it does to the undo history, and a result for the caller.
  typealias Change<Result> =
    (SourceCore<SectionID, ItemID>) throws -> (
      commit: Live.Commit?, kind: RevisionKind, result: Result
    )

  /// Changes the live state without publishing it.
  ///
  /// - Parameters:
  ///   - expected: The revision that must be live.
  ///   - change: Makes the change.
  /// - Returns: The change, or `nil` if nothing changed; and what the function returned.
  func propose<Result>(
    _ id: WriteID, ifRevision expected: Revision?, _ presentation: Presentation,
    _ change: Change<Result>
  ) throws -> (proposal: OwnChange<SectionID, ItemID>?, result: Result) {
    try begin(ifRevision: expected)
    let (made, duration) = try timed { try change(self) }
    guard let commit = made.commit else {
      end(nil, presentation, kind: made.kind, duration: duration)
      return (nil, made.result)
    }
    isWriting = false
    let proposal = OwnChange<SectionID, ItemID>(
      id: id, place: place.next(id), commit: commit, presentation: presentation, kind: made.kind,
      duration: duration)
    return (proposal, made.result)
  }

  /// Publishes a change that the log has accepted.
  ///
  /// A source that has ended meanwhile keeps the state that its subscribers have.
  func publish(_ proposal: OwnChange<SectionID, ItemID>) -> Revision {
    guard !isClosed else {
      withdraw()
      return proposal.place.revision
    }
    return end(
      proposal.commit, proposal.presentation, kind: proposal.kind,
      duration: proposal.duration, as: proposal.place)
  }

  /// What a change is for the other participants.
  func batch(of change: OwnChange<SectionID, ItemID>) -> UpdateBatch<SectionID, ItemID> {
    batch(of: change.commit, change.presentation, at: change.place)
  }
}
