extension RevisionHistory {
  /// A revision that undo or redo can revert.
  package struct Reversible: Sendable {
    package let revision: Revision
    package let name: String?
    /// The state before it.
    package let before: State
    /// The state that it made.
    package let after: State
    /// The notes of the revision.
    package let notes: Notes?

    /// Its name and number, for callers that do not need the states.
    package var change: UndoableChange { UndoableChange(revision: revision, name: name) }

    /// What a revision that reverts it is.
    package func kind(_ direction: UndoDirection) -> RevisionKind {
      direction == .undo ? .undo(of: revision) : .redo(of: revision)
    }
  }

  /// What undo or redo reverts next; `nil` if there is nothing, or the ring no longer has it.
  ///
  /// - Complexity: O(1).
  func reversible(_ direction: UndoDirection, _ scope: UndoScope) -> Reversible? {
    positions(at: live)?[scope][direction].flatMap(reversal(of:))
  }

  /// The change of one revision; `nil` if the ring does not have it and the state before.
  ///
  /// - Complexity: O(1).
  func reversal(of revision: Revision) -> Reversible? {
    guard let entry = entry(at: revision), let before = self.entry(at: revision.previous)
    else { return nil }
    return Reversible(
      revision: revision, name: entry.name, before: before.state, after: entry.state,
      notes: entry.notes)
  }

  /// Removes a revision from the stacks because its reversal changed nothing and made no revision.
  ///
  /// - Complexity: O(1).
  mutating func passOver(_ revision: Revision, _ direction: UndoDirection) {
    let below = positions(at: revision.previous)
    for scope in UndoScope.allCases
    where positions(at: live)?[scope][direction] == revision {
      entries[slot(live)]?.positions[scope][direction] = below?[scope][direction]
    }
  }

  /// The name of a revision of a kind: the name of what it reverts, or its own.
  package func name(of kind: RevisionKind) -> String? {
    switch kind {
    case .change(let name): name
    case .undo(of: let revision), .redo(of: let revision): entry(at: revision)?.name
    }
  }

  /// The undo and redo positions after one more revision.
  func positions(after kind: RevisionKind) -> UndoPositions {
    var positions = self.positions(at: live) ?? UndoPositions()
    var below: UndoPositions?
    switch kind {
    case .change: break
    case .undo(of: let revision), .redo(of: let revision):
      below = self.positions(at: revision.previous)
    }
    let isNamed = name(of: kind) != nil
    for scope in UndoScope.allCases {
      positions[scope] = positions[scope].advanced(
        to: live.next, by: kind, isInScope: scope == .everything || isNamed, below: below?[scope])
    }
    return positions
  }
}

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

/// A change that undo or redo reverts next.
public struct UndoableChange: Hashable, Sendable {
  /// The revision that made it.
  public let revision: Revision
  /// Its name, for a menu.
  public let name: String?
}

/// The changes that undo and redo work on.
public enum UndoScope: Hashable, Sendable, CaseIterable {
  /// All changes of all writers.
  case everything
  /// Changes that have a name; unnamed changes stay.
  case named
}
