extension PageWriter {
  /// Writes the pages of a refresh: a merge of what the backend says now, based on what it said
  /// before, into what others have made of the list.
  ///
  /// The rules are those of ``Snapshot/merging(_:basedOn:)``, except that a row which others have moved
  /// takes no part: one that the user moved to the top would take along what comes after it.
  ///
  /// - Complexity: That of the merge, and O(n · log n) for n rows.
  func write(
    refresh answers: [Answer], of ledger: Ledger, into draft: inout Draft
  ) throws -> PageOutcome<Model> {
    var outcome = PageOutcome<Model>()
    var changed: [Model] = []
    // A row that the backend repeats is where it is first, as it was said last.
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
        // A row that was deleted while its page was not loaded is not in the base, either.
        if live == nil, row == nil { continue }
      }
      items.insert(item)
    }
    outcome.kept = changesOfRowsThatGo(latest, answers, ledger, draft)

    let placeholders = ledger.placeholders(afterRefresh: answers)
    // A row that others have moved stays where they put it, and takes no new ones along.
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

  /// The rows between their placeholders, as a list of their own.
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

  /// What others have made of rows that the refresh does not have, unless the backend does not have
  /// them, either: they may come again.
  private func changesOfRowsThatGo(
    _ latest: IdentifierMap<Model.ID, Model>, _ answers: [Answer], _ ledger: Ledger,
    _ draft: Draft
  ) -> [(item: Model.ID, change: KeptChange<Model>)] {
    guard PageEnd.allCases.contains(where: { ledger.hasMore(beyond: $0, ofRefresh: answers) })
    else { return [] }
    return ledger.rows.elements.compactMap { item, row in
      guard latest[item] == nil else { return nil }
      let live = self.model(of: item, in: draft)
      return live == row.base ? nil : (item, KeptChange(base: row.base, model: live))
    }
  }
}
