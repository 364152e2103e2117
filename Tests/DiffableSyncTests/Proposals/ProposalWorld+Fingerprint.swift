@testable import Diffable
@testable import DiffableSync

extension ProposalWorld {
  /// Everything that the future depends on, so that worlds with the same future are explored once.
  ///
  /// States that nobody will see any more are left out, and so are their numbers: what counts is how far
  /// everybody is behind the server, and how far the state that has an accepted edit is ahead of a follower.
  var fingerprint: Fingerprint {
    let oldest = followers.map(\.received).min() ?? orders.count
    return Fingerprint(
      faults: faults, states: Array(orders[(oldest - 1)...]),
      accepted: deltas[oldest...].map { $0.frame.accepted.map { meanings[$0] } },
      parts: followers.indices.map(part))
  }

  private func part(_ index: Int) -> Fingerprint.Part {
    let follower = followers[index]
    let pending = follower.list.overlay.pending
    return Fingerprint.Part(
      behind: orders.count - follower.received, ahead: follower.held - follower.received,
      scriptLength: follower.script.count, shown: items(shown(index)),
      pending: pending.map { edit in
        // What was sent is what it has made of a state; anything else is made again.
        let isFrozen = edit.mayHaveBeenSent
        return .init(
          edit: meanings[edit.id], base: isFrozen ? items(edit.made.base) : nil,
          made: isFrozen ? items(edit.made.result) : nil, below: edit.layer.map { items($0.below) },
          answered: answered(edit.id, follower))
      },
      proposals: follower.proposals.map { proposal in
        let base = proposal.base.parts?.place.revision.number ?? 0
        let state = base > 0 ? orders[base - 1] : []
        return .init(
          edit: meanings[proposal.id], behind: orders.count - base, base: state,
          difference: proposal.delta.difference, answered: answered(proposal.id, follower))
      },
      answers: follower.answers.map { [meanings[$0.id]: describe($0.answer, follower)] },
      waiting: follower.waiting.map { meanings[$0] }, phase: phase(of: follower),
      own: follower.own)
  }

  /// How many revisions a follower has to receive until it has a state.
  private func distance(to token: ResumeToken, _ follower: Follower) -> Int {
    max(0, (token.parts?.place.revision.number ?? 0) - follower.received)
  }

  /// What the server would say to a proposal that arrives again.
  private func answered(_ id: WriteID, _ follower: Follower) -> String {
    guard let answer = server.answers[id] else { return "" }
    return answer.token.map { "\(distance(to: $0, follower))" } ?? "refused"
  }

  private func describe(_ answer: Answer, _ follower: Follower) -> String {
    switch answer {
    case .accepted(let acceptance):
      "accepted \(distance(to: acceptance.token, follower)) \(describe(acceptance.delta, follower))"
    case .refused: "refused"
    case .unknownBase: "unknown base"
    }
  }

  /// What comes with an answer: from which state, and to which.
  private func describe(_ delta: UpdateDelta<Int, Int>?, _ follower: Follower) -> String {
    guard let delta, let base = delta.base?.parts?.place.revision.number else { return "" }
    return "\(orders[base - 1]) \(distance(to: delta.target, follower))"
  }

  private func phase(of follower: Follower) -> String {
    switch follower.list.sending?.phase {
    case nil: follower.list.unknownBase == nil ? "" : "unknown base"
    case .sent: "sent"
    case .accepted(let acceptance): "accepted \(distance(to: acceptance.token, follower))"
    case .shown: "shown"
    }
  }

  struct Fingerprint: Hashable {
    let faults: Faults
    let states: [[Int]]
    let accepted: [[Meaning?]]
    let parts: [Part]

    struct Part: Hashable {
      let behind: Int
      let ahead: Int
      let scriptLength: Int
      let shown: [Int]
      let pending: [Pending]
      let proposals: [Sent]
      let answers: [[Meaning?: String]]
      let waiting: Meaning??
      let phase: String
      let own: Set<Int>
    }

    struct Pending: Hashable {
      let edit: Meaning?
      let base: [Int]?
      let made: [Int]?
      let below: [Int]?
      let answered: String
    }

    struct Sent: Hashable {
      let edit: Meaning?
      let behind: Int
      let base: [Int]
      let difference: SnapshotDifference
      let answered: String
    }
  }
}
