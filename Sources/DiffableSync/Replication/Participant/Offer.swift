/// The rules by which a participant learns what became of an entry that it offers to the log.
///
/// It has no concurrency: an answer goes in, and a step comes out for the caller to take. So a test can
/// drive it through every order of events.
///
/// The entry was offered after one revision. It can be the next entry there, or it is not in the log
/// at all. An answer may be lost, and an offer may arrive late. So after an offer without an answer,
/// only two things count: that the log accepts the entry, or which entry comes next.
package struct Offer: Sendable, Hashable {
  /// What the log has said to an offer.
  package enum Answer: Sendable, Hashable {
    /// The entry comes next.
    case accepted
    /// The log does not end at the revision; an earlier offer may have been accepted.
    case refused
    /// The log does not take this entry.
    case rejected(String)
    /// The log has not taken the entry by this offer, and may if it is offered again.
    case notDone
    /// There is no answer; the offer may still arrive.
    case missing(String)
  }

  /// What the entries that the participant has received say about the write.
  package enum Decision: Sendable, Hashable {
    /// The entry after the revision has not been received.
    case open
    /// This entry comes next.
    case next
    /// Another entry does.
    case lost
    /// The log dropped the entry that decides before the participant received it.
    case dropped
  }

  /// What to do next.
  package enum Step: Sendable, Hashable {
    /// Offer the entry, and record the answer.
    case append
    /// Wait, then offer it again.
    case pause
    /// Wait until entries have been received.
    case wait
    /// The fate of the entry is known, or will never be.
    case end(Outcome)
  }

  /// What became of the entry.
  package enum Outcome: Sendable, Hashable {
    /// It comes next.
    case next
    /// It is not in the log, and never will be.
    case lost
    /// It is not in the log, as the log is not to be had at present. Make it again after a pause.
    case notDone
    /// The log does not take it; it is not in the log, and never will be.
    case rejected(String)
    /// It may be in the log, or arrive there later.
    case unknown(String)
  }

  private let limit: Int
  private var count = 0
  private var last: Answer?
  /// Why there is no answer to an earlier offer, so that the entry may be in the log.
  package private(set) var doubt: String?

  /// - Parameter limit: The maximum number of offers without an answer.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Takes an answer of the log.
  package mutating func record(_ answer: Answer) {
    count += 1
    last = answer
    if case .missing(let reason) = answer { doubt = reason }
  }

  /// Ends the pause that ``step(_:isStopping:)`` has asked for.
  package mutating func resume() {
    last = nil
  }

  /// What to do now.
  ///
  /// - Parameter isStopping: Whether the writer does not want to wait any longer.
  package func step(_ decision: Decision, isStopping: Bool) -> Step {
    if decision == .next || last == .accepted { return .end(.next) }
    if decision == .lost { return .end(.lost) }
    switch last {
    case nil:
      // Nobody would end an offer that is made after the writer has stopped in the pause.
      return decision == .open && !(isStopping && doubt != nil) ? .append : unknown
    case .accepted:
      return .end(.next)
    case .refused:
      if decision == .open, !isStopping { return .wait }
      return doubt == nil ? .end(.lost) : unknown
    case .rejected(let reason):
      return doubt == nil ? .end(.rejected(reason)) : unknown
    case .notDone:
      // Without a doubt nothing holds the writers together any more: each can still end for itself.
      guard doubt != nil else { return .end(.notDone) }
      return decision == .open && !isStopping ? .pause : unknown
    case .missing:
      return decision == .open && count < limit && !isStopping ? .pause : unknown
    }
  }

  private var unknown: Step { .end(.unknown(doubt ?? "the log was not asked")) }
}
