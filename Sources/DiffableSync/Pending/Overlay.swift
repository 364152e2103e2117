import Diffable
internal import Synchronization

/// A confirmed state, with the changes of its user that nobody has accepted yet on top.
///
/// It has revisions of its own. Each of them is the confirmed state, changed by the pending edits one
/// after another. An edit that fails on a newer confirmed state is left out until it is decided on.
///
/// It is a class for the same reason as ``SourceCore``: edits and observers of the user run inside its
/// functions, and may read the state through `assumeIsolated`.
final class Overlay<Batch: ListBatch, Outcome: Sendable> {
  typealias SectionID = Batch.SectionID
  typealias ItemID = Batch.ItemID
  typealias Core = SourceCore<SectionID, ItemID>
  typealias Edit = OrderChange<SectionID, ItemID>.Edit

  /// An edit that is shown but not confirmed.
  struct Pending {
    let number: UInt64
    /// Its name outside the process.
    let id: WriteID
    let name: String?
    let presentation: Presentation
    var edit: Edit
    /// The state that the edit was made on: it uses the names of this state.
    var base: Snapshot<SectionID, ItemID>
    /// That state with the edit.
    var made: Snapshot<SectionID, ItemID>
    /// What the edit has renamed and marked there.
    var marks: Snapshot<SectionID, ItemID>.Marks
    /// Whether others may have been asked to make it.
    var mayHaveBeenSent = false
    /// What others have renamed since.
    var renames = LaterRenames<ItemID>()
    let promise = Promise<Outcome>()
  }

  let core: Core
  private(set) var pending: [Pending] = []
  private var last: UInt64 = 0
  /// The items that show a pending change.
  private var unconfirmed = IdentifierSet<ItemID>()
  /// The names that pending edits have given to items of the confirmed state.
  private var names = ItemRenames<ItemID>()
  /// The confirmed state below, and its revision.
  private var confirmed: Snapshot<SectionID, ItemID>
  private(set) var revision: Revision

  /// - Parameters:
  ///   - confirmed: What is shown at the first ``rebase(on:at:renaming:_:)``.
  ///   - revision: Its revision.
  init(_ core: Core, on confirmed: Snapshot<SectionID, ItemID>, at revision: Revision) {
    (self.core, self.confirmed, self.revision) = (core, confirmed, revision)
  }

  /// Shows an edit.
  ///
  /// - Returns: The edit, and what it contradicts now.
  /// - Throws: What the edit throws, and ``DataSourceError``. Nothing has changed then.
  @discardableResult
  func add(
    _ edit: @escaping Edit, named name: String?, _ presentation: Presentation,
    as id: WriteID = WriteID()
  ) throws -> (edit: Pending, contradictions: Contradictions<SectionID, ItemID>) {
    try core.begin(ifRevision: nil)
    let base = core.snapshot
    var found = Contradictions<SectionID, ItemID>()
    let (commit, duration) = try core.timed {
      try core.live.update(duplicates: .reject) { found = try edit(&$0, &$1, ItemRenames()) }
    }
    last += 1
    let added = Pending(
      number: last, id: id, name: name, presentation: presentation, edit: edit, base: base,
      made: commit?.snapshot ?? base, marks: commit?.notes?.marks ?? .init())
    pending.append(added)
    let marks = commit?.notes?.marks ?? .init()
    var names = names
    names.formUnion(marks.renames.inOrder)
    show(marks, ItemRenames(), names, presentation, named: name, duration)
    return (added, found)
  }

  /// Lets an edit be what it has made of a confirmed state, instead of running again on newer ones.
  ///
  /// - Parameters:
  ///   - base: The confirmed state.
  ///   - commit: What the edit has made of it.
  func freeze(
    _ number: UInt64, basedOn base: Snapshot<SectionID, ItemID>, _ commit: Core.Live.Commit
  ) {
    guard let index = pending.firstIndex(where: { $0.number == number }) else { return }
    var frozen = pending[index]
    frozen.marks = commit.notes?.marks ?? .init()
    frozen.edit = OrderChange.replaying(commit.snapshot, frozen.marks, basedOn: base)
    (frozen.base, frozen.made, frozen.renames) = (base, commit.snapshot, LaterRenames())
    frozen.mayHaveBeenSent = true
    swap(&pending[index], &frozen)
    withExtendedLifetime(frozen) {}
  }

  /// Adds an edit of a former life, which shows at the next ``rebase(on:at:renaming:_:)``.
  ///
  /// - Parameters:
  ///   - commit: What the edit has made of a base.
  ///   - base: The base.
  func restore(
    _ commit: Core.Live.Commit, basedOn base: Snapshot<SectionID, ItemID>, named name: String?,
    _ presentation: Presentation, as id: WriteID
  ) {
    last += 1
    let marks = commit.notes?.marks ?? .init()
    pending.append(
      Pending(
        number: last, id: id, name: name, presentation: presentation,
        edit: OrderChange.replaying(commit.snapshot, marks, basedOn: base), base: base,
        made: commit.snapshot, marks: marks, mayHaveBeenSent: true))
  }

  /// Forgets an edit that was decided on.
  ///
  /// - Returns: Whether it was still pending.
  @discardableResult
  func remove(_ number: UInt64) -> Bool {
    let count = pending.count
    pending.removeAll { $0.number == number }
    return pending.count < count
  }

  /// Shows another confirmed state, with the pending edits on top.
  ///
  /// - Parameter renames: What was renamed since the confirmed state before.
  /// - Complexity: O(d · log n) for d leaves that differ from what is shown, and the cost of the edits.
  func rebase(
    on confirmed: Snapshot<SectionID, ItemID>, at revision: Revision,
    renaming renames: ItemRenames<ItemID>, _ presentation: Presentation
  ) {
    if !renames.isEmpty { for edit in pending { edit.renames.add(renames) } }
    self.revision = revision
    // It throws only if the source has finished.
    guard (try? core.begin(ifRevision: nil, isCancellable: false)) != nil else { return }
    self.confirmed = confirmed
    let (marks, duration) = core.timed {
      var marks = Snapshot<SectionID, ItemID>.Marks()
      let given = confirmed.givenContent(since: core.live.snapshot)
      // The confirmed state is valid, and has a model for each item.
      _ = try? core.live.apply(confirmed, given, duplicates: .reject, keepingOutlines: false)
      for edit in pending {
        let commit = try? edit.make(on: &core.live).commit
        marks.formUnion(commit?.notes?.marks ?? .init())
      }
      return marks
    }
    show(marks, renames, marks.renames, presentation, named: nil, duration)
  }

  /// Publishes the live state with its unconfirmed items.
  ///
  /// Pending edits are made again and again, and each time they give the same names. Told is only what
  /// has another name than before.
  ///
  /// - Parameters:
  ///   - confirmed: What was renamed since the confirmed state before.
  ///   - names: The names that pending edits have given to items of the confirmed state.
  private func show(
    _ marks: Snapshot<SectionID, ItemID>.Marks, _ confirmed: ItemRenames<ItemID>,
    _ names: ItemRenames<ItemID>, _ presentation: Presentation, named name: String?,
    _ duration: Duration
  ) {
    let (live, shown, former) = (core.live.snapshot, core.snapshot, self.names)
    self.names = names
    var renames = former.inverse
    renames.formUnion(confirmed.inOrder)
    renames.formUnion(names.inOrder)
    let now = live.items(changedSince: self.confirmed)
    let changed =
      now.inOrder.filter { !unconfirmed.contains($0) }
      + unconfirmed.inOrder.filter { !now.contains($0) }
    unconfirmed = now
    var marks = marks
    marks.forgetRenames()
    marks.rename(
      renames.inOrder.filter {
        shown.containsItem($0.old) && live.containsItem($0.new)
          && !shown.containsItem($0.new) && !live.containsItem($0.old)
      })
    marks.reconfigure(items: changed.filter(live.containsItem))
    let difference = live.difference(fromState: shown, marks: marks)
    let isSame =
      difference.isEmpty && changed.isEmpty && live.givenContent(since: shown).isEmpty
    var notes = TypedRevisionNotes<SectionID, ItemID>.Contents(marks: marks)
    notes.unconfirmedItems = now.inOrder
    let commit = Core.Live.Commit(
      state: RevisionState(
        snapshot: live.base.detached(asking: core.live.table), difference: difference),
      notes: TypedRevisionNotes(notes))
    core.end(
      isSame ? nil : commit, presentation, kind: .change(name: name), duration: duration)
  }
}

extension Overlay.Pending {
  /// Makes the edit on a newer state.
  func make(on live: inout Overlay.Core.Live) throws -> Overlay.Core.Live.Merged {
    try live.repeatEdit(
      edit, basedOn: base, made, renamedByOthers: renames.all.from(stateWhere: base.containsItem))
  }
}

/// What others have renamed since an edit was made, for the source and for the edit when it is offered.
final class LaterRenames<ItemID: Hashable & Sendable>: Sendable {
  private let state = Lock(ItemRenames<ItemID>())

  var all: ItemRenames<ItemID> { state.withLock { $0 } }

  /// Only the actor of the source adds renames.
  func add(_ later: ItemRenames<ItemID>) {
    // Nothing is compared or released under the lock.
    var renames = all
    renames.formUnion(later.inOrder)
    let former = state.withLock { [renames] state in
      defer { state = renames }
      return state
    }
    withExtendedLifetime(former) {}
  }
}

extension Snapshot {
  /// The items that another state does not have, or has in another place or with another model.
  ///
  /// - Complexity: O(c · log n) for c such items of n, if the states share their storage.
  fileprivate func items(changedSince other: Snapshot) -> IdentifierSet<ItemID> {
    let difference = difference(fromState: other, marks: Marks())
    var items = IdentifierSet<ItemID>()
    for path in difference.itemInserts { itemIdentifier(for: path).map { _ = items.insert($0) } }
    for move in difference.itemMoves { itemIdentifier(for: move.to).map { _ = items.insert($0) } }
    for path in difference.itemReconfigures {
      itemIdentifier(for: path).map { _ = items.insert($0) }
    }
    for section in difference.sectionInserts.ranges.joined() {
      for item in self.items(inSectionAt: section) { items.insert(item) }
    }
    return items
  }
}
