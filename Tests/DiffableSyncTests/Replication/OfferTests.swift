import Testing

@testable import Diffable
@testable import DiffableSync

@Suite("What a participant says of an offer is what it can know") struct OfferTests {
  /// Every sequence of a few answers.
  private static func answers(atMost count: Int) -> [[Offer.Answer]] {
    guard count > 0 else { return [[]] }
    let kinds: [Offer.Answer] = [
      .accepted, .refused, .rejected("too long"), .notDone, .missing("no connection"),
    ]
    return [[]] + answers(atMost: count - 1).flatMap { rest in kinds.map { [$0] + rest } }
  }

  @Test("After any answers, with whatever the entries say, and whoever wants to stop")
  func everySequence() {
    for limit in 1...3 {
      // Nothing is offered again that was accepted.
      for answers in Self.answers(atMost: 4) where !answers.dropLast().contains(.accepted) {
        for decision in [Offer.Decision.open, .next, .lost, .dropped] {
          for isStopping in [false, true] {
            for isPaused in [false, true] {
              var offer = Offer(limit: limit)
              for answer in answers { offer.record(answer) }
              if isPaused { offer.resume() }
              check(offer.step(decision, isStopping: isStopping), answers, decision, isStopping)
            }
          }
        }
      }
    }
  }

  private func check(
    _ step: Offer.Step, _ answers: [Offer.Answer], _ decision: Offer.Decision, _ isStopping: Bool
  ) {
    let comment: Comment = "\(step) after \(answers), \(decision), stopping: \(isStopping)"
    // An offer without an answer may have been accepted, or arrive later.
    let mayBeThere = answers.contains {
      switch $0 {
      case .accepted, .missing: true
      case .refused, .rejected, .notDone: false
      }
    }
    switch step {
    case .end(.next): #expect(decision == .next || answers.last == .accepted, comment)
    case .end(.lost), .end(.rejected), .end(.notDone):
      #expect(decision == .lost || !mayBeThere, comment)
    case .end(.unknown):
      #expect(decision != .next && decision != .lost, comment)
      #expect(mayBeThere || answers.isEmpty || decision == .dropped, comment)
    case .append, .pause, .wait:
      #expect(decision == .open, comment)
      let isFirst = !answers.contains { if case .missing = $0 { true } else { false } }
      #expect(!isStopping || (step == .append && isFirst), "\(comment): nobody waits")
    }
    if decision == .next { #expect(step == .end(.next), comment) }
  }
}
