import Diffable
import Testing
import TestScope

/// Undo and redo against two plain stacks.
@Suite struct UndoPositionTests {
  private static let operations: [Operation] =
    [.publish(.animated, notes: false), .publishNamed]
    + UndoScope.allCases.flatMap { scope -> [Operation] in
      [.reverse(.undo, scope), .reverse(.redo, scope)]
    } + [.groupUndo(2)]

  private static func world(_ length: Int) -> World<SoundMachine> {
    Scenario(
      historyLength: length, subscribers: [],
      programs: operations.map { Array(repeating: $0, count: 12) }
    ).world { $0 }
  }

  /// Follows every sequence of operations up to a length, and answers how many there are.
  private static func explore(_ world: World<SoundMachine>, _ depth: Int) -> Int {
    var world = world
    for direction in UndoDirection.allCases {
      for scope in UndoScope.allCases { _ = world.expectReversible(direction, scope) }
    }
    guard world.faults.isEmpty else {
      Issue.record("\(world.faults)")
      return 0
    }
    guard depth > 0 else { return 1 }
    return operations.indices.reduce(0) { count, operation in
      var next = world
      next.step(operation)
      return count + explore(next, depth - 1)
    }
  }

  @Test(arguments: [0, 1, 2, 3, 64])
  func `Every sequence of changes, undo and redo agrees with two stacks`(length: Int) {
    let depth = scoped(usual: 4, wide: 5, long: 7)
    let expected = (0..<depth).reduce(1) { count, _ in count * Self.operations.count }
    #expect(Self.explore(Self.world(length), depth) == expected)
  }

  @Test(arguments: [4, 64])
  func `Long random sequences agree with two stacks`(length: Int) {
    let seed: UInt64 = 11
    var programs = Self.operations.map { Array(repeating: $0, count: 40) }
    for scope in UndoScope.allCases {
      programs.append([.passOver(.undo, scope), .passOver(.redo, scope)])
    }
    for count in 1...5 { programs.append([.groupUndo(count), .groupUndo(2 * count)]) }
    let world = Scenario(historyLength: length, subscribers: [], programs: programs).world { $0 }
    let exploration = Exploration(rounds(200), randomOrdersOf: world, seed: seed)
    #expect(exploration.counterexample == nil, "seed \(seed)")
  }
}
