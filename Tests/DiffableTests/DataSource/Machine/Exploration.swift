import Diffable
import DiffableTesting
import TestScope

@testable import DiffableEngine

/// The machine as the explorer drives it: a state is its revision's number, notes are the numbers of
/// the revisions they come from, and who waits is known by its place in the schedule.
typealias SoundMachine = SubscriptionMachine<Int, [Int], Waiter, Waiter>
typealias Step = Transition<Int, [Int]>

/// A process at an operation of its program.
struct Waiter: Hashable, Sendable {
  let process: Int
  let operation: Int
}

extension SubscriptionMachine {
  /// Lets the machine process an event, as a hub does; returns also what is to be done then.
  mutating func process<Result>(
    _ event: (inout Self, inout Actions) -> Result
  ) -> (result: Result, actions: Actions) {
    defer { _checkInvariants() }
    var actions = Actions()
    let result = event(&self, &actions)
    return (result, actions)
  }
}

extension SubscriptionMachine
where State == Int, Notes == [Int], Waiter == DiffableTests.Waiter, SettledWaiter == Waiter {
  func reversible(
    _ direction: UndoDirection, _ scope: UndoScope
  ) -> SoundMachine.History.Reversible? {
    history.reversible(direction, scope)
  }

  mutating func passOver(_ revisions: [Revision], _ direction: UndoDirection) {
    history.passOver(revisions, direction)
  }

  mutating func groupUndo(since revision: Revision, by author: String?) {
    history.groupUndo(since: revision, by: author)
  }
}

/// A set of events: who does what.
struct Scenario {
  var historyLength = 64
  var notesPerGroup = 16
  /// The subscribers by how many revisions may wait for them (0: they coalesce), known to the machine from the start or only later.
  var subscribers: [(limit: Int, after: Revision?, isLate: Bool)]
  var programs: [[Operation]]

  var world: World {
    let machine = SoundMachine(
      historyLength: historyLength, empty: 0, notesPerGroup: notesPerGroup)
    var world = World(
      historyLength: max(0, historyLength), machine: machine,
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
struct Exploration {
  private(set) var runs = 0
  private(set) var counterexample: Counterexample?
  private var schedule: [Int] = []

  /// Every order, up to the first that breaks a law.
  init(every world: World) {
    explore(world)
  }

  /// Every order, or random ones in the place of very many if the scope is the usual one.
  init(_ named: Named<Scenario>) {
    let world = named.value.world
    if named.isExplored {
      self.init(every: world)
    } else {
      self.init(500, randomOrdersOf: world, seed: UInt64(named.runs))
    }
  }

  /// Random orders, up to the first that breaks a law.
  init(_ count: Int, randomOrdersOf world: World, seed: UInt64) {
    var random = SplitMix64(seed: seed)
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

  private mutating func explore(_ world: World) {
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

  private mutating func finish(_ world: inout World) {
    runs += 1
    if world.faults.isEmpty { world.checkAtRest() }
    guard !world.faults.isEmpty else { return }
    counterexample = Counterexample(schedule: schedule, faults: world.faults)
  }
}
