import DiffableTesting

@testable import Diffable

/// Runs writes of some participants in every order that events can come in, or in random ones.
struct ReplicationExploration {
  /// A schedule that breaks a law.
  struct Counterexample: CustomStringConvertible {
    let events: [ReplicationWorld.Event]
    let fault: String

    var description: String { "\(fault), after \(events)" }
  }

  private(set) var states = 0
  private(set) var counterexample: Counterexample?

  /// Every order; a state that was reached before is not explored again.
  init(every world: ReplicationWorld) {
    var known: Set = [world.fingerprint]
    var reached: [(world: ReplicationWorld, path: [ReplicationWorld.Event])] = [(world, [])]
    while let (world, path) = reached.popLast() {
      states += 1
      let events = world.events
      if let fault = events.allSatisfy(\.isFault) ? world.faultAtEnd : world.fault {
        counterexample = Counterexample(events: path, fault: fault)
        return
      }
      for event in events {
        let next = ReplicationWorld(copying: world)
        let path = path + [event]
        do { try next.perform(event) } catch {
          counterexample = Counterexample(events: path, fault: "\(error)")
          return
        }
        if known.insert(next.fingerprint).inserted { reached.append((next, path)) }
      }
    }
  }

  /// Every order in which a log goes wrong, too.
  ///
  /// Each world is reached from the start.
  init(
    everyMishap mishaps: [ReplicationWorld.Mishap], _ scripts: [[ReplicationWorld.Edit]],
    stores: Int = 0
  ) throws {
    func world(after path: [ReplicationWorld.Event]) throws -> ReplicationWorld {
      try ReplicationWorld(scripts, mishaps: mishaps, stores: stores, after: path)
    }
    let first = try world(after: [])
    var known = Set([first.exactFingerprint])
    var reached = [(path: [ReplicationWorld.Event](), events: first.events)]
    while let (path, events) = reached.popLast() {
      states += 1
      for event in events {
        let path = path + [event]
        let next = try world(after: path)
        guard known.insert(next.exactFingerprint).inserted else { continue }
        let events = next.events
        let isEnd = events.allSatisfy(\.isFault)
        if let fault = isEnd ? next.faultOfLogAtEnd : next.faultOfLog {
          counterexample = Counterexample(events: path, fault: fault)
          return
        }
        reached.append((path, events))
      }
    }
  }

  /// Random orders, with faults for some time and without at the end.
  init(random world: ReplicationWorld, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var path: [ReplicationWorld.Event] = []
    while true {
      let events = world.events
      let calm = events.filter { !$0.isFault }
      if calm.isEmpty { break }
      // A burst of one participant's events is a time in which the others are cut off.
      let isCalm = random.number(below: 10) > 0
      let choice = isCalm || calm.count == events.count ? calm : events
      let event = choice[random.number(below: choice.count)]
      path.append(event)
      do { try world.perform(event) } catch {
        counterexample = Counterexample(events: path.suffix(40), fault: "\(error)")
        return
      }
      states += 1
      // The laws look at everything that has happened.
      if states.isMultiple(of: 97), let fault = world.fault {
        counterexample = Counterexample(events: path.suffix(40), fault: fault)
        return
      }
    }
    if let fault = world.faultAtEnd {
      counterexample = Counterexample(events: path.suffix(40), fault: fault)
    }
  }
}
