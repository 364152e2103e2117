import Diffable
import DiffableTesting
import TestScope
import Testing

@testable import DiffableEngine

/// The subscription machine in every order that small sets of events can come in.
///
/// Sets with an end and sets without one are both needed: finishing answers whoever is stuck, and so
/// hides that somebody was.
@Suite struct InterleavingTests {
  /// All sets that are tried at once, and every second of the others.
  private static let scenarios =
    Scenarios.everyPullRequest.filter(\.isSmall)
    + Scenarios.everyPullRequest.filter { !$0.isSmall }.inScope(usual: 2, wide: 2)

  @Test(arguments: scenarios)
  func `No order breaks a law`(_ named: Named<Scenario>) {
    let exploration = Exploration(named)
    #expect(exploration.counterexample == nil, "where orders are random, the seed is \(named.runs)")
    if named.isExplored { #expect(exploration.runs == named.runs) }
  }

  /// The number of runs is that of the set, or of a smaller one that it contains; it takes many minutes.
  @Test(.enabled(if: isLong), arguments: Scenarios.long)
  func `No order of a larger set breaks a law`(_ named: Named<Scenario>) {
    let exploration = Exploration(every: named.value.world)
    #expect(exploration.counterexample == nil && exploration.runs >= named.runs)
  }

  @Test(arguments: Scenarios.large)
  func `No random order of a large set breaks a law`(_ named: Named<Scenario>) {
    let seed: UInt64 = 20_240_613
    let count = scoped(usual: 100, wide: 600, long: 200_000)
    let exploration = Exploration(count, randomOrdersOf: named.value.world, seed: seed)
    #expect(exploration.counterexample == nil, "seed \(seed)")
  }
}

/// A value with words for the test report.
struct Named<Value>: CustomTestStringConvertible, Sendable where Value: Sendable {
  let name: String
  let value: Value
  var runs = 0
  /// Whether every order is tried in the scope of this run, not random ones.
  var isExplored: Bool { isWide || isSmall }
  var isSmall: Bool { runs < 2_000 }

  var testDescription: String { name }
}

/// Undo and redo against plain stacks, two for each scope.
@Suite struct UndoPositionTests {
  /// What all writers do, and the scopes of their undo.
  private static let ofAll: [Operation] =
    [.publish(.animated, notes: false), .publishNamed, .groupUndo(2)]
    + UndoScope.ofAll.flatMap(reversals)
  /// What two authors do, one of them also without a name, and what takes back the changes of both.
  private static let ofAuthors: [Operation] =
    [
      .publishBy("Ann", named: true), .publishBy("Ben", named: true),
      .publishBy("Ben", named: false), .groupUndo(3, by: "Ann"),
    ] + reversals(.author("Ann")) + reversals(.named)

  private static func reversals(_ scope: UndoScope) -> [Operation] {
    [.reverse(.undo, scope), .reverse(.redo, scope)]
  }

  private static func world(_ length: Int, _ operations: [Operation]) -> World {
    Scenario(
      historyLength: length, subscribers: [],
      programs: operations.map { Array(repeating: $0, count: 12) }
    ).world
  }

  /// Follows every sequence of operations up to a length, and answers how many there are.
  private static func explore(
    _ world: World, _ operations: [Operation], _ depth: Int
  ) -> Int {
    var world = world
    for direction in UndoDirection.allCases {
      for scope in UndoScope.ofAll + [.author("Ann"), .author("Ben")] {
        _ = world.expectReversible(direction, scope)
      }
    }
    guard world.faults.isEmpty else {
      Issue.record("\(world.faults)")
      return 0
    }
    guard depth > 0 else { return 1 }
    return operations.indices.reduce(0) { count, operation in
      var next = world
      next.step(operation)
      return count + explore(next, operations, depth - 1)
    }
  }

  @Test(arguments: [0, 1, 2, 3, 64], [false, true])
  func `Every sequence of changes, undo and redo agrees with the stacks`(
    length: Int, hasAuthors: Bool
  ) {
    let operations = hasAuthors ? Self.ofAuthors : Self.ofAll
    let depth = scoped(usual: 4, wide: 5, long: 7)
    let expected = (0..<depth).reduce(1) { count, _ in count * operations.count }
    #expect(Self.explore(Self.world(length, operations), operations, depth) == expected)
  }

  @Test(arguments: [3, 64], [false, true])
  func `What an undo leaves of a step of three changes stays a step`(
    length: Int, hasAuthors: Bool
  ) {
    // The changes come first, and then what makes a step of them.
    let operations = hasAuthors ? Self.ofAuthors : Self.ofAll + [.groupUndo(3)]
    let (changes, group) = hasAuthors ? (0..<3, 3) : (0..<2, operations.count - 1)
    var worlds = [Self.world(length, operations)]
    for choices in Array(repeating: changes, count: 3) + [group..<group + 1] {
      worlds = worlds.flatMap { world in
        choices.map { choice in
          var next = world
          next.step(choice)
          return next
        }
      }
    }
    let expected = operations.count * operations.count
    for world in worlds { #expect(Self.explore(world, operations, 2) == expected) }
  }

  @Test(arguments: [4, 64], [false, true])
  func `Long random sequences agree with the stacks`(length: Int, hasAuthors: Bool) {
    let seed: UInt64 = 11
    let scopes = UndoScope.ofAll + (hasAuthors ? [.author("Ann"), .author("Ben")] : [])
    let operations =
      Self.ofAll + (hasAuthors ? Self.ofAuthors + Self.reversals(.author("Ben")) : [])
    var programs = operations.map { Array(repeating: $0, count: 40) }
    for scope in scopes {
      programs.append([.passOver(.undo, scope), .passOver(.redo, scope)])
    }
    for count in 1...5 {
      programs.append([.groupUndo(count), .groupUndo(2 * count)])
      if hasAuthors { programs.append([.groupUndo(count, by: "Ben"), .groupUndo(2 * count)]) }
    }
    let world = Scenario(historyLength: length, subscribers: [], programs: programs).world
    let exploration = Exploration(rounds(60), randomOrdersOf: world, seed: seed)
    #expect(exploration.counterexample == nil, "seed \(seed)")
  }
}

/// The machine runs inside a lock, so the last release of a state or a note must not happen there:
/// it would run the `deinit` of an identifier.
@Suite(.deadline) struct ReleasingTests {
  @Test(arguments: [0, 1, 2, 5]) func `The machine releases nothing itself`(length: Int) throws {
    for seed in 0..<UInt64(rounds(400)) {
      let section = CriticalSection()
      do {
        var program = Program(section, historyLength: length, seed: seed)
        for _ in 0..<60 { program.step() }
      }
      #expect(section.releases == 0, "history \(length), seed \(seed)")
      #expect(section.living == 0, "history \(length), seed \(seed)")
    }
  }

  /// Random events for one machine.
  private struct Program {
    typealias Machine = SubscriptionMachine<Tracked, Tracked, Int, Int>

    private let section: CriticalSection
    private var machine: Machine
    private var random: SplitMix64
    private var cursors: [CursorID] = []
    private var count = 0

    init(_ section: CriticalSection, historyLength: Int, seed: UInt64) {
      self.section = section
      random = SplitMix64(seed: seed)
      machine = Machine(historyLength: historyLength, empty: Tracked(section), notesPerGroup: 1)
    }

    mutating func step() {
      count += 1
      switch Int.random(in: 0..<18, using: &random) {
      case 0..<6: publish()
      case 6..<8:
        let policy: UpdatePolicy = Bool.random(using: &random) ? .coalesced : .every(limit: 3)
        cursors.append(inside { machine, _ in machine.subscribe(policy, after: nil) })
      case 8..<11:
        guard let id = cursors.randomElement(using: &random) else { return }
        let answer = inside { $0.begin(id, task: nil, &$1) }
        if case .wait = answer { inside { $0.wait(id, waiter: 0, &$1) } }
      case 11..<13:
        guard let id = cursors.randomElement(using: &random) else { return }
        inside { $0.poll(id, &$1) }
      case 13..<15:
        guard let index = cursors.indices.randomElement(using: &random) else { return }
        let id = cursors.remove(at: index)
        inside { $0.drop(id, &$1) }
      case 15:
        let (state, notes) = (Tracked(section), Tracked(section))
        let jump = Int.random(in: 1..<4, using: &random)
        inside { machine, actions in
          let target = Revision(machine.revision.number + jump)
          return machine.publish(
            state: state, notes: notes, presentation: .animated, kind: .change(name: nil),
            as: target, &actions)
        }
      case 16:
        inside { machine, actions in
          machine.settle(
            machine.revision.next, id: SettlingID(number: 1), task: nil, waiter: 0,
            isCancelled: false, &actions)
        }
      default:
        guard count > 50 else { return }
        let isGone = Bool.random(using: &random)
        inside { isGone ? $0.close(&$1) : $0.finish(&$1) }
      }
    }

    /// Publishes a revision, and joins notes if the machine asks for it, now or after other events.
    private mutating func publish() {
      let notes = Bool.random(using: &random) ? Tracked(section) : nil
      let state = Tracked(section)
      let request = inside {
        $0.publish(
          state: state, notes: notes, presentation: .animated, kind: .change(name: nil), &$1)
      }
      guard let request else { return }
      let joined = Tracked(section)
      if Bool.random(using: &random), let id = cursors.popLast() {
        inside { $0.drop(id, &$1) }
      }
      inside {
        $0.history.replaceNotes(request, by: joined, presentation: .immediate, &$1.released)
      }
    }

    /// Lets the machine process an event inside the lock; what it releases goes outside of it.
    @discardableResult
    private mutating func inside<Result>(
      _ event: (inout Machine, inout Machine.Actions) -> Result
    ) -> Result {
      section.isHeld = true
      let (result, actions) = machine.process(event)
      section.isHeld = false
      return withExtendedLifetime(actions) { result }
    }
  }
}

/// Whether the machine is at work, and what was released meanwhile.
private final class CriticalSection {
  var isHeld = false
  var releases = 0
  var living = 0
}

/// A state or a note that notices when it is released.
///
/// It is `Sendable` for the machine's sake only: the test has one thread.
private final class Tracked: @unchecked Sendable {
  private let section: CriticalSection

  init(_ section: CriticalSection) {
    self.section = section
    section.living += 1
  }

  deinit {
    section.living -= 1
    if section.isHeld { section.releases += 1 }
  }
}
