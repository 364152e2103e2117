/// What a writer has made of a state, for what others have made of that state since.
package struct Replay<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  package typealias State = Snapshot<SectionID, ItemID>

  /// The state that the writer started from; of an undo, the one that it takes back.
  package let base: State
  /// What the writer has made of it, with the writer's marks.
  package let result: State
  /// The versions that the writer has seen of models which others had changed in the base.
  package let seen: GivenContent<SectionID, ItemID>
  package let rule: MergeRule

  package init(
    from base: State, to result: State, _ marks: State.Marks,
    seen: GivenContent<SectionID, ItemID> = .init(), by rule: MergeRule = .change
  ) {
    // It is held without a table, and goes on asking that of the live state.
    let state = result.base.detached(asking: result.base.resolution?.live)
    self.result = State(state, marks: marks)
    (self.base, self.seen, self.rule) = (base, seen, rule)
  }
}

extension Snapshot {
  /// What takes a change back, and its new models, with the names that others have given to rows meanwhile.
  ///
  /// A row that it brings back is the same row as before, so it has the name that others have given it. If its
  /// model cannot be renamed, it has the old name.
  ///
  /// - Parameters:
  ///   - base: The state with the change.
  ///   - renames: What others have renamed while they had these rows.
  /// - Complexity: O(c + r · log n) for c new models, n items and r renames.
  fileprivate func bringingBack(
    _ given: GivenContent<SectionID, ItemID>, since base: Snapshot,
    named renames: ItemRenames<ItemID>
  ) -> (result: Snapshot, given: GivenContent<SectionID, ItemID>) {
    func isFree(_ name: ItemID) -> Bool { !containsItem(name) && !base.containsItem(name) }
    var names = ItemRenames<ItemID>()
    names.formUnion(
      renames.inOrder.filter {
        containsItem($0.old) && !base.containsItem($0.old) && isFree($0.new)
      })
    guard !names.isEmpty else { return (self, given) }
    var models = given.renaming(names, kernels)
    if !models.lost.isEmpty {
      for name in models.lost { names.forget(name) }
      models = given.renaming(names, kernels)
    }
    var renamed = self
    renamed.rename(names.inOrder)
    return (renamed, models.given)
  }
}

extension LiveState {
  /// What a merge changed, and the contradictions that it found.
  package typealias Merged = (
    commit: Commit?, contradictions: Contradictions<SectionID, ItemID>
  )

  /// Replays a writer's changes since a base that is known to be valid.
  ///
  /// - Parameters:
  ///   - given: The models that the writer changed. If others changed them too, the versions are
  ///     merged, or the writer's counts. Those of items that the writer does not have are left out.
  ///   - others: What others have renamed and placed since the base.
  /// - Complexity: The same as ``Snapshot/merging(_:basedOn:)``.
  package mutating func merge(
    _ theirs: Snapshot<SectionID, ItemID>, _ given: Given,
    basedOn base: Snapshot<SectionID, ItemID>, others: Snapshot<SectionID, ItemID>.Marks,
    duplicates: DuplicatePolicy
  ) throws(SnapshotError) -> Merged {
    var writer = theirs
    var dropped: (sections: [SectionID], items: [ItemID]) = ([], [])
    do {
      try writer.validate()
    } catch {
      guard duplicates != .reject else { throw error }
      dropped = writer.dropDuplicates(keepingLast: duplicates == .keepLast)
    }
    writer.resolve()
    let own = given.leavingOut { !writer.containsItem($0) }
    let merged = try merge(valid: writer, own, basedOn: base, others: others)
    return (merged.commit?.adding(dropped), merged.contradictions)
  }

  /// Replays a writer's changes; both sides are checked, or states of the history.
  ///
  /// - Parameters:
  ///   - seen: The versions that the writer has seen of models which others had changed in the base.
  ///   - rule: What counts where others have changed the same too.
  ///   - renames: What others have renamed while they had what an undo brings back.
  /// - Complexity: The same, without looking for what others have changed as long as the writer has only
  ///   changed models.
  package mutating func merge(
    valid theirs: Snapshot<SectionID, ItemID>, _ given: Given,
    basedOn base: Snapshot<SectionID, ItemID>, others: Snapshot<SectionID, ItemID>.Marks,
    seen: Given = Given(), by rule: MergeRule = .change,
    bringingBack renames: ItemRenames<ItemID> = .init()
  ) throws(SnapshotError) -> Merged {
    let (theirs, given) =
      rule == .undo && !renames.isEmpty
      ? theirs.bringingBack(given, since: base, named: renames) : (theirs, given)
    var found = Contradictions<SectionID, ItemID>()
    let handlers = handlers
    let commit = try edit { draft, content throws(SnapshotError) in
      let reconciliation = ModelReconciliation(
        of: draft, basedOn: base, seen: seen, renamedByOthers: others.renames)
      let kept = given.keepingContent(
        of: theirs.marks.renames, others.renames, basedOn: base, in: draft)
      let unified = try draft.merge(valid: theirs, basedOn: base, others: others, by: rule)
      // The models get the names of the result.
      let (renamed, lost) = kept.renaming(unified.names, draft.kernels, where: draft.containsItem)
      content = renamed
      found = Contradictions(unified.conflicts + unified.lostModels(lost))
      guard let reconciliation else { return }
      reconciliation.others.forget(oldNames: unified.notRenamed)
      var writers = theirs.marks.renames
      writers.forget(oldNames: unified.notRenamed)
      content = reconciliation.settle(
        content, renamed: writers,
        where: { item, _, _ in theirs.containsItem(unified.names.oldName(of: item) ?? item) },
        in: draft, by: rule, handlers.merging, &found)
      guard rule == .undo, let dropping = handlers.dropping else { return }
      reconciliation.settle(
        &content, found, of: theirs, basedOn: base, named: unified.names, in: draft, dropping)
    }
    return (commit, found)
  }

  /// Makes again what a writer has made of a state, or takes it back.
  ///
  /// - Parameters:
  ///   - others: What others have renamed and placed since that state.
  ///   - renames: What others have renamed while they had what the replay brings back. By default, what they have
  ///     renamed since that state: they may have brought it back themselves before they renamed it.
  /// - Complexity: The same.
  package mutating func make(
    _ replay: Replay<SectionID, ItemID>, others: Snapshot<SectionID, ItemID>.Marks,
    bringingBack renames: ItemRenames<ItemID>? = nil
  ) throws(SnapshotError) -> Merged {
    // A list that has come back to the base has the names of the base. What rows were called in between, and
    // which names were used again, says nothing about it.
    let hasComeBack =
      others.hasRenames && snapshot.difference(fromValid: replay.base, marks: .init()).isEmpty
    let (base, result) = (replay.base, replay.result)
    return try merge(
      valid: result, result.givenContent(since: base), basedOn: base,
      others: hasComeBack ? .init() : others, seen: replay.seen, by: replay.rule,
      bringingBack: renames ?? (hasComeBack ? .init() : others.renames))
  }

  /// Makes an edit again that was made on an earlier state before.
  ///
  /// If it gives a property of a model the same value as it did then, it has not looked at what others have
  /// made of it since. So this is merged, as if the edit was what a writer has made of the earlier state. So are
  /// sections that it deletes: what others have put there since stays.
  ///
  /// - Parameters:
  ///   - base: The earlier state.
  ///   - former: The earlier state after the edit.
  ///   - others: What others have renamed and placed since.
  /// - Complexity: The cost of the edit, and O(c · log n) for c changes of n items by the edit.
  package mutating func repeatEdit(
    _ edit: OrderChange<SectionID, ItemID>.Edit, basedOn base: Snapshot<SectionID, ItemID>,
    _ former: Snapshot<SectionID, ItemID>, others: Snapshot<SectionID, ItemID>.Marks
  ) throws -> Merged {
    var found = Contradictions<SectionID, ItemID>()
    let merging = handlers.merging
    let commit = try update(duplicates: .reject) { draft, given in
      let others = others.replacingRenames { $0.to { draft.containsItem($0) } }
      let renames = others.renames
      let reconciliation = ModelReconciliation(of: draft, basedOn: base, renamedByOthers: renames)
      let state = draft.detached
      found = try edit(&draft, &given, others)
      let filled = try draft.keepUnseenItems(
        of: state, basedOn: base, former, renamedByOthers: renames)
      found.formUnion(Contradictions(filled.map { .section($0, .deletedButFilled) }))
      guard let reconciliation, let models = draft.kernels.models else { return }
      // From the names of the base to those that the edit has given.
      var names = renames
      names.formUnion(draft.marks.renames.inOrder)
      given = reconciliation.settle(
        given, renamed: names,
        where: { item, model, versions in
          former.withModel(of: renames.oldName(of: item) ?? item) { former in
            guard let former = former?.first else { return false }
            func overrules(_ former: UnsafeRawPointer) -> Bool {
              guard let (base, theirs) = versions else { return models.areEqual(former, model) }
              return models.overrules(base: base, theirs: theirs, former: former, now: model)
            }
            if overrules(former) { return true }
            var isSame = false
            _ = models.withModel(former, renamedTo: item) { isSame = overrules($0) }
            return isSame
          }
        }, in: draft, merging, &found)
    }
    return (commit, found)
  }
}

extension Snapshot.UnifiedNames {
  /// The contradictions about models that cannot get the names of the result, as far as none about these names
  /// says it.
  fileprivate func lostModels(_ items: [ItemID]) -> [MergeConflict<SectionID, ItemID>] {
    guard !items.isEmpty else { return [] }
    var told = IdentifierSet<ItemID>()
    for case .item(let item, let contradiction) in conflicts
    where contradiction == .renamedTwice || contradiction == .renamedButTaken {
      told.insert(item)
    }
    return items.filter { !told.contains($0) }.map { .item($0, .editedButRenamed) }
  }
}

extension LiveState.Commit {
  /// The same, with the proposals of followers that it makes part of the list.
  package func accepting(_ proposals: [WriteID]) -> Self {
    proposals.isEmpty ? self : noting { $0.proposals = proposals }
  }

  /// The same, with the items that show a change which others have not accepted yet.
  package func showing(unconfirmed items: Set<ItemID>) -> Self {
    noting { $0.unconfirmedItems = items }
  }

  /// The same, with the rows of followed sources that received other identifiers.
  package func following(_ renames: ItemRenames<ItemID>) -> Self {
    renames.isEmpty ? self : noting { $0.baseRenames = renames }
  }

  /// The same, with what the duplicates policy dropped before the merge.
  func adding(_ dropped: (sections: [SectionID], items: [ItemID])) -> Self {
    guard !dropped.sections.isEmpty || !dropped.items.isEmpty else { return self }
    return noting {
      $0.droppedSections += dropped.sections
      $0.droppedItems += dropped.items
    }
  }

  private func noting(
    _ change: (inout TypedRevisionNotes<SectionID, ItemID>.Contents) -> Void
  ) -> Self {
    var contents = notes?.contents ?? .init()
    change(&contents)
    return Self(state: state, notes: TypedRevisionNotes(contents))
  }
}
