import DiffableTesting

@testable import Diffable
@testable import DiffableSync

/// Participants that write to one log at the same time, in virtual time.
///
/// All times are in microseconds.
struct WritingRace {
  private enum Event {
    /// A pause is over, unless another one has begun.
    case offer(pause: Int)
    case arrive(base: Int)
    case heard(entry: Int)
    case won(entry: Int)
    case lost(base: Int)
  }

  struct Participant {
    /// The time of a message between it and the log.
    fileprivate let distance: Double
    fileprivate var contention: Contention
    /// The number of entries that it knows.
    fileprivate var known = 0
    /// When its write came, and when it was offered last.
    fileprivate var came = 0.0
    fileprivate var offered = 0.0
    /// The number of its pauses.
    fileprivate var pauses = 0
    fileprivate var isPausing = false
    /// How long each of its writes took.
    fileprivate(set) var writes: [Double] = []

    fileprivate init(distance: Double, contention: Contention) {
      (self.distance, self.contention) = (distance, contention)
    }
  }

  private(set) var participants: [Participant] = []
  private(set) var offers = 0
  private(set) var time = 0.0
  /// The entries, after one that nobody has written.
  private var entries: [WriteID] = []
  private let isPolite: Bool
  private let thinking: Double
  private var random: SplitMix64
  /// When the log has done what it was asked to.
  private var free = 0.0
  /// What happens later, last things first.
  private var events: [(time: Double, participant: Int, event: Event)] = []

  /// The number of entries of each participant.
  var wins: [Int] { participants.map(\.writes.count) }
  /// How long the writes took, shortest first.
  var writes: [Double] { participants.flatMap(\.writes).sorted() }

  /// - Parameters:
  ///   - distances: The time of a message between each participant and the log.
  ///   - thinking: The mean time from an own entry to the next write.
  init(
    _ distances: [Double], entries count: Int, seed: UInt64, pauses isPolite: Bool = true,
    thinking: Double = 0
  ) {
    (random, self.isPolite, self.thinking) = (SplitMix64(seed: seed), isPolite, thinking)
    entries = [WriteID(using: &random)]
    for (participant, distance) in distances.enumerated() {
      let contention = Contention(
        participant: .random(in: .min ... .max, using: &random), longestPause: .seconds(5))
      participants.append(Participant(distance: distance, contention: contention))
      pause(participant, way(participant))
    }
    while entries.count <= count, let next = events.popLast() {
      time = next.time
      take(next.event, next.participant)
    }
  }

  private mutating func take(_ event: Event, _ participant: Int) {
    switch event {
    case .offer(let pause): if pause == participants[participant].pauses { offer(participant) }
    case .arrive(let base):
      free = max(free, time) + 50
      guard base == entries.count - 1 else {
        return later(free - time + way(participant), participant, .lost(base: base))
      }
      let number = participants[participant].contention.participant
      entries.append(WriteID(of: number, using: &random))
      let entry = entries.count - 1
      for other in participants.indices where other != participant {
        later(free - time + participants[other].distance, other, .heard(entry: entry))
      }
      later(free - time + way(participant) * 1.3, participant, .won(entry: entry))
    case .heard(let entry):
      hear(entry, participant)
      if isPolite, participants[participant].isPausing, participants[participant].came <= time {
        offer(participant)
      }
    case .won(let entry):
      participants[participant].writes.append(time - participants[participant].came)
      participants[participant].contention.won(after: answer(participant))
      hear(entry, participant)
      let thought = Double.random(in: 0...2, using: &random) * thinking
      participants[participant].came = time + thought
      pause(participant, thought + 1)
    case .lost(let base):
      // It waits until it knows who has won.
      guard participants[participant].known > base else {
        return later(participants[participant].distance / 4, participant, event)
      }
      participants[participant].contention.lost(
        after: answer(participant), at: .microseconds(time),
        share: .random(in: 0.5...1, using: &random))
      offer(participant)
    }
  }

  /// Offers the next entry, or pauses.
  private mutating func offer(_ participant: Int) {
    if isPolite, let left = participants[participant].contention.pause(at: .microseconds(time)) {
      return pause(participant, left / .microseconds(1) + 1)
    }
    offers += 1
    (participants[participant].offered, participants[participant].isPausing) = (time, false)
    participants[participant].pauses += 1
    later(way(participant), participant, .arrive(base: participants[participant].known))
  }

  private mutating func pause(_ participant: Int, _ pause: Double) {
    participants[participant].pauses += 1
    participants[participant].isPausing = true
    later(pause, participant, .offer(pause: participants[participant].pauses))
  }

  private mutating func hear(_ entry: Int, _ participant: Int) {
    guard entry > participants[participant].known else { return }
    participants[participant].known = entry
    participants[participant].contention.received(entries[entry], at: .microseconds(time))
  }

  private func answer(_ participant: Int) -> Duration {
    .microseconds(time - participants[participant].offered)
  }

  private mutating func later(_ delay: Double, _ participant: Int, _ event: Event) {
    let place = events.lastIndex { $0.time > time + delay }.map { $0 + 1 } ?? 0
    events.insert((time + delay, participant, event), at: place)
  }

  private mutating func way(_ participant: Int) -> Double {
    participants[participant].distance * .random(in: 0.8...1.3, using: &random)
  }
}
