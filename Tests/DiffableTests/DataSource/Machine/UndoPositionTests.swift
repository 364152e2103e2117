import Diffable
import Testing
import TestScope

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
