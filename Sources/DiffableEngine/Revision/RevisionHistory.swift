/// The newest revisions of a source, and what subscribers that lag still have to receive.
///
/// All revisions here are numbers of one ``Epoch``. A ``ResumeToken`` is compared with the epoch
/// before it becomes a number, see ``Hub``.
///
/// The history is a ring: the live revision and up to `capacity - 1` before it, each with its
/// state; fewer if they hold more than `byteLimit` bytes that the live state does not share. When a
/// revision leaves the ring, its state is dropped. But a subscriber may still be at
/// that revision or before it, and must not miss the notes (reload marks, dropped duplicates) of
/// what it skips. Such subscribers are counted in *groups* by their revision. Each group collects
/// the notes of the revisions from its base to the base of the next group. So a subscriber that
/// never comes back costs one group, publishing does not depend on the number of subscribers, and a
/// batch carries exactly the notes of the revisions that it spans.
///
/// This code runs inside a lock, so it runs no code of the user's. It does not join notes, since
/// joining hashes identifiers: if too many have piled up, it asks the writer to join some. Joining
/// costs as much as listing all that they say, so it waits until what is new is a sixteenth of that.
/// And it releases no state and no notes, since the last release of an identifier runs its `deinit`.
/// What is no longer needed is ``Released``, and leaves the lock.
package struct RevisionHistory<State: Sendable, Notes: Sendable>: Sendable {
  typealias Stop = Transition<State, Notes>.Stop

  struct Entry: Sendable {
    let state: State
    let presentation: Presentation
    let notes: Notes?
    /// How much the notes say.
    var notesWeight = 1
    /// The name that the writer gave the change.
    let name: String?
    /// What it is to undo, in the scopes that it belongs to, also when it is on no stack any more.
    var steps = ByScope<UndoStep>()
    /// The number of subscribers at this revision.
    var readers = 0
    /// The bytes that only the revision before holds.
    var replacedBytes = 0
  }

  private struct Group: Sendable {
    let base: Revision
    var readers: Int
    var presentation = Presentation.immediate
    var notes: [Notes] = []
    /// How much the joined notes say, which are the first of these.
    var joinedWeight = 0
    /// How much all others say.
    var newWeight = 0

    /// Whether joining the notes takes time in proportion to what is new.
    var isWorthJoining: Bool { newWeight >= joinedWeight / 16 }
  }

  /// What the history no longer holds, for the caller to release outside the lock.
  struct Released: Sendable {
    var states: [State] = []
    var notes: [Notes] = []
  }

  /// Notes that the writer is asked to join outside the lock.
  struct JoinRequest: Sendable {
    let base: Revision
    let notes: [Notes]
    fileprivate let newWeight: Int
  }

  private var capacity: Int
  private let byteLimit: Int
  /// The bytes that only revisions before the live one hold.
  private var bytes = 0
  /// The revision `first + i` is stored in the slot `i % capacity`; a slot is empty if its revision
  /// has left.
  var entries: [Entry?]
  /// The position of undo and redo now; of authors, those that have revisions in the ring.
  var tops = ByScope<UndoPosition>()
  /// The revision from which slots are counted.
  private var first = 0
  private(set) var oldest = 0
  private(set) var live = Revision.empty
  /// Ordered by base; every base is older than the ring.
  private var groups: [Group] = []
  private var noteCount = 0
  /// The average number of notes per group above which some are joined.
  private let notesPerGroup: Int

  /// Starts with revision 0.
  ///
  /// - Parameters:
  ///   - length: The number of revisions kept besides the live one.
  ///   - byteLimit: The number of bytes that they may hold.
  ///   - empty: The state of revision 0.
  ///   - notesPerGroup: The average number of notes that a group may hold, at least 1.
  init(length: Int, byteLimit: Int = .max, empty: State, notesPerGroup: Int) {
    self.notesPerGroup = notesPerGroup
    self.byteLimit = byteLimit
    // A negative length means none. The upper bound only keeps the sum from overflowing.
    capacity = min(max(0, length), Int.max - 1) + 1
    entries = [Entry(state: empty, presentation: .reset, notes: nil, name: nil)]
  }

  /// Whether the state of a revision is in the ring.
  ///
  /// - Complexity: O(1).
  func contains(_ revision: Revision) -> Bool {
    !entries.isEmpty && (oldest...live.number).contains(revision.number)
  }

  /// A revision in the ring with its state, or `nil`.
  ///
  /// - Complexity: O(1).
  func stop(at revision: Revision) -> Stop? {
    guard contains(revision), let state = entries[slot(revision)]?.state else { return nil }
    return Stop(revision: revision, state: state)
  }

  /// A revision in the ring with everything that is kept for it, or `nil`.
  ///
  /// - Complexity: O(1).
  func entry(at revision: Revision) -> Entry? {
    contains(revision) ? entries[slot(revision)] : nil
  }

  func slot(_ revision: Revision) -> Int { (revision.number - first) % capacity }

  // MARK: Writing

  /// Appends a revision.
  ///
  /// - Parameters:
  ///   - notesWeight: How much the notes say, which is what it takes to join them with others.
  ///   - replacedBytes: The bytes that the previous state holds and this one does not.
  /// - Complexity: O(1) amortised, and O(g) for g groups while there are enough notes to join some.
  ///
  /// - Returns: Notes to join, if too many have piled up.
  mutating func publish(
    state: State, notes: Notes?, notesWeight: Int = 1, presentation: Presentation,
    kind: RevisionKind, replacedBytes: Int = 0, _ released: inout Released
  ) -> JoinRequest? {
    defer { _checkInvariants() }
    let name = name(of: kind)
    let entry = Entry(
      state: state, presentation: presentation, notes: notes, notesWeight: notesWeight, name: name,
      steps: moveTops(past: kind, named: name), replacedBytes: replacedBytes)
    live = live.next
    bytes = bytes.addingReportingOverflow(replacedBytes).partialValue
    if entries.count < capacity {
      dropEmptySlots()
      entries.append(consume entry)
    } else {
      if live.number - oldest == capacity { forgetOldest(&released) }
      entries[slot(live)] = consume entry
    }
    if case .undo(of: let revisions) = kind { keepGroups(of: revisions) }
    while bytes > byteLimit, oldest < live.number { forgetOldest(&released) }
    return joinRequest()
  }

  /// Drops the slots of revisions that have left because of their bytes, once they are the larger part.
  ///
  /// Otherwise a history that is limited by bytes alone would get a slot for each revision. Until all slots are
  /// used, they are in the order of the revisions.
  ///
  /// - Complexity: O(1) amortised.
  private mutating func dropEmptySlots() {
    let emptyCount = oldest - first
    guard emptyCount > entries.count / 2 else { return }
    entries.removeFirst(emptyCount)
    first = oldest
  }

  /// Continues with a later revision; the ring holds nothing else then.
  ///
  /// For a source that follows another process and has missed what happened in between. There is
  /// nothing to undo afterwards.
  ///
  /// - Complexity: O(r) for r revisions in the ring.
  ///
  /// - Returns: Notes to join, if too many have piled up.
  mutating func jump(
    to revision: Revision, state: State, notes: Notes?, notesWeight: Int = 1,
    presentation: Presentation, _ released: inout Released
  ) -> JoinRequest? {
    defer { _checkInvariants() }
    precondition(revision > live, "A source jumped back")
    while oldest <= live.number { forgetOldest(&released) }
    (first, oldest, live) = (revision.number, revision.number, revision)
    entries = [
      Entry(
        state: state, presentation: presentation, notes: notes, notesWeight: notesWeight, name: nil)
    ]
    tops = ByScope()
    return joinRequest()
  }

  /// Lets the oldest revision leave the ring, and hands its notes to those who have not seen them.
  private mutating func forgetOldest(_ released: inout Released) {
    let slot = slot(Revision(oldest))
    // Taken out and not copied, as it has many references.
    guard let entry = entries[slot].take() else { return }
    let next = oldest + 1
    // If only the live one is left, it may not be in its slot yet.
    let replacedBytes =
      next < live.number ? entries[self.slot(Revision(next))]?.replacedBytes : nil
    bytes = replacedBytes.map { bytes - $0 } ?? 0
    released.states.append(entry.state)
    if let last = groups.indices.last {
      groups[last].presentation = max(groups[last].presentation, entry.presentation)
      if let notes = entry.notes {
        groups[last].notes.append(notes)
        groups[last].newWeight += max(1, entry.notesWeight)
        noteCount += 1
      }
    } else if let notes = entry.notes {
      released.notes.append(notes)
    }
    if entry.readers > 0 {
      groups.append(Group(base: Revision(oldest), readers: entry.readers))
    }
    // Authors whose newest step it is have nothing left to undo or redo.
    for name in entry.steps.authors.keys {
      guard let top = tops.authors[name], (top.undo ?? .empty).number <= oldest,
        (top.redo ?? .empty).number <= oldest
      else { continue }
      tops.authors[name] = nil
    }
    oldest += 1
  }

  /// The notes of a group that has too many, if that is so on average.
  private func joinRequest() -> JoinRequest? {
    guard noteCount > notesPerGroup * (groups.count + 1) else { return nil }
    return groups.first { $0.notes.count > notesPerGroup && $0.isWorthJoining }.map {
      JoinRequest(base: $0.base, notes: $0.notes, newWeight: $0.newWeight)
    }
  }

  /// Replaces notes by the joined ones.
  ///
  /// In the meantime the group may have disappeared, or grown at its end; its beginning is
  /// unchanged.
  ///
  /// - Parameter weight: How much the joined notes say.
  mutating func replaceNotes(
    _ request: JoinRequest, by joined: Notes, weight: Int = 0, presentation: Presentation,
    _ released: inout Released
  ) {
    defer { _checkInvariants() }
    guard let index = groupIndex(at: request.base) else {
      released.notes.append(joined)
      return
    }
    noteCount -= request.notes.count - 1
    released.notes += groups[index].notes[..<request.notes.count]
    groups[index].notes.replaceSubrange(..<request.notes.count, with: [joined])
    groups[index].joinedWeight = weight
    groups[index].newWeight -= request.newWeight
    groups[index].presentation = max(groups[index].presentation, presentation)
  }

  /// Drops every state but the live one, and the live one too if it is not needed.
  mutating func close(keepingLive: Bool, _ released: inout Released) {
    defer { _checkInvariants() }
    while !entries.isEmpty, oldest < live.number { forgetOldest(&released) }
    guard let last = entries.isEmpty ? nil : entries[slot(live)] else { return }
    capacity = 1
    entries = keepingLive ? [last] : []
    tops = ByScope()
    guard !keepingLive else { return }
    released.states.append(last.state)
    if let notes = last.notes { released.notes.append(notes) }
  }

  // MARK: Reading

  /// Records that a subscriber is now at a revision of the ring.
  mutating func arrive(at revision: Revision) {
    defer { _checkInvariants() }
    guard contains(revision) else { return }
    entries[slot(revision)]?.readers += 1
  }

  /// Records that a subscriber is no longer at a revision.
  ///
  /// - Complexity: O(1) in the ring, O(log g) outside of it for g groups, O(g) if the last
  ///   subscriber of a group leaves.
  mutating func leave(_ revision: Revision, _ released: inout Released) {
    defer { _checkInvariants() }
    if contains(revision) {
      entries[slot(revision)]?.readers -= 1
    } else if let index = groupIndex(at: revision) {
      groups[index].readers -= 1
      guard groups[index].readers == 0 else { return }
      let group = groups.remove(at: index)
      if index > 0 {
        groups[index - 1].presentation = max(groups[index - 1].presentation, group.presentation)
        groups[index - 1].notes += group.notes
        groups[index - 1].newWeight += group.joinedWeight + group.newWeight
      } else {
        noteCount -= group.notes.count
        released.notes += group.notes
      }
    }
  }

  /// The strongest presentation and all notes of the revisions after `base` up to `target`.
  ///
  /// - Complexity: O(k) for the k groups and entries in between.
  func span(
    after base: Revision, through target: Revision
  ) -> (presentation: Presentation, notes: [Notes]) {
    var presentation = Presentation.immediate
    var notes: [Notes] = []
    if base.number < oldest, let first = groupIndex(at: base) {
      for group in groups[first...] {
        presentation = max(presentation, group.presentation)
        notes += group.notes
      }
    }
    var revision = Revision(max(oldest, base.number + 1))
    while revision <= target, contains(revision) {
      // Field by field: copying an entry takes longer than reading it.
      presentation = max(presentation, entries[slot(revision)]?.presentation ?? .immediate)
      if let note = entries[slot(revision)]?.notes { notes.append(note) }
      revision = revision.next
    }
    return (presentation, notes)
  }

  private func groupIndex(at base: Revision) -> Int? {
    let index = groups.partitioningIndex { $0.base >= base }
    return index < groups.count && groups[index].base == base ? index : nil
  }
}

extension RevisionHistory {
  /// Checks what every mutation must leave in order.
  func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    precondition(entries.count <= capacity, "the ring holds more than its capacity")
    precondition(
      entries.isEmpty || entries.count { $0 != nil } == live.number - oldest + 1,
      "the ring does not hold every revision from its oldest to the live one")
    precondition(entries.allSatisfy { ($0?.readers ?? 0) >= 0 }, "a subscriber left twice")
    precondition(
      tops.authors.keys.allSatisfy { name in
        (oldest...live.number).contains { step(of: Revision($0), .author(name)) != nil }
      }, "an author without revisions is kept")
    precondition(
      entries.isEmpty
        || bytes
          == (oldest..<live.number).reduce(0) {
            $0 + (entry(at: Revision($1 + 1))?.replacedBytes ?? 0)
          },
      "the bytes of the ring are miscounted")
    precondition(bytes <= byteLimit || oldest == live.number, "the ring holds too many bytes")
    precondition(groups.allSatisfy { $0.readers > 0 }, "an empty group is kept")
    precondition(
      zip(groups, groups.dropFirst()).allSatisfy { $0.base < $1.base },
      "groups are out of order")
    precondition(
      groups.allSatisfy { $0.base.number < oldest }, "a group is in the ring")
    precondition(
      noteCount == groups.reduce(0) { $0 + $1.notes.count }, "notes are miscounted")
    #endif
  }
}
