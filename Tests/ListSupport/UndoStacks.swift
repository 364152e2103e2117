package import Diffable

/// Undo and redo as everybody knows them: two stacks of steps for each scope.
package struct UndoStacks {
  /// The revisions that one undo reverts, newest first.
  package typealias Step = [Revision]

  private struct Pair {
    var undo: [Step] = []
    var redo: [Step] = []

    subscript(direction: UndoDirection) -> [Step] {
      get { direction == .undo ? undo : redo }
      set { if direction == .undo { undo = newValue } else { redo = newValue } }
    }

    mutating func push(_ revision: Revision) {
      undo.append([revision])
      redo = []
    }

    /// Removes revisions that are reverted together, if they are the top of a stack.
    ///
    /// In the other scope these may be part of a step, or more than one. What is left of a step stays a
    /// step.
    mutating func remove(_ revisions: [Revision], _ direction: UndoDirection) -> Bool {
      guard !revisions.isEmpty else { return false }
      var (steps, left) = (self[direction], revisions)
      while !left.isEmpty {
        guard let step = steps.popLast() else { return false }
        let count = min(step.count, left.count)
        guard step.prefix(count) == left.prefix(count) else { return false }
        left.removeFirst(count)
        if count < step.count { steps.append(Array(step[count...])) }
      }
      self[direction] = steps
      return true
    }
  }

  private var pairs: [UndoScope: Pair] = [:]
  /// The authors on whose stacks a revision was put.
  private var authors: [Revision: Set<String>] = [:]

  package func top(_ direction: UndoDirection, _ scope: UndoScope) -> Step? {
    pairs[scope]?[direction].last
  }

  package init() {}

  private func isCounted(
    _ revision: Revision, in scope: UndoScope, _ isNamed: (Revision) -> Bool
  ) -> Bool {
    switch scope {
    case .everything: true
    case .named: isNamed(revision)
    case .author(let name): authors[revision]?.contains(name) ?? false
    }
  }

  package mutating func publish(
    _ revision: Revision, _ kind: RevisionKind, isNamed: (Revision) -> Bool
  ) {
    if case .nothing = kind { return }
    if case .change(_?, by: let name?) = kind {
      authors[revision] = [name]
      pairs[.author(name), default: Pair()].push(revision)
    }
    for scope in UndoScope.ofAll where pairs[scope] == nil { pairs[scope] = Pair() }
    for (scope, stacks) in pairs {
      var pair = stacks
      func isPart(_ revision: Revision) -> Bool { isCounted(revision, in: scope, isNamed) }
      if case .undo(of: let others) = kind, pair.remove(others.filter(isPart), .undo) {
        // What also reverts the changes of others is not for an author to make again.
        guard UndoScope.ofAll.contains(scope) || others.allSatisfy(isPart) else {
          pairs[scope] = pair
          continue
        }
        pair.redo.append([revision])
      } else if case .redo(of: let other) = kind, pair.remove([other].filter(isPart), .redo) {
        pair.undo.append([revision])
      } else {
        // Who takes back what is not on top has made a change, but none of its author.
        if UndoScope.ofAll.contains(scope), isPart(revision) { pairs[scope]?.push(revision) }
        continue
      }
      pairs[scope] = pair
      if case .author(let name) = scope { authors[revision, default: []].insert(name) }
    }
  }

  package mutating func passOver(
    _ step: Step, _ direction: UndoDirection, isNamed: (Revision) -> Bool
  ) {
    for scope in pairs.keys {
      let counted = step.filter { isCounted($0, in: scope, isNamed) }
      _ = pairs[scope]?.remove(counted, direction)
    }
  }

  package mutating func group(since base: Revision, by author: String?) {
    for scope in author.map({ [.author($0)] }) ?? UndoScope.ofAll {
      let undo = pairs[scope]?.undo ?? []
      guard let first = undo.firstIndex(where: { $0[0] > base }) else { continue }
      pairs[scope]?.undo = undo[..<first] + [undo[first...].reversed().flatMap { $0 }]
    }
  }
}
