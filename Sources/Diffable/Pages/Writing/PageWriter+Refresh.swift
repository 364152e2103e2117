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

    let placeholders = ledger.placeholders(afterRefresh: answers)
    // A row that others have moved stays where they put it, and pulls no new rows along.
    let known = try list(of: ledger.order, ledger.placeholders)
    let moved = Divergence(from: known.resolved, to: draft.snapshot).movedItems
    let base = try list(
      of: ledger.order.filter { moved[$0] == nil || !items.contains($0) }, ledger.placeholders)
    let theirs = try list(of: items.inOrder.filter { moved[$0] == nil }, placeholders)
    _ = try draft.snapshot.merge(valid: theirs.resolved, basedOn: base.resolved)
    draft.setModels(changed)
    if let placeholder {
      for index in [placeholders.start, placeholders.end].joined() {
        let row = placeholder(index)
        if model(of: row.id, in: draft) == nil { draft.setModel(row) }
      }
    }
    return outcome
  }

  /// The rows and their placeholders as a separate list.
  private func list(
    of items: [Model.ID], _ placeholders: PagePlaceholders
  ) throws -> Snapshot<SectionID, Model.ID> {
    var list = Snapshot<SectionID, Model.ID>()
    list.appendSections([section])
    func names(_ indices: Range<Int>) -> [Model.ID] {
      placeholder.map { make in indices.map { make($0).id } } ?? []
    }
    try list.appendItems(
      names(placeholders.start) + items + names(placeholders.end), toSection: section)
    try list.validate()
    return list
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
