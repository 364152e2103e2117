/// What a revision did to the state: a new change, or a reverted one.
package enum RevisionKind: Hashable, Sendable {
  case change(name: String?)
  /// Reverts what a revision changed.
  case undo(of: Revision)
  /// Reverts an undo.
  case redo(of: Revision)
}

/// A direction through the history.
package enum UndoDirection: Hashable, Sendable, CaseIterable {
  case undo
  case redo
}

/// The position of undo and redo at a revision, in one scope.
///
/// Undo and redo are stacks. A change is pushed onto the undo stack, undo moves it to the redo
/// stack, redo moves it back, and a new change empties the redo stack. The stacks need no storage.
/// The element below a revision on its stack was the top of the stack when the revision was made,
/// and the previous revision records that top. So each revision records the two tops only. The ring
/// holds both stacks, as far back as it reaches.
struct UndoPosition: Hashable, Sendable {
  /// The change that undo reverts.
  var undo: Revision?
  /// The undo that redo reverts.
  var redo: Revision?

  subscript(direction: UndoDirection) -> Revision? {
    get { direction == .undo ? undo : redo }
    set { if direction == .undo { undo = newValue } else { redo = newValue } }
  }

  /// The position after one more revision.
  ///
  /// - Parameters:
  ///   - revision: The number of that revision.
  ///   - isInScope: Whether undo reverts it, if it is a new change.
  ///   - below: The position before the revision that it reverts, if it reverts one.
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

/// The positions of undo and redo at a revision.
struct UndoPositions: Hashable, Sendable {
  private var everything = UndoPosition()
  private var named = UndoPosition()

  subscript(scope: UndoScope) -> UndoPosition {
    get { scope == .everything ? everything : named }
    set { if scope == .everything { everything = newValue } else { named = newValue } }
  }
}
