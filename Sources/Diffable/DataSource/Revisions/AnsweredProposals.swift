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
    var answer: Answer
    /// Its number in its ring.
    var number: Int
  }

  private var entries: [WriteID: Entry] = [:]
  /// Proposals that have made a revision, in a ring.
  private var made: Ring
  /// All others: they must not be able to push out those that have.
  private var others: Ring

  private struct Ring {
    let capacity: Int
    var ids: [WriteID] = []
    var count = 0

    /// Adds a proposal, with the next number.
    ///
    /// - Returns: The proposal whose room it takes.
    mutating func add(_ id: WriteID) -> (id: WriteID, number: Int)? {
      defer { count += 1 }
      guard ids.count >= capacity else {
        ids.append(id)
        return nil
      }
      defer { ids[count % capacity] = id }
      return (ids[count % capacity], count - capacity)
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
    var (number, evicted) = (former?.number ?? others.count, Entry?.none)
    if answer.token != nil {
      // It may have been refused here before another participant has accepted it.
      if former?.answer.token == nil {
        number = made.count
        evicted = made.add(id).flatMap { entries.removeValue(forKey: $0.id) }
      }
    } else if former == nil {
      // One that was accepted later, or forgotten and refused again, is no longer where it was.
      if let oldest = others.add(id), let entry = entries[oldest.id], entry.answer.token == nil,
        entry.number == oldest.number
      {
        evicted = entries.removeValue(forKey: oldest.id)
      }
    }
    entries[id] = Entry(answer: answer, number: number)
    // The models in an answer may be the last of their kind: no access is under way when it goes.
    withExtendedLifetime((former, evicted)) {}
  }
}
