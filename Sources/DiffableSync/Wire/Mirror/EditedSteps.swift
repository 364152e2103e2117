import Diffable

/// The edits of a user that undo and redo take back, newest last, in groups.
///
/// It is a class, so that no state is released inside an exclusive access.
final class EditedSteps<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias State = Snapshot<SectionID, ItemID>

  struct Step {
    let name: String
    /// The number of the edit in the overlay.
    let number: UInt64
    var before: State
    var after: State
    /// What the edit has renamed and marked.
    var marks: State.Marks
    /// The revision of the overlay that has it, as a subscriber: the history keeps what is renamed later.
    let cursor: CursorToken
    let revision: Revision
  }

  /// Edits that are taken back together, in the order in which they were made.
  typealias Group = [Step]

  private var groups: [UndoDirection: [Group]] = [:]
  private let limit = 64

  func push(_ group: Group, to direction: UndoDirection) {
    guard !group.isEmpty else { return }
    var all = groups[direction] ?? []
    all.append(group)
    if all.count > limit { all.removeFirst() }
    replace(all, direction)
  }

  func pop(_ direction: UndoDirection) -> Group {
    var all = groups[direction] ?? []
    let group = all.popLast()
    replace(all, direction)
    return group ?? []
  }

  /// The newest edit that is taken back next; undo has made the last of a group first.
  func next(_ direction: UndoDirection) -> Step? {
    let group = groups[direction]?.last
    return direction == .undo ? group?.last : group?.first
  }

  func removeAll(_ direction: UndoDirection) { replace(nil, direction) }

  /// Forgets an edit that made nothing.
  func remove(_ number: UInt64) {
    for (direction, all) in groups {
      let kept = all.map { $0.filter { $0.number != number } }.filter { !$0.isEmpty }
      if kept.joined().count < all.joined().count { return replace(kept, direction) }
    }
  }

  /// Makes one group of all that undo takes back since a revision of the overlay.
  func join(since revision: Revision) {
    let all = groups[.undo] ?? []
    let first = all.firstIndex { group in group.contains { $0.revision > revision } }
    guard let first else { return }
    replace(all[..<first] + [Array(all[first...].joined())], .undo)
  }

  /// Lets undo take back what an edit has made of a newer state, which the owner gets.
  ///
  /// If something was renamed since, the states have other names, and undo takes back what was shown first.
  func follow(
    _ number: UInt64, before: State, after: State, _ marks: State.Marks,
    hasRenamed: (Revision) -> Bool
  ) {
    for (direction, var all) in groups {
      for group in all.indices {
        guard let place = all[group].firstIndex(where: { $0.number == number }),
          !hasRenamed(all[group][place].revision)
        else { continue }
        all[group][place].before = before
        all[group][place].after = after
        all[group][place].marks = marks
        return replace(all, direction)
      }
    }
  }

  private func replace(_ all: [Group]?, _ direction: UndoDirection) {
    var all = all
    swap(&groups[direction], &all)
    withExtendedLifetime(all) {}
  }
}

extension EditedList {
  /// Shows an edit, and remembers it for undo if it has a name.
  ///
  /// Also one that changes nothing now: it waits, and may change something later. If it still makes nothing
  /// when it would be sent, it is forgotten.
  ///
  /// - Throws: What the edit throws, and `DataSourceError`. Nothing has changed then.
  func add(
    _ edit: @escaping Shown.Edit, named name: String?, _ presentation: Presentation,
    as id: WriteID = WriteID()
  ) throws -> Shown.Added {
    let added = try overlay.add(edit, named: name, presentation, as: id)
    if let step = step(of: added) {
      if added.layer.commit != nil { steps.removeAll(.redo) }
      steps.push([step], to: .undo)
    }
    return added
  }

  /// What takes an edit back, if it has a name.
  private func step(of added: Shown.Added) -> EditedSteps<SectionID, ItemID>.Step? {
    added.edit.name.map {
      step(
        named: $0, number: added.edit.number, before: added.layer.below, after: added.layer.above,
        marks: added.layer.marks)
    }
  }

  /// Lets undo take back an edit of a former life, if it has a name.
  func remember(
    _ edit: Shown.Pending, _ commit: Core.Live.Commit, since base: Snapshot<SectionID, ItemID>
  ) {
    guard let name = edit.name else { return }
    let step = step(
      named: name, number: edit.number, before: base, after: commit.snapshot,
      marks: commit.notes?.marks ?? .init())
    steps.push([step], to: .undo)
  }

  private func step(
    named name: String, number: UInt64, before: Snapshot<SectionID, ItemID>,
    after: Snapshot<SectionID, ItemID>, marks: Snapshot<SectionID, ItemID>.Marks
  ) -> EditedSteps<SectionID, ItemID>.Step {
    let core = overlay.core
    return .init(
      name: name, number: number, before: before, after: after, marks: marks,
      cursor: CursorToken(hub: core.hub, policy: .coalesced, after: core.revision),
      revision: core.revision)
  }

  /// Takes back the newest edits of the user that belong together, or the newest undo.
  ///
  /// An edit that was not sent yet is withdrawn. Of any other the reverse is proposed.
  ///
  /// - Returns: The name of the newest edit and what the reverse contradicts; `nil` if there is nothing to
  ///   take back.
  func reverse(
    _ direction: UndoDirection, _ presentation: Presentation
  ) throws -> (name: String, contradictions: Contradictions<SectionID, ItemID>)? {
    guard let name = steps.next(direction)?.name else { return nil }
    var left = steps.pop(direction)
    var reversed: [EditedSteps<SectionID, ItemID>.Step] = []
    var contradictions = Contradictions<SectionID, ItemID>()
    defer {
      steps.push(left, to: direction)
      steps.push(reversed, to: direction == .undo ? .redo : .undo)
    }
    while let step = left.last {
      let reverse = try self.reverse(step, presentation)
      contradictions.formUnion(reverse.contradictions)
      left.removeLast()
      reversed += reverse.step.map { [$0] } ?? []
    }
    return (name, contradictions)
  }

  /// Takes back one edit.
  ///
  /// - Returns: What takes back that.
  private func reverse(
    _ step: EditedSteps<SectionID, ItemID>.Step, _ presentation: Presentation
  ) throws -> (
    step: EditedSteps<SectionID, ItemID>.Step?, contradictions: Contradictions<SectionID, ItemID>
  ) {
    if withdraw(step.number) {
      let reverse = self.step(
        named: step.name, number: 0, before: step.after, after: step.before,
        marks: step.marks.inverse)
      return (reverse, Contradictions())
    }
    let replay = Replay(from: step.after, to: step.before, step.marks.inverse, by: .undo)
    let added = try overlay.add(
      replay, others: overlay.core.rowNotes(since: step.revision), named: step.name, presentation)
    // The owner need not be asked for what is not there any more.
    guard added.layer.commit != nil else {
      overlay.remove(added.edit.number)
      return (nil, added.contradictions)
    }
    return (self.step(of: added), added.contradictions)
  }
}
