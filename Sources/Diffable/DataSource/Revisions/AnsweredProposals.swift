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

  private struct Entry {
    let answer: Answer
    /// The number of its place in a ring.
    let place: Int
  }

  private var entries: [WriteID: Entry] = [:]
  /// Proposals that have made a revision, in a ring.
  private var made: Ring
  /// All others: they must not be able to push out those that have.
  private var others: Ring

  /// The number of places that were taken in both.
  private var lastPlace = 0

  private struct Ring {
    let capacity: Int
    var places: [(number: Int, id: WriteID)] = []
    var next = 0

    /// Takes a place for a proposal, and returns the one that has to go.
    mutating func take(_ number: Int, for id: WriteID) -> (number: Int, id: WriteID)? {
      guard places.count >= capacity else {
        places.append((number, id))
        return nil
      }
      defer { (places[next], next) = ((number, id), (next + 1) % capacity) }
      return places[next]
    }
  }

  /// - Parameter revisions: The number of revisions back to which proposals have to be known.
  package init(atLeast revisions: Int) {
    let limit = 1 << 20
    made = Ring(capacity: min(limit, max(1024, revisions + (revisions < limit ? 1 : 0))))
    others = Ring(capacity: 1024)
  }

  /// What a proposal was answered, or `nil` if it is not known.
  package subscript(id: WriteID) -> Answer? { entries[id]?.answer }

  /// Records that proposals have become part of a state.
  package func record(_ accepted: [WriteID], in token: ResumeToken) {
    for id in accepted { set(Answer(token: token, details: nil), for: id) }
  }

  /// Records an answer; one that is known as part of a state gets the details.
  package func record(_ id: WriteID, _ details: any Sendable, token: ResumeToken?) {
    set(Answer(token: self[id]?.token ?? token, details: details), for: id)
  }

  private func set(_ answer: Answer, for id: WriteID) {
    let former = entries[id]
    var (oldest, evicted) = ((number: Int, id: WriteID)?.none, Entry?.none)
    // It may have been refused here before another participant has accepted it.
    let isMade = answer.token != nil && former?.answer.token == nil
    let isNew = isMade || former == nil
    if isNew {
      lastPlace += 1
      oldest = isMade ? made.take(lastPlace, for: id) : others.take(lastPlace, for: id)
    }
    // One that was accepted since, or forgotten and refused again, has another place by now.
    if let oldest, entries[oldest.id]?.place == oldest.number {
      evicted = entries.removeValue(forKey: oldest.id)
    }
    entries[id] = Entry(answer: answer, place: isNew ? lastPlace : former?.place ?? lastPlace)
    // The models in an answer may be the last of their kind: no access is under way when it goes.
    withExtendedLifetime((former, evicted)) {}
  }
}
