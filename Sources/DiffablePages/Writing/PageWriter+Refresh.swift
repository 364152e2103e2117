import Diffable

extension PageWriter {
  /// Writes the pages of a refresh as a merge into the live list.
  ///
  /// The base is the last answer of the backend, and the writer's version is its new answer. The
  /// rules are the same as in ``Snapshot/merging(_:basedOn:)``, except that a row that others have
  /// moved takes no part: otherwise a row that the user moved to the top would pull the rows after
  /// it along.
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
      switch fate(of: model, row, ledger, live: live) {
      case .isInserted(let model): changed.append(model)
      case .isChanged: changed.append(model)
      case .stays:
        // A row that was deleted while its page was not loaded is not in the base either.
        if live == nil, row == nil { continue }
      }
      items.insert(item)
    }
    outcome.kept = changesOfRowsThatGo(latest, answers, ledger, draft)

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

  /// The changes of others in rows that the refresh does not have.
  ///
  /// Left out are rows that the backend no longer has; the others may be loaded again.
  private func changesOfRowsThatGo(
    _ latest: IdentifierMap<Model.ID, Model>, _ answers: [Answer], _ ledger: Ledger,
    _ draft: Draft
  ) -> [(item: Model.ID, change: KeptChange<Model>)] {
    guard PageEnd.allCases.contains(where: { ledger.hasMore(beyond: $0, ofRefresh: answers) })
    else { return [] }
    return ledger.rows.elements.compactMap {
      item, row -> (item: Model.ID, change: KeptChange<Model>)? in
      guard latest[item] == nil else { return nil }
      let live = self.model(of: item, in: draft)
      return live == row.base ? nil : (item, KeptChange(base: row.base, model: live))
    }
  }
}
