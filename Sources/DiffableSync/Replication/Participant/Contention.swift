import Diffable

/// How a participant takes turns with others that write at the same time.
///
/// All participants see the same entries, so they agree on whose turn it is without a message: turns go
/// round in the order of their numbers. The one that has the turn appends at once. Each of the others waits
/// for as long as those before it need. It is a courtesy: the log decides, and an append out of turn may win.
///
/// - Whoever has appended is waited for once, and twice while it keeps to its turns. So participants that
///   write now and then hardly wait.
/// - A participant that is far from the log could lose every race, since the next entry is there before it
///   has heard of the last one. The others wait for it once they know how long its turn takes. To let them
///   know, all that have a turn pause after one entry in 128, or in 256 while there is only one. The name
///   of the entry says after which.
/// - Somebody who has no turn, and loses, pauses at random, longer after each loss. So not all newcomers
///   offer the next entry.
///
/// It has no concurrency. All times are those of one participant.
struct Contention: Sendable {
  /// The longest pauses of those that have no turn, and of those that have one, in answers of the log.
  private static let longest = (loser: 4, turn: 12)
  /// The entries in 256 after which all that have a turn pause.
  private static let stops: (alone: UInt8, contended: UInt8) = (1, 2)
  /// The bounds of the time that others wait for a turn, in answers of the log.
  private static let turn = (shortest: 0.25, longest: 4.0)
  /// The largest part of its usual time that a turn may take.
  private static let patience = 1.25
  /// The number of participants of which more is known than that they have a turn.
  private static let remembered = 256

  /// What is known of a participant.
  private struct Writer {
    /// The time from the entry before its turn to its own.
    var turn: Duration
    /// How often others wait for it.
    var chances: Int
  }

  /// The number of the participant.
  var participant: UInt32
  /// The longest pause, whatever the log took: one slow answer says little about the next one.
  let longestPause: Duration
  private var writers: [UInt32: Writer] = [:]
  /// The last entry, and when it was received.
  private var last: (entry: WriteID, time: Duration)?
  /// The time that the log took to answer; zero if it has not been asked.
  private var answer = Duration.zero
  /// The lost races since the last own entry, and when the pause after them ends.
  private var (losses, resumption) = (0, Duration.zero)

  init(participant: UInt32, longestPause: Duration) {
    (self.participant, self.longestPause) = (participant, longestPause)
  }

  /// Whether others wait for this participant.
  private var hasTurn: Bool { writers[participant].map { $0.chances > 0 } ?? false }

  /// Records the last entry of an append, whoever made it.
  ///
  /// - Complexity: O(n) for n participants that are remembered.
  mutating func received(_ entry: WriteID, at time: Duration) {
    let writer = entry.participant
    guard let last else {
      self.last = (entry, time)
      writers[writer] = Writer(turn: answer, chances: 1)
      return
    }
    var taken = time - last.time
    let skipped = turns(before: writer)
    for other in skipped {
      taken -= pause(for: other)
      writers[other]?.chances -= 1
    }
    taken = max(taken, .zero)
    if writers.count >= Self.remembered { writers = writers.filter { $0.value.chances > 0 } }
    var known = writers[writer] ?? Writer(turn: taken, chances: 0)
    let isPrompt = known.chances > 0 && taken <= usual(known) * 2
    if isPrompt {
      known.turn = skipped.isEmpty ? taken : min(taken, known.turn)
    } else if known.chances > 0, skipped.isEmpty, taken <= usual(known) * 4 {
      // It may have been taken for faster than it is: others would offer before it, and lose each time.
      known.turn = usual(known) * 2
    }
    known.chances = isPrompt ? 2 : 1
    writers[writer] = known
    self.last = (entry, time)
  }

  /// Records that the log has taken own entries.
  ///
  /// - Parameter answer: The time that the log took to answer.
  mutating func won(after answer: Duration) { (self.answer, losses) = (answer, 0) }

  /// Records that somebody else was faster.
  ///
  /// - Parameters:
  ///   - answer: The time that the log took to answer.
  ///   - share: How much of the pause before the next offer counts, from a half to all.
  mutating func lost(
    after answer: Duration, at time: Duration, share: Double = .random(in: 0.5...1)
  ) {
    self.answer = answer
    guard !hasTurn else { return }
    losses = min(losses + 1, 16)
    let longest = min(answer * Self.longest.loser, longestPause)
    let backoff = Backoff(first: min(answer / 2, longest), longest: longest, failures: losses)
    resumption = time + backoff.duration(share: share)
  }

  /// How long to wait before the next offer, unless an entry is received before; `nil` for not at all.
  ///
  /// - Complexity: O(n) for n participants that are remembered.
  func pause(at time: Duration) -> Duration? {
    guard let last else { return nil }
    let others = turns(before: participant)
    var pause = others.reduce(.zero) { $0 + self.pause(for: $1) }
    let isAlone = !writers.contains { $0.key != participant && $0.value.chances > 0 }
    if hasTurn, last.entry.lot < (isAlone ? Self.stops.alone : Self.stops.contended) {
      pause += answer * Self.longest.turn
    }
    // A pause at random that ends after the own place in the order would be too late in every round.
    let end = last.time + min(pause, longestPause)
    let left = (others.isEmpty ? end : max(end, resumption)) - time
    return left > .zero ? left : nil
  }

  /// The participants whose turn comes before that of another one.
  private func turns(before writer: UInt32) -> [UInt32] {
    guard let last = last?.entry.participant else { return [] }
    // Numbers go round: the next one after the last writer is the first in line, that one is the last.
    let place = writer &- last &- 1
    return writers.compactMap { number, known in
      known.chances > 0 && number &- last &- 1 < place && number != last ? number : nil
    }
  }

  private func pause(for writer: UInt32) -> Duration {
    writers[writer].map { usual($0) * Self.patience } ?? .zero
  }

  /// How long a turn of a participant usually takes.
  private func usual(_ writer: Writer) -> Duration {
    min(max(writer.turn, answer * Self.turn.shortest), answer * Self.turn.longest)
  }
}
