import Diffable

extension PageWriter {
  /// Writes a page beyond an end, and drops surplus pages at the other end.
  ///
  /// - Complexity: O(m · log n) for m rows of these pages, among n.
  func write(
    _ answer: Answer, at end: PageEnd, of ledger: Ledger, shown: [Model.ID],
    _ reach: ShownReach<Model.ID>?, canDrop: Bool, into draft: inout Draft
  ) throws -> PageOutcome<Model> {
    var outcome = PageOutcome<Model>()
    var (new, changed): ([Model], [Model]) = ([], [])
    outcome.isFruitful = false
    // Mostly all rows are new, and a look at their hashes tells that.
    let isNew =
      ledger.kept.isEmpty && ledger.rows.hasNone(of: answer)
      && draft.snapshot.hasNoHash(of: answer.elements)
    if isNew { (new, outcome.isFruitful) = (answer.page.models, !answer.page.models.isEmpty) }
    for model in isNew ? [] : answer.page.models {
      let row = ledger.rows[model.id]
      if row == nil { outcome.isFruitful = true }
      switch fate(of: model, row, ledger, live: self.model(of: model.id, in: draft), &outcome) {
      case .isInserted(let model): new.append(model)
      case .isChanged(let model): changed.append(model)
      case .stays: break
      }
    }
    if !changed.isEmpty { draft.give(changed) }
    if !ledger.displaced.isEmpty(at: end) {
      try insert(new, at: end, of: ledger, &outcome, into: &draft)
    } else if isNew, outcome.isFruitful,
      let gap = gap(at: end, ledger.placeholders, in: draft.snapshot),
      !draft.snapshot.base.isOutline(sectionAt: gap.section)
    {
      draft.insert(
        answer.index, new, at: gap,
        isOnlyEdit: rows.placeholder == nil && rows.status == nil && options.limit == nil)
    } else {
      try insert(new, at: end, ledger.placeholders, into: &draft)
    }
    guard canDrop else { return outcome }
    outcome.droppedCount = dropCount(
      at: end.far, of: ledger, shown: shown, reach, in: draft.snapshot)
    guard outcome.droppedCount > 0 else { return outcome }
    try drop(at: end.far, of: ledger, keeping: answer, &outcome, from: &draft)
    return outcome
  }

  /// The model of an item, or `nil` if the item is not in the list.
  ///
  /// A draft searches the model of an unknown item in its initial state, which has no table. Most
  /// rows of a page are unknown, so the order is checked first.
  ///
  /// - Complexity: O(log n) for n items, known or not.
  func model(of item: Model.ID, in draft: Draft) -> Model? {
    draft.snapshot.containsItem(item) ? draft.model(for: item) : nil
  }

  /// What happens to a row of a page.
  enum Fate {
    case isInserted(Model)
    case isChanged(Model)
    case stays
  }

  /// Merges one row: the last answer of the backend, the new one, and the changes of others.
  ///
  /// - Parameters:
  ///   - model: The new model of the backend.
  ///   - row: The row in the ledger.
  ///   - ledger: The ledger.
  ///   - live: The model in the list; `nil` if the row does not exist.
  func fate(
    of model: Model, _ row: PageRow<Model>?, _ ledger: Ledger, live: Model?,
    _ outcome: inout PageOutcome<Model>
  ) -> Fate {
    let kept = ledger.kept.isEmpty ? nil : ledger.kept[model.id]
    guard let base = row?.base ?? kept?.base else {
      // A row that others inserted without the backend has no base: the backend knows it now.
      return live == nil ? .isInserted(model) : .isChanged(model)
    }
    // A row whose page was dropped is as others had left it then.
    guard let mine = live ?? (row == nil ? kept?.model : nil) else {
      if model != base {
        outcome.conflicts.append(
          PageConflict(model.id, .deletedButChanged, base: base, theirs: model, mine: nil))
      }
      return .stays
    }
    func shown(_ model: Model) -> Fate { live == nil ? .isInserted(model) : .isChanged(model) }
    if mine == base { return shown(model) }
    if model != base, model != mine {
      if let merging { return shown(merging.merged(base: base, theirs: model, mine: mine)) }
      outcome.conflicts.append(
        PageConflict(model.id, .changedTwice, base: base, theirs: model, mine: mine))
    }
    return live == nil ? .isInserted(mine) : .stays
  }

  /// Inserts rows at an end.
  func insert(
    _ models: [Model], at end: PageEnd, _ placeholders: PagePlaceholders, into draft: inout Draft
  ) throws {
    guard let gap = gap(at: end, placeholders, in: draft.snapshot) else { return }
    try insert(models, at: gap, into: &draft)
  }

  /// Inserts rows at a place.
  ///
  /// If others have made a tree of the section, a page is below none of its rows: its rows become roots, before
  /// the next root there.
  ///
  /// - Complexity: O(m · log n) for m new rows among n, and O(k · log n) for k rows up to the next root.
  func insert(_ models: [Model], at path: ItemPath, into draft: inout Draft) throws {
    guard !models.isEmpty else { return }
    guard var outline = draft.snapshot.outline(ofSectionAt: path.section) else {
      return try draft.insertItems(models, at: path)
    }
    let (items, rows) = (models.map(\.id), draft.snapshot.items(inSectionAt: path.section))
    if let root = rows.dropFirst(path.item).first(where: { outline.parent(of: $0) == nil }) {
      try outline.insert(items, before: root)
    } else {
      try outline.append(items)
    }
    draft.snapshot.resolve()
    draft.snapshot.exchangeOutline(outline, ofSectionAt: path.section)
    draft.give(models)
  }

  /// Where rows at an end are inserted: after all rows of others, but before the placeholders.
  func gap(
    at end: PageEnd, _ placeholders: PagePlaceholders, in snapshot: Snapshot<SectionID, Model.ID>
  ) -> ItemPath? {
    guard let index = snapshot.indexOfSection(section) else { return nil }
    let bound = bound(at: end, placeholders, in: snapshot).flatMap(snapshot.itemPath(for:))
    switch end {
    case .start: return ItemPath(section: index, item: bound.map { $0.item + 1 } ?? 0)
    case .end:
      return bound ?? ItemPath(section: index, item: snapshot.itemCount(ofSectionAt: index))
    }
  }

  /// The places between the placeholders of both ends: of the rows, and of others' rows among them.
  ///
  /// What others have put beyond the placeholders is not there.
  func range(
    between placeholders: PagePlaceholders, in snapshot: Snapshot<SectionID, Model.ID>
  ) -> Range<Int> {
    let start = gap(at: .start, placeholders, in: snapshot)?.item ?? 0
    return start..<max(start, gap(at: .end, placeholders, in: snapshot)?.item ?? 0)
  }

  /// The innermost placeholder that the list has at an end.
  ///
  /// If others have deleted many next to the rows, all placeholders up to the one that is found count as deleted.
  ///
  /// - Complexity: O(log n) for n rows; O(log p · log n) for p placeholders if those next to the rows are gone.
  func bound(
    at end: PageEnd, _ placeholders: PagePlaceholders, in snapshot: Snapshot<SectionID, Model.ID>
  ) -> Model.ID? {
    let indices = end == .start ? placeholders.start : placeholders.end
    func item(_ distance: Int) -> Model.ID? {
      live(
        end == .start ? indices.upperBound - 1 - distance : indices.lowerBound + distance,
        in: snapshot)
    }
    let near = min(indices.count, 16)
    if let item = (0..<near).lazy.compactMap(item).first { return item }
    let distance = (near..<indices.count).partitioningIndex { item($0) != nil }
    return distance < indices.count ? item(distance) : nil
  }
}

extension Snapshot {
  /// Whether the lookup table, if there is one, has none of the hashes of some elements.
  ///
  /// Then none of them is in the list, visible or hidden.
  fileprivate func hasNoHash(of elements: HashedElements) -> Bool {
    guard let table = base.itemTable?.entries else { return false }
    return withExtendedLifetime(elements) {
      elements.span.hashBuffer.allSatisfy { !table.holds(hash: $0) }
    }
  }
}

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
    let bounds = EndPair(
      start: bound(at: .start, ledger.placeholders, in: draft.snapshot),
      end: bound(at: .end, ledger.placeholders, in: draft.snapshot))
    let (order, arranged) = arrange(items.inOrder, of: ledger, &outcome, in: draft.snapshot)
    let known = try list(of: order, between: bounds)
    let others = draft.snapshot.difference(fromValid: known, marks: .init())
    let moved = IdentifierSet(
      order.filter { draft.snapshot.itemPath(for: $0).map(others.bringsItem) ?? false })
    let staying = IdentifierSet(arranged)
    let base = try list(
      of: order.filter { !moved.contains($0) || !staying.contains($0) }, between: bounds)
    let theirs = try list(of: arranged.filter { !moved.contains($0) }, between: bounds)
    recordStretches(staying, answers, of: ledger, &outcome, in: draft.snapshot)
    _ = try draft.snapshot.merge(valid: theirs, basedOn: base, others: .init())
    draft.give(changed)
    return outcome
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
