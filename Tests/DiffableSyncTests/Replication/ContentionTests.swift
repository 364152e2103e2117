import DiffableTesting
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// Participants that all write as fast as they can, at several distances from the log, in virtual time.
@Suite("Participants take turns")
struct ContentionTests {
  /// A race of some participants for the entries of a log.
  private struct Race {
    enum Event {
      case propose
      case arrive(base: Int)
      case won
      case lost(base: Int)
    }

    var wins: [Int]
    var offers = 0
    var time = 0.0

    /// - Parameter distances: The time of a message between each participant and the log.
    init(_ distances: [Double], entries: Int, seed: UInt64, pauses: Bool) {
      var random = SplitMix64(seed: seed)
      var events: [(time: Double, number: Int, participant: Int, event: Event)] = []
      var (number, end, free) = (0, 0, 0.0)
      /// When each entry was appended.
      var appended: [Double] = [0]
      var contention = distances.map { _ in Contention(longestPause: .seconds(5)) }
      var (asked, isWinner) = (distances.map { _ in 0.0 }, [-1])
      wins = distances.map { _ in 0 }

      func later(_ delay: Double, _ participant: Int, _ event: Event) {
        number += 1
        events.append((time + delay, number, participant, event))
      }
      func way(_ participant: Int) -> Double {
        distances[participant] * Double.random(in: 0.8...1.3, using: &random)
      }
      /// What a participant knows of the log now.
      func known(_ participant: Int) -> Int {
        appended.lastIndex { $0 + distances[participant] <= time } ?? 0
      }
      func tryAgain(_ participant: Int) {
        if let foreign = isWinner[...known(participant)].lastIndex(where: { $0 != participant }) {
          contention[participant].receivedForeign(Revision(foreign))
        }
        let pause = pauses ? contention[participant].pause(using: &random) : nil
        later((pause ?? .zero) / .microseconds(1) + 1, participant, .propose)
      }

      for participant in distances.indices { later(way(participant), participant, .propose) }
      while end < entries,
        let next = events.indices.min(by: {
          (events[$0].time, events[$0].number) < (events[$1].time, events[$1].number)
        })
      {
        let (now, _, participant, event) = events.remove(at: next)
        time = now
        switch event {
        case .propose:
          offers += 1
          asked[participant] = time
          later(way(participant), participant, .arrive(base: known(participant)))
        case .arrive(let base):
          free = max(free, time) + 50
          guard base == end else {
            later(free - time + way(participant), participant, .lost(base: base))
            continue
          }
          end += 1
          appended.append(free)
          isWinner.append(participant)
          later(free - time + way(participant) * 1.3, participant, .won)
        case .won:
          wins[participant] += 1
          contention[participant].won(after: .microseconds(time - asked[participant]))
          tryAgain(participant)
        case .lost(let base):
          // It waits until it knows who has won.
          guard known(participant) > base else {
            later(distances[participant] / 4, participant, event)
            continue
          }
          contention[participant].lost(after: .microseconds(time - asked[participant]))
          tryAgain(participant)
        }
      }
    }
  }

  @Test("Everybody gets a share, near or far", arguments: [2, 4, 16], 0..<rounds(UInt64(2)))
  func fairness(_ count: Int, _ seed: UInt64) {
    // A third of them is on the machine that leads.
    let distances = (0..<count).map { $0 < max(1, count / 3) ? 400.0 : 1_000.0 }
    let (entries, fair) = (4_000, 4_000 / count)
    let race = Race(distances, entries: entries, seed: seed, pauses: true)
    #expect(race.wins.allSatisfy { $0 > fair / 50 }, "\(race.wins), seed \(seed)")
    #expect(race.offers < entries * 6, "\(race.offers) offers, seed \(seed)")
    // Without pauses some of them starve.
    let rude = Race(distances, entries: entries, seed: seed, pauses: false)
    #expect(rude.wins.contains { $0 <= fair / 50 }, "\(rude.wins), seed \(seed)")
  }

  @Test("A participant that is alone hardly pauses", arguments: 0..<rounds(UInt64(2)))
  func alone(_ seed: UInt64) {
    let race = Race([1_000], entries: 2_000, seed: seed, pauses: true)
    let rude = Race([1_000], entries: 2_000, seed: seed, pauses: false)
    #expect(race.offers == rude.offers)
    #expect(race.time < rude.time * 1.1)
  }

  @Test("One slow answer does not keep a participant waiting for as long")
  func slowAnswer() {
    var random = SplitMix64(seed: 7)
    let longest = Duration.milliseconds(500)
    for answer in [Duration.milliseconds(100), .seconds(20), .seconds(3_600)] {
      var (winner, loser) = (
        Contention(longestPause: longest), Contention(longestPause: longest)
      )
      winner.receivedForeign(Revision(1))
      for _ in 0..<Contention.turn.contended {
        #expect(winner.pause(using: &random) == nil)
        winner.won(after: answer)
      }
      #expect(winner.pause(using: &random).map { $0 <= longest } == true)
      for _ in 0..<20 {
        loser.lost(after: answer)
        #expect(loser.pause(using: &random).map { $0 > .zero && $0 <= longest } == true)
      }
    }
  }

  @Test("Pauses grow up to the longest one, and at most half of each is left to chance")
  func backoff() {
    var random = SplitMix64(seed: 7)
    for failures in 0...80 {
      let backoff = Backoff(
        first: .milliseconds(3), longest: .milliseconds(500), failures: failures)
      let whole = min(
        .milliseconds(3) * (1 << min(max(0, failures - 1), 16)), Duration.milliseconds(500))
      let pauses = (0..<50).map { _ in backoff.duration(using: &random) }
      #expect(pauses.allSatisfy { $0 >= whole / 2 && $0 <= whole })
      #expect(Set(pauses).count > 40)
    }
  }
}
