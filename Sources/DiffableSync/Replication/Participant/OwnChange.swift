import Diffable

/// A change that was made to the live state of a participant, and that the log has not accepted yet.
struct OwnChange<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// The name of the write; it is the name of the entry in the log.
  let id: WriteID
  /// The change, at the place in the log that it asks for.
  let change: SourceCore<SectionID, ItemID>.Unpublished
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

  /// Changes the latest state without publishing it.
  ///
  /// - Parameters:
  ///   - expected: The revision that the latest state must have.
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
      id: id, change: Unpublished(commit: commit, place: latestPlace.next(id)),
      presentation: presentation, kind: made.kind, duration: duration)
    return (proposal, made.result)
  }

  /// Publishes the first change that is not published, which the log has accepted.
  ///
  /// A source that has ended meanwhile keeps the state that its subscribers have.
  func publish(_ proposal: OwnChange<SectionID, ItemID>) {
    guard !isClosed else { return withdrawAll() }
    unpublished.removeFirst()
    end(
      proposal.change.commit, proposal.presentation, kind: proposal.kind,
      duration: proposal.duration, as: proposal.change.place)
  }
}
