/// The answers to the last proposals, so that one that arrives again gets the same.
///
/// An accepted proposal is known at least as long as its revision is in the history. As its base is older,
/// a proposal that is no longer known here has a base that is not known either.
///
/// Only the source that owns it uses it.
package final class AnsweredProposals {
  /// What a proposal was answered; the details are those of a module above.
  package struct Answer: Sendable {
    /// The state that has the accepted change; `nil` if it was refused.
    package let token: ResumeToken?
    package let details: (any Sendable)?
  }

  private var answers: [WriteID: Answer] = [:]
  /// Proposals that have made a revision, in a ring.
  private var made: Ring
  /// All others: they must not be able to push out those that have.
  private var others: Ring

  private struct Ring {
    let capacity: Int
    var ids: [WriteID] = []
    var next = 0

    /// Adds a proposal, and returns the one that has to go.
    mutating func add(_ id: WriteID) -> WriteID? {
      guard ids.count >= capacity else {
        ids.append(id)
        return nil
      }
      defer { (ids[next], next) = (id, (next + 1) % capacity) }
      return ids[next]
    }
  }

  /// - Parameter revisions: The number of revisions back to which proposals have to be known.
  package init(atLeast revisions: Int) {
    let limit = 1 << 20
    made = Ring(capacity: min(limit, max(1024, revisions + (revisions < limit ? 1 : 0))))
    others = Ring(capacity: 1024)
  }

  /// What a proposal was answered, or `nil` if it is not known.
  package subscript(id: WriteID) -> Answer? { answers[id] }

  /// Records that proposals have become part of a state.
  package func record(_ accepted: [WriteID], in token: ResumeToken) {
    for id in accepted { set(Answer(token: token, details: nil), for: id) }
  }

  /// Records an answer; one that is known as part of a state gets the details.
  package func record(_ id: WriteID, _ details: any Sendable, token: ResumeToken?) {
    set(Answer(token: answers[id]?.token ?? token, details: details), for: id)
  }

  private func set(_ answer: Answer, for id: WriteID) {
    let former = answers.updateValue(answer, forKey: id)
    var evicted: Answer?
    if answer.token != nil {
      // It may have been refused here before another participant has accepted it.
      if former?.token == nil { evicted = made.add(id).flatMap { answers.removeValue(forKey: $0) } }
    } else if former == nil, let oldest = others.add(id), answers[oldest]?.token == nil {
      evicted = answers.removeValue(forKey: oldest)
    }
    // The models in an answer may be the last of their kind: no access is under way when it goes.
    withExtendedLifetime((former, evicted)) {}
  }
}
