/// What a revision did to the state: a new change, or a reverted one.
package enum RevisionKind: Hashable, Sendable {
  /// A new change, and who has made it, if undo is to know that.
  case change(name: String?, by: String? = nil)
  /// Leaves the state as it was, or begins the list, so there is nothing to revert.
  case nothing
  /// Reverts what some revisions changed, newest first.
  case undo(of: [Revision])
  /// Reverts an undo.
  case redo(of: Revision)

  /// What it is if the state stays as it is.
  package var withoutChange: RevisionKind {
    if case .change = self { .nothing } else { self }
  }
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
/// holds both stacks, as far back as it reaches. Changes that undo reverts together are the elements from
/// the top of the stack down to a base, which the topmost one records.
struct UndoPosition: Hashable, Sendable {
  /// The change that undo reverts.
  var undo: Revision?
  /// The undo that redo reverts.
  var redo: Revision?

  subscript(direction: UndoDirection) -> Revision? {
    get { direction == .undo ? undo : redo }
    set { if direction == .undo { undo = newValue } else { redo = newValue } }
  }
}

/// What a revision is to the undo of one author.
///
/// Most revisions are nothing to most authors. So the stacks of an author have their elements at the
/// revisions that are in them, and only the history knows where their tops are.
struct AuthorStep: Hashable, Sendable {
  /// The position of the author's undo and redo before the revision.
  let before: UndoPosition
  /// The revision after which the changes begin that undo reverts together with this one.
  var groupBase: Revision?
}

/// The positions of undo and redo at a revision, in the scopes of all writers.
struct UndoPositions: Hashable, Sendable {
  var everything = UndoPosition()
  var named = UndoPosition()

  subscript(scope: UndoScope) -> UndoPosition {
    get { if case .everything = scope { everything } else { named } }
    set { if case .everything = scope { everything = newValue } else { named = newValue } }
  }
}
