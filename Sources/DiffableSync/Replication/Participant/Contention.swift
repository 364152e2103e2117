import Diffable

/// How a participant takes turns with others that write at the same time.
///
/// It has no concurrency. Pauses are multiples of the time that the log takes to answer, so they fit
/// any log:
///
/// - Losers wait, longer after each loss, so that not all of them offer the next entries.
/// - A winner lets the others go first after a few appends. A participant that is close to the log could
///   win every race otherwise, since its next append arrives before others have heard of the last one.
///
/// A participant that is alone waits for no one: after 256 appends it looks whether somebody else
/// wants to write. An append counts once, however many writes share it.
struct Contention: Sendable {
  /// The number of own appends in a row while others write too, and while they do not.
  static let turn = (contended: 4, alone: 256)
  /// The longest pauses of losers and winners, in answers of the log.
  static let longest = (loser: 16, winner: 16)

  /// The longest pause, whatever the log took: one slow answer says little about the next one.
  let longestPause: Duration
  private var backoff = Backoff(first: .zero, longest: .zero)
  /// The number of own appends since the last entry of another participant, or since the last pause.
  private var inRow = 0
  /// The last entry of another participant, and the number of own appends since.
  private var lastForeign: (revision: Revision, appends: Int)?
  /// Whether the others go first now.
  private var yields = false

  init(longestPause: Duration) {
    self.longestPause = longestPause
  }

  /// Records an entry of another participant.
  mutating func receivedForeign(_ revision: Revision) {
    guard revision > lastForeign?.revision ?? .empty else { return }
    (lastForeign, inRow) = ((revision, 0), 0)
  }

  /// Records a lost race.
  ///
  /// - Parameter answer: The time that the log took to answer.
  mutating func lost(after answer: Duration) {
    measure(answer)
    backoff.failures = min(backoff.failures + 1, 16)
  }

  /// Records an own append.
  ///
  /// - Parameter answer: The time that the log took to answer.
  mutating func won(after answer: Duration) {
    measure(answer)
    inRow += 1
    lastForeign?.appends += 1
    backoff.failures /= 2
    let isContended = lastForeign.map { $0.appends < Self.turn.alone } ?? false
    if inRow >= (isContended ? Self.turn.contended : Self.turn.alone) {
      (inRow, yields) = (0, true)
    }
  }

  private mutating func measure(_ answer: Duration) {
    backoff.first = answer
    backoff.longest = min(answer * Self.longest.loser, longestPause)
  }

  /// The pause before the next offer, from the end of the last one; `nil` for none.
  mutating func pause(using random: inout some RandomNumberGenerator) -> Duration? {
    if yields {
      yields = false
      let longest = min(backoff.first * Self.longest.winner, longestPause)
      return Backoff(first: longest, longest: longest).duration(using: &random)
    }
    return backoff.failures > 0 ? backoff.duration(using: &random) : nil
  }
}
