/// What a revision did to the state: something new, or a change taken back.
package enum RevisionKind: Hashable, Sendable {
  case change(name: String?)
  /// Takes back what a revision changed.
  case undo(of: Revision)
  /// Takes back an undo.
  case redo(of: Revision)
}

/// One of the two ways through the history.
package enum UndoDirection: Hashable, Sendable, CaseIterable {
  case undo
  case redo
}

/// Where undo and redo stand at a revision, in one scope.
///
/// Both are stacks: a change goes onto the one, undo moves it to the other, redo moves it back, and a
/// new change empties that other one. They need no storage of their own. What lies below a revision
/// on its stack is what lay on top when it came, and the revision before it knows that. So a revision
/// remembers the two tops only, and the ring holds both stacks, as far back as it goes.
struct UndoPosition: Hashable, Sendable {
  /// The change that undo takes back.
  var undo: Revision?
  /// The undo that redo takes back.
  var redo: Revision?

  subscript(direction: UndoDirection) -> Revision? {
    get { direction == .undo ? undo : redo }
    set { if direction == .undo { undo = newValue } else { redo = newValue } }
  }

  /// The position after one more revision.
  ///
  /// - Parameters:
  ///   - revision: The number of that revision.
  ///   - isInScope: Whether undo takes it back, if it is a change like any other.
  ///   - below: The position before the revision that it takes back, if it takes one back.
  func advanced(
    to revision: Revision, by kind: RevisionKind, isInScope: Bool, below: UndoPosition?
  ) -> UndoPosition {
    switch kind {
    case .undo(of: let change) where change == undo:
      UndoPosition(undo: below?.undo, redo: revision)
    case .redo(of: let change) where change == redo:
      UndoPosition(undo: revision, redo: below?.redo)
    default:
      isInScope ? UndoPosition(undo: revision, redo: nil) : self
    }
  }
}

/// Where undo and redo stand at a revision.
struct UndoPositions: Hashable, Sendable {
  private var everything = UndoPosition()
  private var named = UndoPosition()

  subscript(scope: UndoScope) -> UndoPosition {
    get { scope == .everything ? everything : named }
    set { if scope == .everything { everything = newValue } else { named = newValue } }
  }
}
