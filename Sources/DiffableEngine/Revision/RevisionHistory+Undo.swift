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

  /// Does that in every scope after an undo.
  ///
  /// - Complexity: O(k) for k revisions that it reverts.
  mutating func keepGroups(of revisions: [Revision]) {
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

  /// The undo and redo positions after one more revision: those of all writers, and those of the authors
  /// whose changes it is about.
  ///
  /// - Complexity: O(k) for k revisions that it reverts.
  func positions(
    after kind: RevisionKind, named name: String?
  ) -> (ofAll: UndoPositions, ofAuthors: [String: UndoPosition]) {
    var positions = (entries.isEmpty ? nil : entries[slot(live)]?.positions) ?? UndoPositions()
    var authors: [String: UndoPosition] = [:]
    switch kind {
    case .nothing: break
    case .change(_, by: let author):
      let top = UndoPosition(undo: live.next, redo: nil)
      positions.everything = top
      if name != nil {
        positions.named = top
        if let author { authors[author] = top }
      }
    case .undo(of: let revisions):
      revert(revisions, .undo) { UndoPosition(undo: $0.undo, redo: live.next) }
    case .redo(of: let revision):
      revert([revision], .redo) { UndoPosition(undo: live.next, redo: $0.redo) }
    }
    /// Sets the positions after a revision that reverts the top of the stacks; in scopes in which others are
    /// on top, it is a new change.
    func revert(
      _ revisions: [Revision], _ direction: UndoDirection, _ after: (UndoPosition) -> UndoPosition
    ) {
      let new = UndoPosition(undo: live.next, redo: nil)
      positions.everything = position(below: revisions, direction, .everything).map(after) ?? new
      if let below = position(below: revisions, direction, .named) {
        positions.named = after(below)
      } else if name != nil {
        positions.named = new
      }
      for author in names(ofAuthorsOf: revisions) {
        authors[author] = position(below: revisions, direction, .author(author)).map(after)
      }
    }
    return (positions, authors)
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
