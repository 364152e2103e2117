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

    /// At least one, newest first.
    package let revisions: [Revision]
    /// The name of the newest one that has a name.
    package let name: String?
    /// What they changed, newest first.
    package let changes: [Change]

    /// What a revision that reverts it is.
    package func kind(_ direction: UndoDirection) -> RevisionKind {
      direction == .undo ? .undo(of: revisions) : .redo(of: revisions[0])
    }
  }

  /// What undo or redo reverts next; `nil` if there is nothing, or the ring no longer has all of it.
  ///
  /// - Complexity: O(k) for k changes that are reverted.
  func reversible(_ direction: UndoDirection, _ scope: UndoScope) -> Reversible? {
    guard let top = tops[scope]?[direction] else { return nil }
    var revisions = [top]
    if direction == .undo, let newest = step(of: top, scope), var base = newest.groupBase {
      var next = newest.before.undo
      while let change = next, change > base {
        revisions.append(change)
        let step = step(of: change, scope)
        if let other = step?.groupBase { base = min(base, other) }
        next = step?.before.undo
      }
    }
    return reversal(of: revisions)
  }

  /// The changes of some revisions; `nil` if the ring does not have one of them, or the state before it.
  ///
  /// - Parameter revisions: The revisions, newest first.
  /// - Complexity: O(k) for k revisions.
  func reversal(of revisions: [Revision]) -> Reversible? {
    guard !revisions.isEmpty else { return nil }
    var changes: [Reversible.Change] = []
    for revision in revisions {
      guard let entry = entry(at: revision), let before = self.entry(at: revision.previous)
      else { return nil }
      changes.append(
        .init(
          revision: revision, before: before.state, after: entry.state, notes: entry.notes))
    }
    return Reversible(revisions: revisions, name: name(ofAny: revisions), changes: changes)
  }

  /// Lets undo revert all changes since a revision as one step.
  ///
  /// - Parameter author: Whose undo it is; `nil` for the scopes of all writers.
  /// - Complexity: O(1).
  mutating func groupUndo(since revision: Revision, by author: String?) {
    for scope in author.map({ [.author($0)] }) ?? UndoScope.ofAll {
      if let top = tops[scope]?.undo { group(top, downTo: revision, scope) }
    }
  }

  /// Lets undo revert all changes since a base together with a later one.
  private mutating func group(_ top: Revision, downTo base: Revision, _ scope: UndoScope) {
    guard top > base, contains(top) else { return }
    let lowest = min(step(of: top, scope)?.groupBase ?? base, base)
    entries[slot(top)]?.steps[scope]?.groupBase = lowest
  }

  /// Removes revisions from the stacks because their reversal changed nothing and made no revision.
  ///
  /// - Parameter revisions: The revisions, newest first.
  /// - Complexity: O(k) for k revisions.
  mutating func passOver(_ revisions: [Revision], _ direction: UndoDirection) {
    for scope in scopes(of: revisions) {
      guard let below = position(below: revisions, direction, scope) else { continue }
      passOver(revisions, direction, to: below, scope)
    }
  }

  /// Removes revisions from a stack, of which they are the top.
  private mutating func passOver(
    _ revisions: [Revision], _ direction: UndoDirection, to below: UndoPosition, _ scope: UndoScope
  ) {
    tops[scope]?[direction] = below[direction]
    if direction == .undo { keepGroup(of: revisions, scope) }
  }

  /// Lets what an undo in one scope has left of a step in the other scope stay one step.
  ///
  /// - Parameter revisions: The revisions that were the top of the stack, newest first.
  /// - Complexity: O(k) for k revisions.
  private mutating func keepGroup(of revisions: [Revision], _ scope: UndoScope) {
    guard let base = revisions.compactMap({ step(of: $0, scope)?.groupBase }).min(),
      let top = tops[scope]?.undo
    else { return }
    group(top, downTo: base, scope)
  }

  /// Does that in every scope after an undo.
  ///
  /// - Complexity: O(k) for k revisions that it reverts.
  mutating func keepGroups(of revisions: [Revision]) {
    for scope in scopes(of: revisions) where tops[scope]?.redo == live {
      keepGroup(of: revisions, scope)
    }
  }

  /// The name of a revision of a kind: the name of what it reverts, or its own.
  func name(of kind: RevisionKind) -> String? {
    switch kind {
    case .change(let name, by: _): name
    case .nothing: nil
    case .undo(of: let revisions): name(ofAny: revisions)
    case .redo(of: let revision): entry(at: revision)?.name
    }
  }

  private func name(ofAny revisions: [Revision]) -> String? {
    revisions.lazy.compactMap { entry(at: $0)?.name }.first
  }

  /// Moves undo and redo past one more revision, in the scopes of all writers, and in those of the authors
  /// whose changes it is about.
  ///
  /// - Returns: What the revision is in these scopes.
  /// - Complexity: O(k) for k revisions that it reverts.
  mutating func moveTops(past kind: RevisionKind, named name: String?) -> ByScope<UndoStep> {
    let next = live.next
    let new = UndoPosition(undo: next, redo: nil)
    var steps = ByScope<UndoStep>()
    switch kind {
    case .nothing: break
    case .change(_, by: let author):
      move(.everything, to: new)
      if name != nil {
        move(.named, to: new)
        if let author { move(.author(author), to: new) }
      }
    case .undo(of: let revisions):
      revert(revisions, .undo) { UndoPosition(undo: $0.undo, redo: next) }
    case .redo(of: let revision):
      revert([revision], .redo) { UndoPosition(undo: next, redo: $0.redo) }
    }
    func move(_ scope: UndoScope, to top: UndoPosition) {
      steps[scope] = UndoStep(before: tops[scope] ?? UndoPosition())
      tops[scope] = top
    }
    /// Moves past a revision that reverts the top of the stacks; in scopes in which others are on top, it is
    /// a new change.
    func revert(
      _ revisions: [Revision], _ direction: UndoDirection, _ after: (UndoPosition) -> UndoPosition
    ) {
      for scope in scopes(of: revisions) {
        if let below = position(below: revisions, direction, scope) {
          // An author does not revert what also reverts the changes of others.
          if case .author = scope, revisions.contains(where: { step(of: $0, scope) == nil }) {
            passOver(revisions, direction, to: below, scope)
          } else {
            move(scope, to: after(below))
          }
        } else if scope == .everything || scope == .named && name != nil {
          move(scope, to: new)
        }
      }
    }
    return steps
  }

  /// The position before the oldest of some revisions; `nil` if they are not the top of a stack.
  ///
  /// - Parameter revisions: The revisions, newest first. Those that are not in the scope do not count.
  private func position(
    below revisions: [Revision], _ direction: UndoDirection, _ scope: UndoScope
  ) -> UndoPosition? {
    var top = tops[scope]?[direction]
    var below: UndoPosition?
    for revision in revisions where scope == .everything || step(of: revision, scope) != nil {
      guard revision == top else { return nil }
      // What has left the ring counts as nothing.
      let before = contains(revision.previous) ? step(of: revision, scope)?.before : nil
      below = before ?? UndoPosition()
      top = below?[direction]
    }
    return below
  }

  /// The scopes that some revisions may belong to.
  private func scopes(of revisions: [Revision]) -> [UndoScope] {
    let authors: Set<String> = revisions.reduce(into: []) { names, revision in
      guard contains(revision), let steps = entries[slot(revision)]?.steps else { return }
      names.formUnion(steps.authors.keys)
    }
    return UndoScope.ofAll + authors.map(UndoScope.author)
  }

  /// What a revision in the ring is in a scope; `nil` if it is nothing there.
  func step(of revision: Revision, _ scope: UndoScope) -> UndoStep? {
    contains(revision) ? entries[slot(revision)]?.steps[scope] : nil
  }
}

/// What a revision did to the state: a new change, or a reverted one.
package enum RevisionKind: Hashable, Sendable {
  /// A new change, and who has made it, if undo is to know that.
  case change(name: String?, by: String? = nil)
  /// Nothing to revert: it leaves the state as it was, begins the list, or collapses an item whose children could
  /// not be loaded.
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
package enum UndoDirection: String, Hashable, Codable, Sendable, CaseIterable {
  case undo
  case redo
}

/// The position of undo and redo in one scope.
///
/// Undo and redo are stacks. A change is pushed onto the undo stack, undo moves it to the redo
/// stack, redo moves it back, and a new change empties the redo stack. The stacks need no storage.
/// The element below a revision on its stack was the top of the stack when the revision was made,
/// and the revision records that top in its ``UndoStep``. So the history records the two tops only,
/// and the ring holds both stacks, as far back as it reaches. Changes that undo reverts together are the
/// elements from the top of the stack down to a base, which the topmost one records.
struct UndoPosition: Sendable {
  /// The change that undo reverts.
  var undo: Revision?
  /// The undo that redo reverts.
  var redo: Revision?

  subscript(direction: UndoDirection) -> Revision? {
    get { direction == .undo ? undo : redo }
    set { if direction == .undo { undo = newValue } else { redo = newValue } }
  }
}

/// What a revision is to undo in one scope.
struct UndoStep: Sendable {
  /// The position of undo and redo before the revision.
  let before: UndoPosition
  /// The revision after which the changes begin that undo reverts together with this one.
  var groupBase: Revision?
}

/// A value for each scope that has one: most revisions are nothing to most authors.
struct ByScope<Value: Sendable>: Sendable {
  var everything: Value?
  var named: Value?
  var authors: [String: Value] = [:]

  subscript(scope: UndoScope) -> Value? {
    get {
      switch scope {
      case .everything: everything
      case .named: named
      case .author(let name): authors[name]
      }
    }
    set {
      switch scope {
      case .everything: everything = newValue
      case .named: named = newValue
      case .author(let name): authors[name] = newValue
      }
    }
  }
}
