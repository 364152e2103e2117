import Diffable

/// Undo and redo as everybody knows them: two stacks for each scope.
struct UndoStacks {
  private struct Pair {
    var undo: [Revision] = []
    var redo: [Revision] = []

    subscript(direction: UndoDirection) -> [Revision] {
      get { direction == .undo ? undo : redo }
      set { if direction == .undo { undo = newValue } else { redo = newValue } }
    }
  }

  private var everything = Pair()
  private var named = Pair()

  func top(_ direction: UndoDirection, _ scope: UndoScope) -> Revision? {
    (scope == .everything ? everything : named)[direction].last
  }

  mutating func publish(_ revision: Revision, _ kind: RevisionKind, isNamed: Bool) {
    Self.publish(revision, kind, on: &everything)
    if isNamed { Self.publish(revision, kind, on: &named) }
  }

  private static func publish(_ revision: Revision, _ kind: RevisionKind, on pair: inout Pair) {
    switch kind {
    case .undo(of: let other) where pair.undo.last == other:
      pair.undo.removeLast()
      pair.redo.append(revision)
    case .redo(of: let other) where pair.redo.last == other:
      pair.redo.removeLast()
      pair.undo.append(revision)
    default:
      pair.undo.append(revision)
      pair.redo = []
    }
  }

  mutating func passOver(_ revision: Revision, _ direction: UndoDirection) {
    if everything[direction].last == revision { everything[direction].removeLast() }
    if named[direction].last == revision { named[direction].removeLast() }
  }
}

extension World {
  /// What undo or redo takes back next, which has to be what the stacks say and the history holds.
  mutating func expectReversible(
    _ direction: UndoDirection, _ scope: UndoScope
  ) -> Revision? {
    let found = machine.reversible(direction, scope)
    let top = undoStacks.top(direction, scope).flatMap { top in
      // The state before it has to be there.
      live.number - (top.number - 1) <= historyLength && !isClosed ? top : nil
    }
    if found?.revision != top {
      faults.append(
        "\(direction) \(scope) would take back \(String(describing: found?.revision)) "
          + "instead of \(String(describing: top))")
    }
    if let found, found.after != found.revision.number || found.before != found.after - 1 {
      faults.append("\(found.revision) is taken back with the states of others")
    }
    if let found, found.name.map({ Int($0) != nil }) != (isNamed(found.revision) ? true : nil) {
      faults.append("\(found.revision) has the name \(String(describing: found.name))")
    }
    return found?.revision
  }

  private func isNamed(_ revision: Revision) -> Bool {
    published[revision.number - 1].isNamed
  }
}
