import Diffable

/// The confirmed state of a participant, with the changes that the log has not accepted yet on top.
///
/// It has revisions of its own. Each of them is the confirmed state, changed by the pending edits one
/// after another. An edit that fails on a newer confirmed state is left out until the log decides.
///
/// It is a class for the same reason as ``SourceCore``: edits and observers of the user run inside its
/// functions, and may read the state through `assumeIsolated`.
final class Overlay<Batch: ListBatch> {
  typealias SectionID = Batch.SectionID
  typealias ItemID = Batch.ItemID
  typealias Core = SourceCore<SectionID, ItemID>
  typealias Edit =
    @Sendable (
      inout Snapshot<SectionID, ItemID>, inout GivenContent<SectionID, ItemID>
    ) throws -> Void

  /// An edit that is shown but not confirmed.
  struct Pending {
    let number: UInt64
    let name: String?
    let presentation: Presentation
    let edit: Edit
    let promise: Promise<OptimisticWrite.Outcome>
  }

  let core: Core
  private(set) var pending: [Pending] = []
  private var last: UInt64 = 0
  /// The items that show a pending change.
  private var unconfirmed = IdentifierSet<ItemID>()
  /// The confirmed state below.
  private var confirmed: Snapshot<SectionID, ItemID>

  /// - Parameter confirmed: What is shown at the first ``rebase(on:_:)``.
  init(_ core: Core, on confirmed: Snapshot<SectionID, ItemID>) {
    (self.core, self.confirmed) = (core, confirmed)
  }

  /// Shows an edit.
  ///
  /// - Throws: What the edit throws, and ``DataSourceError``. Nothing has changed then.
  func add(
    _ edit: @escaping Edit, named name: String?, _ presentation: Presentation
  ) throws -> Pending {
    try core.begin(ifRevision: nil)
    let elapsed = core.hub.startTimer()
    let commit: Core.Live.Commit?
    do {
      commit = try core.live.update(duplicates: .reject, edit)
    } catch {
      core.abandon(error as? DataSourceError)
      throw error
    }
    last += 1
    let added = Pending(
      number: last, name: name, presentation: presentation, edit: edit, promise: Promise())
    pending.append(added)
    show(commit?.notes?.marks ?? .init(), presentation, named: name, elapsed())
    return added
  }

  /// Forgets an edit that the log has decided on.
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
  /// - Complexity: O(d · log n) for d leaves that differ from what is shown, and the cost of the edits.
  func rebase(
    on confirmed: Snapshot<SectionID, ItemID>, _ presentation: Presentation
  ) {
    // It throws only if the source has finished.
    guard (try? core.begin(ifRevision: nil, isCancellable: false)) != nil else { return }
    let elapsed = core.hub.startTimer()
    self.confirmed = confirmed
    var marks = Snapshot<SectionID, ItemID>.Marks()
    let given = confirmed.givenContent(since: core.live.snapshot)
    // The confirmed state is valid, and has a model for each item.
    _ = try? core.live.apply(confirmed, given, duplicates: .reject, keepingOutlines: false)
    for edit in pending {
      let commit = try? core.live.update(duplicates: .reject, edit.edit)
      marks.formUnion(commit?.notes?.marks ?? .init())
    }
    show(marks, presentation, named: nil, elapsed())
  }

  /// Publishes the live state with its unconfirmed items.
  private func show(
    _ marks: Snapshot<SectionID, ItemID>.Marks, _ presentation: Presentation, named name: String?,
    _ duration: Duration
  ) {
    let live = core.live.snapshot
    let now = live.items(changedSince: confirmed)
    let changed =
      now.inOrder.filter { !unconfirmed.contains($0) }
      + unconfirmed.inOrder.filter { !now.contains($0) }
    unconfirmed = now
    var marks = marks
    marks.reconfigure(items: changed.filter(live.containsItem))
    let difference = live.difference(fromState: core.snapshot, marks: marks)
    let isSame =
      difference.isEmpty && changed.isEmpty && live.givenContent(since: core.snapshot).isEmpty
    let commit = Core.Live.Commit(
      state: RevisionState(
        snapshot: live.base.detached(asking: core.live.table), difference: difference),
      notes: TypedRevisionNotes(
        marks: marks, droppedItems: [], droppedSections: [], unconfirmedItems: now.inOrder))
    core.end(
      isSame ? nil : commit, presentation, kind: .change(name: name), named: name,
      duration: duration)
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
