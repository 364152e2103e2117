import ListSupport

@testable import Diffable

/// What each revision of a list has made of the one before, and what can be taken back of it.
@MainActor
final class Timeline {
  /// What has come of taking changes back.
  struct TakenBack {
    /// Newest first.
    let steps: [Change]
    let result: PlainList
    let change: UndoableChange?
    let kind: RevisionKind

    /// What the changes had marked is marked again, as far as they had left it there.
    var marks: Marks {
      steps.reduce(into: Marks()) { marks, step in
        marks.formUnion(step.own.demanding(step.own.all.intersection(step.after.souls)))
        marks.isInPlace = false
      }
    }

    var placed: Set<Int> { steps.reduce(into: []) { $0.formUnion($1.placed) } }
  }

  static let authors = ["Ann", "Ben"]

  private let list: ModelSource<Shelf, Card>
  private let isMerging: Bool
  private var changes: [Int: Change] = [:]
  private var stacks = UndoStacks()
  /// What each revision has shown.
  private var truths: [Int: PlainList] = [:]

  init(of list: ModelSource<Shelf, Card>, isMerging: Bool) {
    (self.list, self.isMerging) = (list, isMerging)
  }

  var everything: [PlainList] { Array(truths.values) }

  /// The newest revision that is known.
  private(set) var newest = Revision(0)

  /// What the list has shown at a revision.
  func truth(_ revision: Int) -> PlainList { truths[revision] ?? PlainList() }

  /// The same; `nil` if nobody has seen it.
  func known(_ revision: Revision) -> PlainList? { truths[revision.number] }

  /// What was marked at a revision.
  func marks(_ revision: Int) -> Marks { changes[revision]?.marks ?? Marks() }

  func note(_ truth: PlainList, at revision: Revision) { truths[revision.number] = truth }

  func note(_ change: Change, at revision: Revision, _ kind: RevisionKind) {
    newest = max(newest, revision)
    truths[revision.number] = change.after
    changes[revision.number] = change
    stacks.publish(revision, kind, isNamed: isNamed)
  }

  private func isNamed(_ revision: Revision) -> Bool { changes[revision.number]?.isNamed ?? false }

  /// Makes one step of all changes since a revision, or of those that an author has made.
  func group(since base: Revision, by author: String?) {
    if let author {
      list.authored(by: author).groupUndo(since: base)
    } else {
      list.groupUndo(since: base)
    }
    stacks.group(since: base, by: author)
  }

  /// Fails unless a menu would name what is taken back next.
  func ask() throws {
    for scope in UndoScope.ofAll + Self.authors.map(UndoScope.author) {
      for direction in UndoDirection.allCases {
        let next = direction == .undo ? list.nextUndo(scope) : list.nextRedo(scope)
        let top = stacks.top(direction, scope)
        try promise(
          next?.revision.number == top?.first?.number,
          "\(direction) \(scope) would take back \(next as Any), not \(top ?? [])")
      }
    }
  }

  /// Takes back or makes again what is on top.
  ///
  /// - Returns: `nil` if there is nothing.
  func reverse(
    _ direction: UndoDirection, _ scope: UndoScope, live: PlainList, fresh: () -> Int
  ) async throws -> TakenBack? {
    let step = stacks.top(direction, scope)
    let done = direction == .undo ? try await list.undo(scope) : try await list.redo(scope)
    guard let step else {
      try promise(done == nil, "there is something to take back, \(done as Any)")
      return nil
    }
    guard let done else { throw Failure("nothing to take back instead of \(step)") }
    try promise(
      done.reversedChange?.revision == step[0],
      "takes back \(done.reversedChange as Any) instead of \(step)")
    let kind: RevisionKind = direction == .undo ? .undo(of: step) : .redo(of: step[0])
    return try takenBack(step, direction, done, kind, live, fresh)
  }

  /// Takes back the change that was made some revisions ago.
  ///
  /// - Returns: `nil` if none was made there.
  func revert(back: Int, live: PlainList, fresh: () -> Int) async throws -> TakenBack? {
    let revision = Revision(await list.revision.number - back)
    guard let change = list.change(of: revision), changes[revision.number] != nil else {
      return nil
    }
    let done = try await list.revert(change)
    return try takenBack([revision], .undo, done, .undo(of: [revision]), live, fresh)
  }

  /// Judges what was taken back, and takes the result over where several are right.
  private func takenBack(
    _ step: UndoStacks.Step, _ direction: UndoDirection, _ done: Transaction<Shelf, Int>,
    _ kind: RevisionKind, _ live: PlainList, _ fresh: () -> Int
  ) throws -> TakenBack {
    let steps = step.compactMap { changes[$0.number] }
    var result = PlainList(done.finalSnapshot)
    try result.takeSouls(
      from: [live] + steps.flatMap { [$0.before, $0.after] }, fresh: fresh)
    try TakingBack(steps: steps, live: live, isMerging: isMerging).judge(result)
    if done.change == nil { stacks.passOver(step, direction, isNamed: isNamed) }
    return TakenBack(steps: steps, result: result, change: done.change, kind: kind)
  }
}
