import Diffable

/// A confirmed state, with the changes of its user that nobody has accepted yet on top.
///
/// It has revisions of its own. Each of them is the confirmed state, changed by the pending edits one
/// after another. An edit that fails on a newer confirmed state is left out until it is decided on.
///
/// An edit does the same each time it is given the same state. So it runs again only if what is below it
/// has changed. When the first of many edits is accepted as it was shown, no other one runs again, and when
/// one is withdrawn, only those above it do.
///
/// It is a class for the same reason as ``SourceCore``: edits and observers of the user run inside its
/// functions, and may read the state through `assumeIsolated`.
final class Overlay<Batch: ListBatch, Outcome: Sendable> {
  typealias SectionID = Batch.SectionID
  typealias ItemID = Batch.ItemID
  typealias Core = SourceCore<SectionID, ItemID>
  typealias Edit = OrderChange<SectionID, ItemID>.Edit

  let core: Core
  /// The edits that are not decided on, in their order; ``rebase(_:showing:)`` shows them.
  var pending: [Pending] = []
  /// The items that show a pending change.
  private var unconfirmed = IdentifierSet<ItemID>()
  /// The names that pending edits have given to items of the confirmed state.
  private var names = ItemRenames<ItemID>()
  /// The list below, whose published state is confirmed.
  private let below: Core
  /// The confirmed state that is shown, and its revision.
  private var confirmed: Snapshot<SectionID, ItemID>
  private var revision: Revision?

  /// The outcome of an edit whose list is released.
  private let released: Outcome

  /// - Parameters:
  ///   - core: What is shown, from the first ``rebase(_:showing:)`` on.
  ///   - below: The confirmed list.
  ///   - released: The outcome of an edit if the list is released before it is decided on.
  init(_ core: Core, on below: Core, released: Outcome) {
    (self.core, self.below, confirmed, self.released) = (core, below, below.snapshot, released)
  }

  func makePromise() -> Promise<Outcome> { Promise(otherwise: released) }

  deinit { if let revision { below.hub.endReading(at: revision) } }

  /// An edit that is shown, what it has done, and what it contradicts now.
  typealias Added = (
    edit: Pending, layer: Layer, contradictions: Contradictions<SectionID, ItemID>
  )

  /// Shows an edit.
  ///
  /// - Throws: What the edit throws, and ``DataSourceError``. Nothing has changed then.
  @discardableResult
  func add(
    _ edit: @escaping Edit, named name: String?, _ presentation: Presentation,
    as id: WriteID = WriteID()
  ) throws -> Added {
    try show(id, named: name, presentation, repeating: edit) { live in
      var found = Contradictions<SectionID, ItemID>()
      let commit = try live.update(duplicates: .reject) {
        found = try edit(&$0, &$1, .init())
      }
      return (commit, found)
    }
  }

  /// Shows what a writer has made of an earlier state, or takes it back.
  ///
  /// - Parameters:
  ///   - earlier: What was renamed and placed in the shown list since that state.
  ///   - reversed: The edit that it takes back.
  /// - Throws: ``DataSourceError``. Nothing has changed then.
  func add(
    _ replay: Replay<SectionID, ItemID>, others earlier: Core.RowNotes,
    reversing reversed: WriteID?,
    named name: String?, _ presentation: Presentation
  ) throws -> Added {
    try show(
      WriteID(), named: name, presentation, replaying: replay, others: earlier, reversing: reversed
    ) { live in
      try live.make(replay, others: earlier, bringingBack: earlier.renames)
    }
  }

  /// - Parameter make: Makes the edit for the first time.
  private func show(
    _ id: WriteID, named name: String?, _ presentation: Presentation, repeating edit: Edit? = nil,
    replaying replay: Replay<SectionID, ItemID>? = nil, others: Core.RowNotes = .init(),
    reversing reversed: WriteID? = nil, _ make: (inout Core.Live) throws -> Core.Live.Merged
  ) throws -> Added {
    try core.begin(ifRevision: nil)
    let below = core.live.unchanged.snapshot
    var added: Added?
    try core.transact(presentation, kind: .change(name: name)) {
      let made = try make(&core.live)
      // Nobody would tell what becomes of an edit that has finished its list.
      guard !core.isFinished else {
        core.live.revert(to: core.latest)
        throw DataSourceError.finished
      }
      let layer = Layer(below: below, commit: made.commit)
      let edit = Pending(
        id, named: name, presentation, repeating: edit,
        replay ?? Replay(from: below, to: layer.above, layer.marks), others: others,
        told: made.contradictions.conflicts, layer: layer, reversing: reversed, makePromise())
      pending.append(edit)
      added = (edit, layer, made.contradictions)
      var names = names
      names.formUnion(layer.marks.renames.inOrder)
      return commitShown(layer.marks, nil, names)
    }
    guard let added else { preconditionFailure("an edit that was shown is not there") }
    return added
  }

  /// Shows a change that is a value, by a function that adds its edit.
  func write(
    _ change: OrderChange<SectionID, ItemID>,
    _ add: (@escaping Edit) throws -> Contradictions<SectionID, ItemID>
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    let others = change.base.map(core.rowNotes(since:)) ?? .init()
    return try transaction(named: change.name) {
      try add(OrderChange.following(others, change.edit))
    }
  }

  /// What a function has changed of what is shown.
  ///
  /// - Parameter change: Shows or takes back edits, and returns what they contradict.
  func transaction(
    named name: String?, _ change: () throws -> Contradictions<SectionID, ItemID>
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    let (initial, start) = (core.snapshot, core.revision)
    do {
      let found = try change()
      return Transaction(
        from: initial, to: core.snapshot, at: core.revision,
        core.revision == start ? nil : core.hub.change(core.revision, named: name),
        named: name, found, placing: core.rowNotes(since: start).placed)
    } catch {
      throw .of(error)
    }
  }

  /// Forgets an edit that was decided on.
  ///
  /// - Returns: The edit; `nil` if it was not pending any more.
  @discardableResult
  func remove(_ id: WriteID) -> Pending? {
    pending.firstIndex { $0.id == id }.map { pending.remove(at: $0) }
  }

  /// Forgets an edit that is not made, or no longer shown, with the names that it has given.
  ///
  /// - Returns: The edit; `nil` if it was not pending any more.
  func drop(_ id: WriteID) -> Pending? {
    let edit = remove(id)
    takeBack(edit?.layer?.marks.renames ?? .init())
    return edit
  }

  /// Lets edits know what others have renamed and what is gone by now.
  ///
  /// The notes of the confirmed list do not say it. But an undo may bring such an item back.
  ///
  /// - Parameter edits: The edits that are not decided on, pending or not.
  /// - Returns: The renames from the names that the edits know, for ``rebase(_:showing:renamed:)``.
  /// - Complexity: O(r · e) for r renames and e edits.
  func follow(
    _ renames: [ItemRename<ItemID>], _ edits: [Pending]
  ) -> [ItemRename<ItemID>] {
    let gone = renames.filter {
      !below.snapshot.containsItem($0.old) && !below.snapshot.containsItem($0.new)
    }
    guard !gone.isEmpty else { return [] }
    var all = IdentifierSet<ItemRename<ItemID>>()
    for edit in edits {
      let known = edit.others.renames
      let later = gone.map { ItemRename(old: known.newName(of: $0.old) ?? $0.old, new: $0.new) }
        .filter { $0.old != $0.new }
      var notes = Core.RowNotes()
      notes.rename(later)
      edit.follow(notes)
      if edit.rule == .undo { edit.remember(nil) }
      for rename in later { all.insert(rename) }
    }
    return all.inOrder
  }

  /// Takes back, for the pending edits, the names that edits below them have given.
  ///
  /// The notes of the confirmed list lead from the names before these edits. So they give such a name once more,
  /// or another one. If they give none, others have taken the name back.
  ///
  /// - Parameter given: The names that edits which have ended gave to items of the confirmed state that is shown.
  /// - Complexity: O(r · e) for r given names and e edits, and O(k) for the k revisions since that state.
  func takeBack(_ given: ItemRenames<ItemID>) {
    guard !given.isEmpty else { return }
    let told = revision.map(confirmedRenames(since:)) ?? .init()
    // A reset may have the name without a note.
    let former = given.inverse.inOrder.filter {
      told.newName(of: $0.new) != nil || !below.snapshot.containsItem($0.old)
    }
    guard !former.isEmpty else { return }
    var notes = Core.RowNotes()
    notes.rename(former)
    for edit in pending {
      edit.follow(notes)
      edit.remember(nil)
    }
  }

  /// Shows the confirmed state, with the pending edits on top.
  ///
  /// Subscribers receive the marks of others, too, and the presentation that others have chosen.
  ///
  /// - Parameters:
  ///   - presentation: How to show what others have not changed.
  ///   - own: The confirmed revisions of edits that were shown here, in their order. Their marks are not
  ///     told again.
  ///   - gone: What others have renamed and deleted since.
  /// - Complexity: O(d · log n) for d leaves that differ from what is shown, and the cost of the edits that
  ///   run again.
  func rebase(
    _ presentation: Presentation? = nil, showing own: [Revision] = [],
    renamed gone: [ItemRename<ItemID>] = []
  ) {
    let former = revision
    let renamed = own.isEmpty ? nil : former.map(confirmedRenames(since:))
    let others = below.read(after: &revision, except: own)
    let notes = others.notes?.marks.rowNotes ?? .init()
    if !notes.isEmpty {
      for edit in pending {
        edit.follow(notes)
        if !notes.renames.isEmpty { edit.remember(nil) }
      }
    }
    // It throws only if the source has finished.
    guard (try? core.begin(ifRevision: nil, isCancellable: false)) != nil else { return }
    confirmed = below.snapshot
    let shown = [others.presentation, presentation].compactMap(\.self).max() ?? .animated
    core.transact(shown) {
      let kept = keptLayers(on: confirmed)
      var marks = others.notes?.marks ?? .init()
      var names = ItemRenames<ItemID>()
      for layer in kept {
        marks.rename(layer.marks.renames.inOrder)
        names.formUnion(layer.marks.renames.inOrder)
      }
      makeLive(kept.last?.above ?? confirmed)
      var below = core.live.unchanged.snapshot
      for edit in pending.dropFirst(kept.count) {
        let layer = Layer(below: below, commit: try? edit.make(on: &core.live).commit)
        edit.remember(layer)
        below = layer.above
        marks.formUnion(layer.marks)
        names.formUnion(layer.marks.renames.inOrder)
      }
      if let former, let reached = revision, others.notes?.marks.reloadedSections.isEmpty == false {
        // The user's edits may have taken rows out of these sections.
        let reader = RevisionReader<SectionID, ItemID>(hub: self.below.hub)
        marks.reload(
          items: reader.leavers(
            ofSectionsMarkedAfter: former, through: reached, except: own, in: core.live.snapshot,
            renaming: names))
      }
      return commitShown(
        marks, others.notes, names, renamed ?? others.notes?.marks.renames ?? .init(), gone)
    }
  }

  /// What was renamed in the confirmed list since a revision, by edits that were shown here as well.
  ///
  /// Others may have given another name to a row since an own edit has renamed it.
  private func confirmedRenames(since revision: Revision) -> ItemRenames<ItemID> {
    below.hub.notes(after: revision).reduce(into: Core.RowNotes()) {
      $0.formUnion(TypedRevisionNotes<SectionID, ItemID>.of($1).marks.rowNotes)
    }.renames
  }

  /// What the first edits have done, as far as they need not run again on a confirmed state.
  ///
  /// Below the first is the same state as now, and below each other what the one before it has made.
  private func keptLayers(on confirmed: Snapshot<SectionID, ItemID>) -> [Layer] {
    guard let lowest = pending.first?.layer?.below, confirmed.isSameState(as: lowest) else {
      return []
    }
    var (kept, top) = ([Layer](), lowest)
    for edit in pending {
      // After an edit was withdrawn, what the one below it has made is there again, as another value.
      guard let layer = edit.layer, layer.below.isSameState(as: top) else { break }
      kept.append(layer)
      top = layer.above
    }
    return kept
  }

  /// Makes a state the live one, which is valid, and has a model for each item.
  private func makeLive(_ state: Snapshot<SectionID, ItemID>) {
    guard !state.order.isIdentical(to: core.live.snapshot.order) else { return }
    let given = state.givenContent(since: core.live.snapshot)
    _ = try? core.live.apply(state, given, duplicates: .reject, keepingOutlines: false)
  }

  /// The change to the live state with its unconfirmed items; `nil` if it shows the same as before.
  ///
  /// Pending edits are made again and again, and each time they give the same names. Told is only what
  /// has another name than before.
  ///
  /// - Parameters:
  ///   - others: What others have said since the confirmed state before.
  ///   - names: The names that pending edits have given to items of the confirmed state.
  ///   - renamed: What was renamed since the confirmed state before.
  ///   - gone: What others have renamed and deleted since.
  private func commitShown(
    _ marks: Snapshot<SectionID, ItemID>.Marks, _ others: TypedRevisionNotes<SectionID, ItemID>?,
    _ names: ItemRenames<ItemID>, _ renamed: ItemRenames<ItemID> = .init(),
    _ gone: [ItemRename<ItemID>] = []
  ) -> Core.Live.Commit? {
    let (live, shown, former) = (core.live.snapshot, core.snapshot, self.names)
    self.names = names
    var renames = former.inverse
    renames.formUnion(renamed)
    renames.formUnion(gone)
    renames.formUnion(names.inOrder)
    let placed = pending.reduce(into: PlacedRows<SectionID, ItemID>()) {
      if let layer = $1.layer { $0.formUnion(layer.marks.placed) }
    }
    let now = live.items(changedSince: self.confirmed, placing: placed)
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
    var notes = others?.contents ?? .init()
    // Those who propose follow the list below. Here each step of undo would keep all that come after it.
    notes.proposals = []
    guard
      !difference.isEmpty || !changed.isEmpty || TypedRevisionNotes(notes).saysMoreThanMarks
        || !live.givenContent(since: shown).isEmpty
    else { return nil }
    notes.marks = marks
    notes.unconfirmedItems = Set(now.inOrder)
    return Core.Live.Commit(
      state: RevisionState(
        snapshot: live.base.detached(asking: core.live.table), difference: difference),
      notes: TypedRevisionNotes(notes))
  }
}
