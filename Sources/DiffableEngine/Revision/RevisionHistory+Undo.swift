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
    guard let top = position(in: scope)?[direction] else { return nil }
    var revisions = [top]
    if direction == .undo, var base = groupBase(of: top, scope) {
      var next = position(before: top, scope)?.undo
      while let change = next, change > base {
        revisions.append(change)
        if let other = groupBase(of: change, scope) { base = min(base, other) }
        next = position(before: change, scope)?.undo
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
  /// - Parameter author: Whose undo it is; `nil` for the scopes of all writers.
  /// - Complexity: O(1).
  mutating func groupUndo(since revision: Revision, by author: String?) {
    for scope in author.map({ [.author($0)] }) ?? UndoScope.ofAll {
      if let top = position(in: scope)?.undo { group(top, downTo: revision, scope) }
    }
  }

  /// Lets undo revert all changes since a base together with a later one.
  private mutating func group(_ top: Revision, downTo base: Revision, _ scope: UndoScope) {
    guard top > base, contains(top) else { return }
    let lowest = min(groupBase(of: top, scope) ?? base, base)
    if case .author(let name) = scope {
      entries[slot(top)]?.authors[name]?.groupBase = lowest
    } else {
      entries[slot(top)]?.groupBase = lowest
    }
  }

  /// Removes revisions from the stacks because their reversal changed nothing and made no revision.
  ///
  /// - Parameter revisions: The revisions, newest first.
  /// - Complexity: O(k) for k revisions.
  mutating func passOver(_ revisions: [Revision], _ direction: UndoDirection) {
    for scope in scopes(of: revisions) {
      guard let below = position(below: revisions, direction, scope) else { continue }
      if case .author(let name) = scope {
        authors[name]?[direction] = below[direction]
      } else {
        entries[slot(live)]?.positions[scope][direction] = below[direction]
      }
      if direction == .undo { keepGroup(of: revisions, scope) }
    }
  }

  /// Lets what an undo in one scope has left of a step in the other scope stay one step.
  ///
  /// - Parameter revisions: The revisions that were the top of the stack, newest first.
  /// - Complexity: O(k) for k revisions.
  private mutating func keepGroup(of revisions: [Revision], _ scope: UndoScope) {
    guard let base = revisions.compactMap({ groupBase(of: $0, scope) }).min(),
      let top = position(in: scope)?.undo
    else { return }
    group(top, downTo: base, scope)
  }

  /// Does that after a revision of a kind.
  ///
  /// - Complexity: O(k) for k revisions that it reverts.
  mutating func keepGroups(after kind: RevisionKind) {
    guard case .undo(of: let revisions) = kind else { return }
    for scope in scopes(of: revisions) where position(in: scope)?.redo == live {
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

  /// The undo and redo positions of all writers after one more revision.
  func positions(after kind: RevisionKind) -> UndoPositions {
    var positions = self.positions(at: live) ?? UndoPositions()
    // By patterns: to compare values that have texts takes longer than the rest.
    let isChange = if case .nothing = kind { false } else { true }
    if let all = position(after: kind, isNew: isChange, .everything) { positions.everything = all }
    if let named = position(after: kind, isNew: name(of: kind) != nil, .named) {
      positions.named = named
    }
    return positions
  }

  /// The undo and redo positions of authors after one more revision that is about their changes.
  ///
  /// - Complexity: O(k) for k revisions that it reverts.
  func authorPositions(after kind: RevisionKind) -> [String: UndoPosition] {
    var positions: [String: UndoPosition] = [:]
    switch kind {
    case .nothing, .change(nil, by: _), .change(_, by: nil): break
    case .change(_?, by: let name?): positions[name] = UndoPosition(undo: live.next, redo: nil)
    case .undo(of: let revisions):
      for name in names(ofAuthorsOf: revisions) {
        positions[name] = position(after: kind, isNew: false, .author(name))
      }
    case .redo(of: let revision):
      for name in names(ofAuthorsOf: [revision]) {
        positions[name] = position(after: kind, isNew: false, .author(name))
      }
    }
    return positions
  }

  /// The position after one more revision; `nil` if it stays as it is.
  ///
  /// - Parameter isNew: Whether the scope takes the revision as a new change, unless it reverts one.
  private func position(
    after kind: RevisionKind, isNew: Bool, _ scope: UndoScope
  ) -> UndoPosition? {
    switch kind {
    case .undo(of: let changes):
      if let below = position(below: changes, .undo, scope) {
        return UndoPosition(undo: below.undo, redo: live.next)
      }
    case .redo(of: let undo):
      if let below = position(below: [undo], .redo, scope) {
        return UndoPosition(undo: live.next, redo: below.redo)
      }
    case .nothing, .change: break
    }
    return isNew ? UndoPosition(undo: live.next, redo: nil) : nil
  }

  /// The position before the oldest of some revisions; `nil` if they are not the top of a stack.
  ///
  /// - Parameter revisions: The revisions, newest first. Those that are not in the scope do not count.
  private func position(
    below revisions: [Revision], _ direction: UndoDirection, _ scope: UndoScope
  ) -> UndoPosition? {
    var top = position(in: scope)?[direction]
    var below: UndoPosition?
    for revision in revisions where isPart(revision, of: scope) {
      guard revision == top else { return nil }
      below = position(before: revision, scope) ?? UndoPosition()
      top = below?[direction]
    }
    return below
  }

  // MARK: Scopes

  /// The scopes that some revisions may belong to.
  private func scopes(of revisions: [Revision]) -> [UndoScope] {
    UndoScope.ofAll + names(ofAuthorsOf: revisions).map(UndoScope.author)
  }

  private func names(ofAuthorsOf revisions: [Revision]) -> Set<String> {
    revisions.reduce(into: []) { names, revision in
      guard contains(revision), let authors = entries[slot(revision)]?.authors else { return }
      names.formUnion(authors.keys)
    }
  }

  private func isPart(_ revision: Revision, of scope: UndoScope) -> Bool {
    switch scope {
    case .everything: true
    case .named: entry(at: revision)?.name != nil
    case .author(let name): entry(at: revision)?.authors[name] != nil
    }
  }

  /// The position of undo and redo now.
  private func position(in scope: UndoScope) -> UndoPosition? {
    if case .author(let name) = scope { authors[name] } else { positions(at: live)?[scope] }
  }

  /// The position before a revision that belongs to the scope.
  private func position(before revision: Revision, _ scope: UndoScope) -> UndoPosition? {
    if case .author(let name) = scope {
      entry(at: revision)?.authors[name]?.before
    } else {
      positions(at: revision.previous)?[scope]
    }
  }

  private func groupBase(of revision: Revision, _ scope: UndoScope) -> Revision? {
    if case .author(let name) = scope {
      entry(at: revision)?.authors[name]?.groupBase
    } else {
      entry(at: revision)?.groupBase
    }
  }
}
