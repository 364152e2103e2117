import DiffableTesting
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// Participants that all write as fast as they can, at several distances from the log, in virtual time.
@Suite("Participants take turns") struct ContentionTests {
  /// A third of the participants is on the machine that leads.
  private func distances(_ count: Int) -> [Double] {
    (0..<count).map { $0 < max(1, count / 3) ? 400 : 1_000 }
  }

  @Test("Everybody gets a share, near or far", arguments: [2, 4, 16], 0..<rounds(UInt64(2)))
  func fairness(_ count: Int, _ seed: UInt64) {
    let (entries, fair) = (4_000, 4_000 / count)
    let race = WritingRace(distances(count), entries: entries, seed: seed)
    #expect(race.wins.allSatisfy { $0 > fair / 20 }, "\(race.wins), seed \(seed)")
    #expect(race.offers < entries * 3, "\(race.offers) offers, seed \(seed)")
    // Without pauses some of them starve.
    let rude = WritingRace(distances(count), entries: entries, seed: seed, pauses: false)
    #expect(rude.wins.contains { $0 <= fair / 50 }, "\(rude.wins), seed \(seed)")
  }

  @Test("Participants take turns without pauses between them", arguments: 0..<rounds(UInt64(2)))
  func turns(_ seed: UInt64) {
    let (distances, entries) = (Array(repeating: 10_000.0, count: 16), 2_000)
    let race = WritingRace(distances, entries: entries, seed: seed)
    // A lone participant takes 2.4 ways for an entry.
    #expect(race.time < 2.4 * 10_000 * 1.2 * Double(entries), "seed \(seed)")
    #expect(race.wins.allSatisfy { $0 > entries / 16 / 4 }, "\(race.wins), seed \(seed)")
    #expect(race.offers < entries * 2, "\(race.offers) offers, seed \(seed)")
  }

  @Test("Nobody loses in every round", arguments: [2, 4, 16], 0..<rounds(UInt64(2)))
  func everyRound(_ count: Int, _ seed: UInt64) {
    let (distances, entries) = (Array(repeating: 50_000.0, count: count), 2_000)
    let race = WritingRace(distances, entries: entries, seed: seed)
    #expect(race.wins.allSatisfy { $0 > entries / count / 2 }, "\(race.wins), seed \(seed)")
    let rounds = (race.writes.last ?? 0) / (2 * 50_000 * Double(count))
    #expect(rounds < 24, "a write took \(rounds) rounds, seed \(seed)")
  }

  @Test("Participants that write now and then hardly wait", arguments: 0..<rounds(UInt64(2)))
  func sporadic(_ seed: UInt64) {
    let distances = Array(repeating: 1_000.0, count: 4)
    let race = WritingRace(distances, entries: 1_000, seed: seed, thinking: 40_000)
    let median = race.writes[race.writes.count / 2]
    #expect(median < 1_000 * 2.4 * 1.25, "\(median) µs, seed \(seed)")
  }

  @Test("A participant that is alone hardly pauses", arguments: 0..<rounds(UInt64(2)))
  func alone(_ seed: UInt64) {
    let race = WritingRace([1_000], entries: 2_000, seed: seed)
    let rude = WritingRace([1_000], entries: 2_000, seed: seed, pauses: false)
    #expect(race.offers == rude.offers)
    #expect(race.time < rude.time * 1.1)
  }

  @Test("One slow answer does not keep a participant waiting for as long")
  func slowAnswer() {
    var random = SplitMix64(seed: 7)
    let longest = Duration.milliseconds(500)
    for answer in [Duration.milliseconds(100), .seconds(20), .seconds(3_600)] {
      var contention = Contention(participant: 3, longestPause: longest)
      for losses in 0..<20 {
        contention.lost(after: answer, at: .zero, share: .random(in: 0.5...1, using: &random))
        let entry = WriteID(of: 7, using: &random)
        contention.received(entry, at: answer * losses)
        let time = answer * losses
        #expect(contention.pause(at: time).map { $0 > .zero && $0 <= longest } ?? true)
      }
      // It has a turn now, and waits for the other one.
      contention.received(WriteID(of: 3, using: &random), at: answer * 20)
      contention.won(after: answer)
      #expect(contention.pause(at: answer * 20).map { $0 > .zero && $0 <= longest } == true)
      #expect(contention.pause(at: answer * 20 + longest) == nil)
    }
  }

  @Test("Whoever lets turns pass is not waited for")
  func passed() {
    var random = SplitMix64(seed: 7)
    var contention = Contention(participant: 3, longestPause: .seconds(5))
    contention.won(after: .milliseconds(1))
    func append(_ participant: UInt32, at milliseconds: Int) {
      var id = WriteID(of: participant, using: &random)
      while id.lot < 2 { id = WriteID(of: participant, using: &random) }
      contention.received(id, at: .milliseconds(milliseconds))
    }
    append(7, at: 0)
    append(3, at: 1)
    #expect(contention.pause(at: .milliseconds(1)) == .milliseconds(1) * 1.25)
    append(3, at: 3)
    #expect(contention.pause(at: .milliseconds(3)) == nil)
  }

  @Test("Pauses grow up to the longest one, and at most half of each is left to chance")
  func backoff() {
    var random = SplitMix64(seed: 7)
    for failures in 0...80 {
      let backoff = Backoff(
        first: .milliseconds(3), longest: .milliseconds(500), failures: failures)
      let whole = min(
        .milliseconds(3) * (1 << min(max(0, failures - 1), 16)), Duration.milliseconds(500))
      let pauses = (0..<50).map { _ in backoff.duration(share: .random(in: 0.5...1, using: &random))
      }
      #expect(pauses.allSatisfy { $0 >= whole / 2 && $0 <= whole })
      #expect(Set(pauses).count > 40)
    }
  }
}
