import Diffable

extension PageWriter {
  /// Writes the pages of a refresh as a merge into the live list.
  ///
  /// The base is the last answer of the backend, and the writer's version is its new answer. The
  /// rules are the same as in ``Snapshot/merging(_:basedOn:)``, except that a row that others have
  /// moved takes no part: otherwise a row that the user moved to the top would pull the rows after
  /// it along. Of models, those that others have made win, see ``PageConflict``.
  ///
  /// - Complexity: The cost of the merge, and O(n · log n) for n rows.
  func write(
    refresh answers: [Answer], of ledger: Ledger, into draft: inout Draft
  ) throws -> PageOutcome<Model> {
    var outcome = PageOutcome<Model>()
    var changed: [Model] = []
    // A row that the backend repeats is at its first place, with its last model.
    var latest = IdentifierMap<Model.ID, Model>()
    for model in answers.lazy.flatMap(\.page.models) { latest[model.id] = model }
    var items = IdentifierSet<Model.ID>()
    for (item, model) in latest.elements {
      let live = self.model(of: item, in: draft)
      let row = ledger.rows[item]
      switch fate(of: model, row, ledger, live: live, &outcome) {
      case .isInserted(let model), .isChanged(let model): changed.append(model)
      case .stays:
        // A row that was deleted while its page was not loaded is not in the base either.
        if live == nil, row == nil { continue }
      }
      items.insert(item)
    }
    recordRowsThatGo(latest, answers, ledger, draft, &outcome)

    // A row that others have moved stays where they put it, and pulls no new rows along.
    let bounds = bounds(of: ledger.placeholders, in: draft.snapshot)
    let (order, arranged) = arrange(items.inOrder, of: ledger, &outcome, in: draft.snapshot)
    let known = try list(of: order, between: bounds)
    let moved = Divergence(of: known, movedOrDeletedIn: draft.snapshot).movedItems
    let staying = IdentifierSet(arranged)
    let base = try list(
      of: order.filter { moved[$0] == nil || !staying.contains($0) }, between: bounds)
    let theirs = try list(of: arranged.filter { moved[$0] == nil }, between: bounds)
    recordStretches(staying, answers, of: ledger, &outcome, in: draft.snapshot)
    _ = try draft.snapshot.merge(valid: theirs, basedOn: base)
    draft.setModels(changed)
    return outcome
  }

  /// The placeholders between which the rows are, as far as there are any.
  private func bounds(
    of placeholders: PagePlaceholders, in snapshot: Snapshot<SectionID, Model.ID>
  ) -> EndPair<Model.ID?> {
    EndPair(
      start: placeholders.start.last.flatMap { live($0, in: snapshot) },
      end: placeholders.end.first.flatMap { live($0, in: snapshot) })
  }

  /// Rows and the placeholders next to them as a separate list.
  private func list(
    of items: [Model.ID], between bounds: EndPair<Model.ID?>
  ) throws -> Snapshot<SectionID, Model.ID> {
    var list = Snapshot<SectionID, Model.ID>()
    list.appendSections([section])
    try list.appendItems(
      [bounds.start].compactMap(\.self) + items + [bounds.end].compactMap(\.self),
      toSection: section)
    try list.validate()
    return list.resolved
  }

  /// Records the changes of others in rows that the refresh does not have.
  ///
  /// If the backend has more rows than were requested, these rows may come back, and so do the changes.
  /// But a row between rows that stay is one that the backend has deleted, as far as anybody can tell.
  private func recordRowsThatGo(
    _ latest: IdentifierMap<Model.ID, Model>, _ answers: [Answer], _ ledger: Ledger,
    _ draft: Draft, _ outcome: inout PageOutcome<Model>
  ) {
    let ends = PageEnd.allCases.filter { ledger.hasMore(beyond: $0, ofRefresh: answers) }
    let beyond = IdentifierSet(
      ends.flatMap { ledger.rows(beyond: $0) { latest[$0] != nil } })
    for (item, row) in ledger.rows.elements where latest[item] == nil {
      let live = self.model(of: item, in: draft)
      guard live != row.base else { continue }
      if !ends.isEmpty { outcome.kept.append((item, KeptChange(base: row.base, model: live))) }
      if let live, !beyond.contains(item) {
        outcome.conflicts.append(
          PageConflict(item, .changedButDeleted, base: row.base, theirs: nil, mine: live))
      }
    }
  }
}
