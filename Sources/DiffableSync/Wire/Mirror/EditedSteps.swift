import Diffable

/// An edit of a user that undo or redo can take back.
///
/// It is a class, since an undo that waits refers to what it takes back, and what is known of that changes.
final class EditedStep<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// What an edit has changed: at first as its user sees it, and later as the owner has made it.
  typealias Change = Replay<SectionID, ItemID>

  let name: String
  /// The name of the edit; `nil` if the step is what another edit was that was withdrawn.
  let id: WriteID?
  private(set) var change: Change
  /// The step that the edit takes back, as long as it cannot have been sent.
  private(set) var takenBack: EditedStep?
  /// Whether the owner has decided on it, and it has changed nothing.
  fileprivate(set) var hasMadeNothing = false
  /// What was renamed and placed after the change, before the revision.
  let earlier: SourceCore<SectionID, ItemID>.RowNotes
  /// The revision of the overlay that has it, as a subscriber: the history keeps what is renamed later.
  private let cursor: CursorToken
  let revision: Revision

  init(
    named name: String, _ id: WriteID?, _ change: Change, takingBack step: EditedStep? = nil,
    after earlier: SourceCore<SectionID, ItemID>.RowNotes = .init(),
    shownBy core: SourceCore<SectionID, ItemID>
  ) {
    (self.name, self.id, self.change, takenBack) = (name, id, change, step)
    self.earlier = earlier
    cursor = CursorToken(hub: core.hub, policy: .coalesced, after: core.revision)
    revision = core.revision
  }

  /// Records what the edit has changed, once it may have been sent.
  fileprivate func follow(_ change: Change) {
    // What is released may be the last of its kind: no access is under way when it goes.
    var (change, taken) = (change, EditedStep?.none)
    swap(&self.change, &change)
    swap(&takenBack, &taken)
    withExtendedLifetime((change, taken)) {}
  }
}

/// The edits of a user that undo and redo take back, newest last, in groups.
///
/// It is a class, so that no state is released inside an exclusive access.
final class EditedSteps<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Step = EditedStep<SectionID, ItemID>
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
  func remove(_ id: WriteID) {
    for (direction, all) in groups {
      for step in all.joined() where step.takenBack?.id == id {
        step.takenBack?.hasMadeNothing = true
      }
      let kept = all.map { $0.filter { $0.id != id } }.filter { !$0.isEmpty }
      if kept.joined().count < all.joined().count { replace(kept, direction) }
    }
  }

  /// What takes back an edit, if it is not taken back already.
  func step(of id: WriteID) -> Step? {
    groups.values.lazy.joined().joined().first { $0.id == id }
  }

  /// What takes back an edit next; `nil` if nothing does.
  func direction(of id: WriteID) -> UndoDirection? {
    groups.first { _, all in all.joined().contains { $0.id == id } }?.key
  }

  /// Makes one group of all that undo takes back since a revision of the overlay.
  func join(since revision: Revision) {
    let all = groups[.undo] ?? []
    let first = all.firstIndex { group in group.contains { $0.revision > revision } }
    guard let first else { return }
    replace(all[..<first] + [Array(all[first...].joined())], .undo)
  }

  /// Lets undo take back what the owner gets of an edit, or what it has made of it.
  func follow(_ id: WriteID, _ change: Step.Change) {
    for all in groups.values {
      for step in all.joined() {
        if step.id == id { step.follow(change) }
        if let taken = step.takenBack, taken.id == id { taken.follow(change) }
      }
    }
  }

  private func replace(_ all: [Group]?, _ direction: UndoDirection) {
    var all = all
    swap(&groups[direction], &all)
    withExtendedLifetime(all) {}
  }
}
