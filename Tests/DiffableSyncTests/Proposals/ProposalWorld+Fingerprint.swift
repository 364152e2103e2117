@testable import Diffable
@testable import DiffableSync

extension ProposalWorld {
  /// Everything that the future depends on, so that worlds with the same future are explored once.
  ///
  /// States that nobody will see any more are left out, and so are their numbers: what counts is how far
  /// everybody is behind the server.
  var fingerprint: Fingerprint {
    let oldest = followers.map(\.received).min() ?? states.count
    return Fingerprint(
      faults: faults, states: states[(oldest - 1)...].map(\.itemIdentifiers),
      accepted: deltas[oldest...].map { $0.frame.accepted.map { meanings[$0] } },
      parts: followers.indices.map(part))
  }

  private func part(_ index: Int) -> Fingerprint.Part {
    let follower = followers[index]
    let pending = follower.list.overlay.pending
    return Fingerprint.Part(
      behind: states.count - follower.received, scriptLength: follower.script.count,
      shown: shown(index).itemIdentifiers,
      pending: pending.map { edit in
        // What was sent is what it has made of a state; anything else is made again.
        let isFrozen = edit.mayHaveBeenSent
        return .init(
          number: edit.number, base: isFrozen ? edit.base.itemIdentifiers : nil,
          made: isFrozen ? edit.made.itemIdentifiers : nil, answered: answered(edit.id))
      },
      proposals: follower.proposals.map { proposal in
        let base = proposal.base.parts?.place.revision.number ?? 0
        let state = base > 0 ? states[base - 1].itemIdentifiers : []
        return .init(
          edit: meanings[proposal.id], behind: states.count - base, base: state,
          difference: "\(proposal.delta.difference)", answered: answered(proposal.id))
      },
      answers: follower.answers.map { [meanings[$0.id]: describe($0.answer)] },
      waiting: follower.waiting.map { meanings[$0] }, phase: phase(of: follower.list),
      own: follower.own)
  }

  private func behind(_ token: ResumeToken) -> Int {
    states.count - (token.parts?.place.revision.number ?? 0)
  }

  /// What the server would say to a proposal that arrives again.
  private func answered(_ id: WriteID) -> String {
    guard let answer = server.answers[id] else { return "" }
    return answer.token.map { "\(behind($0))" } ?? "refused"
  }

  private func describe(_ answer: Answer) -> String {
    switch answer {
    case .accepted(let acceptance): "accepted \(behind(acceptance.token))"
    case .refused: "refused"
    case .unknownBase: "unknown base"
    }
  }

  private func phase(of list: EditedList<Batch>) -> String {
    list.acceptedToken.map { "accepted \(behind($0))" } ?? list.phase
  }

  struct Fingerprint: Hashable {
    let faults: Faults
    let states: [[Int]]
    let accepted: [[Meaning?]]
    let parts: [Part]

    struct Part: Hashable {
      let behind: Int
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
      let number: UInt64
      let base: [Int]?
      let made: [Int]?
      let answered: String
    }

    struct Sent: Hashable {
      let edit: Meaning?
      let behind: Int
      let base: [Int]
      let difference: String
      let answered: String
    }
  }
}
