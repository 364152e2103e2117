import Diffable

/// The edits of a user that undo and redo take back, newest last.
///
/// It is a class, so that no state is released inside an exclusive access.
final class EditedSteps<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias State = Snapshot<SectionID, ItemID>

  struct Step {
    let name: String
    /// The number of the edit in the overlay.
    let number: UInt64
    let before: State
    let after: State
    /// What the edit has renamed and marked.
    let marks: State.Marks
    /// The revision of the overlay that has it, as a subscriber: the history keeps what is renamed later.
    let cursor: CursorToken
    let revision: Revision
  }

  private var steps: [UndoDirection: [Step]] = [:]
  private let limit = 64

  func push(_ step: Step, to direction: UndoDirection) {
    var all = steps[direction] ?? []
    all.append(step)
    if all.count > limit { all.removeFirst() }
    let former = steps.updateValue(all, forKey: direction)
    withExtendedLifetime(former) {}
  }

  func pop(_ direction: UndoDirection) -> Step? {
    var all = steps[direction] ?? []
    let step = all.popLast()
    let former = steps.updateValue(all, forKey: direction)
    return withExtendedLifetime(former) { step }
  }

  func last(_ direction: UndoDirection) -> Step? { steps[direction]?.last }

  func removeAll(_ direction: UndoDirection) {
    let former = steps.removeValue(forKey: direction)
    withExtendedLifetime(former) {}
  }
}

extension EditedList {
  /// Shows an edit, and remembers it for undo if it has a name.
  ///
  /// - Throws: What the edit throws, and `DataSourceError`. Nothing has changed then.
  func add(
    _ edit: @escaping Shown.Edit, named name: String?, _ presentation: Presentation
  ) throws -> (edit: Shown.Pending, contradictions: Contradictions<SectionID, ItemID>) {
    let added = try overlay.add(edit, named: name, presentation)
    if name != nil {
      steps.removeAll(.redo)
      remember(added.edit, for: .undo)
    }
    return added
  }

  /// Lets undo or redo take an edit back.
  private func remember(_ edit: Shown.Pending, for direction: UndoDirection) {
    guard let name = edit.name else { return }
    let core = overlay.core
    steps.push(
      .init(
        name: name, number: edit.number, before: edit.base, after: edit.made, marks: edit.marks,
        cursor: CursorToken(hub: core.hub, policy: .coalesced, after: core.revision),
        revision: core.revision),
      to: direction)
  }

  /// Takes back the newest edit of the user, or the newest undo.
  ///
  /// An edit that was not sent yet is withdrawn. Of any other the reverse is proposed.
  ///
  /// - Returns: The name of the edit and what the reverse contradicts; `nil` if there is nothing to take
  ///   back.
  func reverse(
    _ direction: UndoDirection, _ presentation: Presentation
  ) throws -> (name: String, contradictions: Contradictions<SectionID, ItemID>)? {
    guard let step = steps.last(direction) else { return nil }
    let opposite = direction == .undo ? UndoDirection.redo : .undo
    if withdraw(step.number) {
      _ = steps.pop(direction)
      let core = overlay.core
      steps.push(
        .init(
          name: step.name, number: 0, before: step.after, after: step.before,
          marks: step.marks.inverse,
          cursor: CursorToken(hub: core.hub, policy: .coalesced, after: core.revision),
          revision: core.revision),
        to: opposite)
      return (step.name, Contradictions())
    }
    let edit = OrderChange<SectionID, ItemID>.replaying(
      step.before, step.marks.inverse, basedOn: step.after)
    let earlier = overlay.core.renames(since: step.revision)
    let added = try overlay.add(
      { state, given, later in
        var all = earlier
        all.formUnion(later.inOrder)
        return try edit(&state, &given, all)
      }, named: step.name, presentation)
    _ = steps.pop(direction)
    remember(added.edit, for: opposite)
    return (step.name, added.contradictions)
  }
}
