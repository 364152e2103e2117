import Diffable

/// Undo and redo as everybody knows them: two stacks of steps, for all changes and for named ones.
struct UndoStacks {
  enum Direction { case undo, redo }

  enum Kind {
    case change
    case undo([Int])
    case redo(Int)
  }

  /// The revisions that are taken back together, newest first.
  typealias Step = [Int]
  private typealias Pair = [Direction: [Step]]

  private var pairs: [UndoScope: Pair] = [.everything: [:], .named: [:]]

  func top(_ direction: Direction, _ scope: UndoScope) -> Step? { pairs[scope]?[direction]?.last }

  mutating func publish(_ revision: Int, _ kind: Kind, isNamed: (Int) -> Bool) {
    for scope in UndoScope.ofAll {
      var pair = pairs[scope] ?? [:]
      func isInScope(_ revision: Int) -> Bool { scope == .everything || isNamed(revision) }
      let taken: (Direction, Step)? =
        switch kind {
        case .undo(let step): (.undo, step.filter(isInScope))
        case .redo(let number): (.redo, [number].filter(isInScope))
        case .change: nil
        }
      if let (direction, step) = taken, Self.remove(step, direction, from: &pair) {
        pair[direction == .undo ? .redo : .undo, default: []].append([revision])
      } else if isInScope(revision) {
        pair[.undo, default: []].append([revision])
        pair[.redo] = []
      }
      pairs[scope] = pair
    }
  }

  /// Nothing was left of a step.
  mutating func pass(_ step: Step, _ direction: Direction, isNamed: (Int) -> Bool) {
    for scope in UndoScope.ofAll {
      var pair = pairs[scope] ?? [:]
      _ = Self.remove(step.filter { scope == .everything || isNamed($0) }, direction, from: &pair)
      pairs[scope] = pair
    }
  }

  mutating func group(since base: Int) {
    for scope in UndoScope.ofAll {
      let undo = pairs[scope]?[.undo] ?? []
      guard let first = undo.firstIndex(where: { $0[0] > base }) else { continue }
      pairs[scope]?[.undo] = undo[..<first] + [undo[first...].reversed().flatMap { $0 }]
    }
  }

  /// Takes revisions from the top of a stack, if they are there; what is left of a step stays one.
  private static func remove(_ revisions: Step, _ direction: Direction, from pair: inout Pair)
    -> Bool
  {
    var (steps, left) = (pair[direction] ?? [], revisions)
    guard !left.isEmpty else { return false }
    while !left.isEmpty {
      guard let step = steps.popLast() else { return false }
      let count = min(step.count, left.count)
      guard step.prefix(count) == left.prefix(count) else { return false }
      left.removeFirst(count)
      if count < step.count { steps.append(Array(step[count...])) }
    }
    pair[direction] = steps
    return true
  }
}
