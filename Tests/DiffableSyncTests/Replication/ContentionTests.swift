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

  /// Of two others, the second has its turn before the participant, and has written at some time.
  private func turns(second time: Int) -> (Contention, end: Duration) {
    var random = SplitMix64(seed: 7)
    var contention = Contention(participant: 7, longestPause: .seconds(5))
    contention.won(after: .milliseconds(1))
    for (writer, time) in [(1, 0), (3, 1), (1, 2), (3, 2 + time), (1, 3 + time)] as [(UInt32, Int)]
    {
      contention.received(entry(of: writer, using: &random), at: .milliseconds(time))
    }
    return (contention, .milliseconds(3 + time))
  }

  @Test("Whoever takes longer than before is waited for longer, unless it was away")
  func slower() {
    for (time, turn) in [(1, 1), (2, 2), (3, 2), (4, 2), (5, 1)] {
      let (contention, end) = turns(second: time)
      #expect(contention.pause(at: end) == .milliseconds(turn) * 1.25, "\(time) ms")
    }
  }

  @Test("Whoever has no turn pauses longer after each loss, and begins anew once it has won")
  func losses() {
    let milli = Duration.milliseconds(1)
    var (contention, time) = turns(second: 1)
    for _ in 0..<2 {
      // It waits for the other one in any case.
      for pause in [milli * 1.25, milli * 1.25, milli * 2, milli * 4, milli * 4] {
        contention.lost(after: milli, at: time, share: 1)
        #expect(contention.pause(at: time) == pause)
      }
      contention.won(after: milli)
    }
  }

  /// The name of an entry with some lot.
  private func entry(
    of participant: UInt32, lot: UInt8 = 9, using random: inout SplitMix64
  ) -> WriteID {
    while true {
      let id = WriteID(of: participant, using: &random)
      if id.lot == lot { return id }
    }
  }

  @Test("Turns go round in the order of the numbers, from whoever has written last")
  func order() {
    let (ring, milli): ([UInt32], Duration) = ([1, 3, 7], .milliseconds(1))
    for participant: UInt32 in [0, 1, 2, 3, 5, 7, 9, .max] {
      var random = SplitMix64(seed: 7)
      var contention = Contention(participant: participant, longestPause: .seconds(5))
      contention.won(after: milli)
      // Each takes an answer of the log, so those before it in the ring take as many.
      for time in 0..<9 {
        let last = ring[time % 3]
        contention.received(entry(of: last, using: &random), at: milli * time)
        guard time > 3 else { continue }
        let others = (1...3).map { ring[(time + $0) % 3] }
        let way = { (number: UInt32) in number > last ? Int(number) : Int(number) + 1 << 32 }
        let before = others.filter { way($0) < way(participant) && $0 != last }
        let pause = contention.pause(at: milli * time)
        let comment: Comment = "\(participant) after \(last): \(String(describing: pause))"
        #expect(pause == (before.isEmpty ? nil : milli * 1.25 * before.count), comment)
        let late = contention.pause(at: milli * time + .microseconds(250))
        #expect(late == pause.map { $0 - .microseconds(250) }, comment)
        #expect(contention.pause(at: milli * (time + 3)) == nil, comment)
      }
    }
  }

  @Test("Whoever keeps to its turns may miss one, and whoever comes back is waited for once")
  func missed() {
    var random = SplitMix64(seed: 7)
    let (milli, patience): (Duration, Duration) = (.milliseconds(1), .microseconds(1250))
    var (contention, time) = (Contention(participant: 7, longestPause: .seconds(5)), Duration.zero)
    contention.won(after: milli)
    func append(_ participants: UInt32...) {
      for participant in participants {
        time += milli
        contention.received(entry(of: participant, using: &random), at: time)
      }
    }
    /// Lets the participant write in vain for 3, which comes before it, or at once.
    func write(waiting isWaiting: Bool) {
      #expect(contention.pause(at: time) == (isWaiting ? patience : nil))
      if isWaiting { time += patience }
      append(7, 1)
    }
    append(1, 3, 7, 1, 3, 7, 1)
    for isWaiting in [true, true, false, false] { write(waiting: isWaiting) }
    append(3, 7, 1)
    for isWaiting in [true, false] { write(waiting: isWaiting) }
  }

  @Test("All that have a turn pause after some entries, after fewer if there is only one of them")
  func stops() {
    let (milli, ring): (Duration, [UInt32]) = (.milliseconds(1), [1, 3])
    for isAlone in [false, true] {
      for participant: UInt32 in [1, 2] {
        for lot: UInt8 in [0, 1, 2, 255] {
          var random = SplitMix64(seed: 7)
          var contention = Contention(participant: participant, longestPause: .seconds(5))
          contention.won(after: milli)
          for time in 0..<6 {
            let id = entry(of: isAlone ? 1 : ring[time % 2], using: &random)
            contention.received(id, at: milli * time)
          }
          contention.received(entry(of: 1, lot: lot, using: &random), at: milli * 6)
          // After 1 comes 2, which has no turn, and then 3.
          let others = participant == 1 && !isAlone ? 1 : 0
          let isStop = participant == 1 && lot < (isAlone ? 1 : 2)
          let pause = milli * 1.25 * others + milli * (isStop ? 12 : 0)
          #expect(
            contention.pause(at: milli * 6) == (pause > .zero ? pause : nil),
            "alone: \(isAlone), \(participant), lot \(lot)")
        }
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
      let pauses = (0..<50).map { _ in backoff.duration(share: .random(in: 0.5...1, using: &random))
      }
      #expect(pauses.allSatisfy { $0 >= whole / 2 && $0 <= whole })
      #expect(Set(pauses).count > 40)
    }
  }
}
