extension RevisionHistory {
  /// Revisions that undo or redo can revert in one step.
  package struct Reversible: Sendable {
    /// What one of them changed.
    package struct Change: Sendable {
      package let revision: Revision
      package let before: State
      package let after: State
      package let notes: Notes?
    }

    /// The newest revision.
    let revision: Revision
    /// All of them, newest first.
    package let revisions: [Revision]
    /// The name of the newest one that has a name.
    package let name: String?
    /// What they changed, newest first.
    package let changes: [Change]

    /// What a revision that reverts it is.
    package func kind(_ direction: UndoDirection) -> RevisionKind {
      direction == .undo ? .undo(of: revisions) : .redo(of: revision)
    }
  }

  /// What undo or redo reverts next; `nil` if there is nothing, or the ring no longer has all of it.
  ///
  /// - Complexity: O(k) for k changes that are reverted.
  func reversible(_ direction: UndoDirection, _ scope: UndoScope) -> Reversible? {
    guard let top = positions(at: live)?[scope][direction] else { return nil }
    var revisions = [top]
    if direction == .undo, var base = entry(at: top)?.groupBase {
      var next = positions(at: top.previous)?[scope].undo
      while let change = next, change > base {
        revisions.append(change)
        if let other = entry(at: change)?.groupBase { base = min(base, other) }
        next = positions(at: change.previous)?[scope].undo
      }
    }
    return reversal(of: revisions)
  }

  /// The changes of some revisions; `nil` if the ring does not have one of them, or the state before it.
  ///
  /// - Parameter revisions: The revisions, newest first.
  /// - Complexity: O(k) for k revisions.
  func reversal(of revisions: [Revision]) -> Reversible? {
    guard let newest = revisions.first else { return nil }
    var changes: [Reversible.Change] = []
    for revision in revisions {
      guard let entry = entry(at: revision), let before = self.entry(at: revision.previous)
      else { return nil }
      changes.append(
        .init(
          revision: revision, before: before.state, after: entry.state, notes: entry.notes))
    }
    return Reversible(
      revision: newest, revisions: revisions, name: name(ofAny: revisions), changes: changes)
  }

  /// Lets undo revert all changes since a revision as one step.
  ///
  /// - Complexity: O(1).
  mutating func groupUndo(since revision: Revision) {
    for scope in UndoScope.allCases {
      if let top = positions(at: live)?[scope].undo { group(top, downTo: revision) }
    }
  }

  /// Lets undo revert all changes since a base together with a later one.
  private mutating func group(_ top: Revision, downTo base: Revision) {
    guard top > base, contains(top) else { return }
    let lowest = min(entry(at: top)?.groupBase ?? base, base)
    entries[slot(top)]?.groupBase = lowest
  }

  /// Removes revisions from the stacks because their reversal changed nothing and made no revision.
  ///
  /// - Parameter revisions: The revisions, newest first.
  /// - Complexity: O(k) for k revisions.
  mutating func passOver(_ revisions: [Revision], _ direction: UndoDirection) {
    for scope in UndoScope.allCases {
      guard let below = position(below: revisions, direction, scope) else { continue }
      entries[slot(live)]?.positions[scope][direction] = below[direction]
      if direction == .undo { keepGroup(of: revisions, scope) }
    }
  }

  /// Lets what an undo in one scope has left of a step in the other scope stay one step.
  ///
  /// - Parameter revisions: The revisions that were the top of the stack, newest first.
  /// - Complexity: O(k) for k revisions.
  private mutating func keepGroup(of revisions: [Revision], _ scope: UndoScope) {
    guard let base = revisions.compactMap({ entry(at: $0)?.groupBase }).min(),
      let top = positions(at: live)?[scope].undo
    else { return }
    group(top, downTo: base)
  }

  /// Does that after a revision of a kind.
  ///
  /// - Complexity: O(k) for k revisions that it reverts.
  mutating func keepGroups(after kind: RevisionKind) {
    guard case .undo(of: let revisions) = kind else { return }
    for scope in UndoScope.allCases where positions(at: live)?[scope].redo == live {
      keepGroup(of: revisions, scope)
    }
  }

  /// The name of a revision of a kind: the name of what it reverts, or its own.
  func name(of kind: RevisionKind) -> String? {
    switch kind {
    case .change(let name): name
    case .nothing: nil
    case .undo(of: let revisions): name(ofAny: revisions)
    case .redo(of: let revision): entry(at: revision)?.name
    }
  }

  private func name(ofAny revisions: [Revision]) -> String? {
    revisions.lazy.compactMap { entry(at: $0)?.name }.first
  }

  /// The undo and redo positions after one more revision.
  func positions(after kind: RevisionKind) -> UndoPositions {
    var positions = self.positions(at: live) ?? UndoPositions()
    let isNamed = name(of: kind) != nil
    for scope in UndoScope.allCases {
      switch kind {
      case .undo(of: let changes):
        if let below = position(below: changes, .undo, scope) {
          positions[scope] = UndoPosition(undo: below.undo, redo: live.next)
          continue
        }
      case .redo(of: let undo):
        if let below = position(below: [undo], .redo, scope) {
          positions[scope] = UndoPosition(undo: live.next, redo: below.redo)
          continue
        }
      case .nothing: continue
      case .change: break
      }
      if scope == .everything || isNamed {
        positions[scope] = UndoPosition(undo: live.next, redo: nil)
      }
    }
    return positions
  }

  /// The position before the oldest of some revisions; `nil` if they are not the top of a stack.
  ///
  /// - Parameter revisions: The revisions, newest first. Those that are not in the scope do not count.
  private func position(
    below revisions: [Revision], _ direction: UndoDirection, _ scope: UndoScope
  ) -> UndoPosition? {
    var top = positions(at: live)?[scope][direction]
    var below: UndoPosition?
    for revision in revisions where scope == .everything || entry(at: revision)?.name != nil {
      guard revision == top else { return nil }
      below = positions(at: revision.previous)?[scope] ?? UndoPosition()
      top = below?[direction]
    }
    return below
  }
}

/// What a revision did to the state: a new change, or a reverted one.
package enum RevisionKind: Hashable, Sendable {
  case change(name: String?)
  /// Leaves the state as it was, so there is nothing to revert.
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

/// The positions of undo and redo at a revision.
struct UndoPositions: Hashable, Sendable {
  private var everything = UndoPosition()
  private var named = UndoPosition()

  subscript(scope: UndoScope) -> UndoPosition {
    get { scope == .everything ? everything : named }
    set { if scope == .everything { everything = newValue } else { named = newValue } }
  }
}

/// A change of a list, which can be reverted.
///
/// A write that has changed something returns it, and `nextUndo` names the one that undo reverts next.
public struct UndoableChange: Hashable, Sendable {
  /// The revision that made it.
  public let revision: Revision
  /// Its name, for a menu.
  public let name: String?
  /// The epoch of its source: the same number names another change in another source.
  package let epoch: Epoch

  package init(revision: Revision, name: String?, of epoch: Epoch) {
    (self.revision, self.name, self.epoch) = (revision, name, epoch)
  }
}

/// The changes that undo and redo work on.
public enum UndoScope: Hashable, Sendable, CaseIterable {
  /// All changes of all writers.
  case everything
  /// Changes that have a name; unnamed changes stay.
  case named
}
