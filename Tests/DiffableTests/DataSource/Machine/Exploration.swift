import Diffable
import TestScope

@testable import DiffableEngine

/// A set of events: who does what.
struct Scenario {
  var historyLength = 64
  var notesPerGroup = 16
  /// The subscribers by how many revisions may wait for them (0: they coalesce), known to the machine from the start or only later.
  var subscribers: [(limit: Int, after: Revision?, isLate: Bool)]
  var programs: [[Operation]]

  func world<Machine: MachineUnderTest>(
    of machine: (SoundMachine) -> Machine
  ) -> World<Machine> {
    let sound = SoundMachine(
      historyLength: historyLength, empty: 0, notesPerGroup: notesPerGroup)
    var world = World(
      historyLength: max(0, historyLength), machine: machine(sound),
      processes: programs.map { .init(program: $0) },
      subscribers: subscribers.map { subscriber in
        .init(
          policy: subscriber.limit == 0 ? .coalesced : .every(limit: subscriber.limit),
          limit: subscriber.limit, after: subscriber.after)
      })
    for (number, subscriber) in subscribers.enumerated() where !subscriber.isLate {
      world.subscribe(number)
    }
    return world
  }
}

/// A schedule that breaks a law.
struct Counterexample: CustomStringConvertible {
  let schedule: [Int]
  let faults: [String]

  var description: String {
    "after the schedule \(schedule): \(faults.joined(separator: "; "))"
  }
}

/// Runs a scenario in every order its steps can come in, or in random ones.
struct Exploration<Machine: MachineUnderTest> {
  private(set) var runs = 0
  private(set) var counterexample: Counterexample?
  private var schedule: [Int] = []

  /// Every order, up to the first that breaks a law.
  init(every world: World<Machine>) {
    explore(world)
  }

  /// Every order, or random ones in the place of very many if the scope is the usual one.
  init(_ named: Named<Scenario>, of machine: (SoundMachine) -> Machine) {
    let world = named.value.world(of: machine)
    if named.isExplored {
      self.init(every: world)
    } else {
      self.init(500, randomOrdersOf: world, seed: UInt64(named.runs))
    }
  }

  /// Random orders, up to the first that breaks a law.
  init(_ count: Int, randomOrdersOf world: World<Machine>, seed: UInt64) {
    var random = SplitMix(seed: seed)
    while runs < count, counterexample == nil {
      var world = world
      schedule = []
      while world.faults.isEmpty, let next = world.enabled.randomElement(using: &random) {
        schedule.append(next)
        world.step(next)
      }
      finish(&world)
    }
  }

  private mutating func explore(_ world: World<Machine>) {
    let enabled = world.faults.isEmpty ? world.enabled : []
    guard !enabled.isEmpty else {
      var world = world
      return finish(&world)
    }
    for index in enabled where counterexample == nil {
      var next = world
      next.step(index)
      schedule.append(index)
      explore(next)
      schedule.removeLast()
    }
  }

  private mutating func finish(_ world: inout World<Machine>) {
    runs += 1
    if world.faults.isEmpty { world.checkAtRest() }
    guard !world.faults.isEmpty else { return }
    counterexample = Counterexample(schedule: schedule, faults: world.faults)
  }
}

/// A small generator whose sequence depends on the seed alone.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
