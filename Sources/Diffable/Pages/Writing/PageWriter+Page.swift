extension PageWriter {
  /// Writes a page beyond an end, and drops surplus pages at the other end.
  ///
  /// - Complexity: O(m · log n) for m rows of these pages, among n.
  func write(
    _ answer: Answer, at end: PageEnd, of ledger: Ledger, shown: [Model.ID], canDrop: Bool,
    into draft: inout Draft
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
      switch fate(of: model, row, ledger, live: self.model(of: model.id, in: draft)) {
      case .isInserted(let model): new.append(model)
      case .isChanged: changed.append(model)
      case .stays: break
      }
    }
    draft.setModels(changed)
    try insert(new, at: end, ledger.placeholders, into: &draft)
    guard canDrop else { return outcome }
    outcome.droppedCount = dropCount(at: end.far, of: ledger, shown: shown, in: draft.snapshot)
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
    case isChanged
    case stays
  }

  /// Merges one row: the last answer of the backend, the new one, and the changes of others.
  ///
  /// - Parameters:
  ///   - model: The new model of the backend.
  ///   - row: The row in the ledger.
  ///   - ledger: The ledger.
  ///   - live: The model in the list; `nil` if the row does not exist.
  func fate(of model: Model, _ row: PageRow<Model>?, _ ledger: Ledger, live: Model?) -> Fate {
    let kept = ledger.kept.isEmpty ? nil : ledger.kept[model.id]
    if let live {
      // A row that others inserted without the backend has no base: the backend knows it now.
      return (row?.base ?? kept?.base).map { $0 == live } ?? true ? .isChanged : .stays
    }
    // Others have deleted a row that is in the ledger.
    if row != nil { return .stays }
    guard let kept else { return .isInserted(model) }
    return kept.model.map { .isInserted($0) } ?? .stays
  }

  /// Inserts rows at an end: after all rows of others, but before the placeholders.
  func insert(
    _ models: [Model], at end: PageEnd, _ placeholders: PagePlaceholders, into draft: inout Draft
  ) throws {
    guard !models.isEmpty else { return }
    switch end {
    case .start:
      if let last = placeholders.start.last, let anchor = live(last, in: draft.snapshot) {
        try draft.insertItems(models, afterItem: anchor)
      } else if let anchor = draft.snapshot.items(inSection: section).first {
        try draft.insertItems(models, beforeItem: anchor)
      } else {
        try draft.appendItems(models, toSection: section)
      }
    case .end:
      if let first = placeholders.end.first, let anchor = live(first, in: draft.snapshot) {
        try draft.insertItems(models, beforeItem: anchor)
      } else {
        try draft.appendItems(models, toSection: section)
      }
    }
  }
}

extension Snapshot {
  /// Whether the lookup table, if there is one, has none of the hashes of some elements.
  ///
  /// Then none of them is in the list, visible or hidden.
  fileprivate func hasNoHash(of elements: HashedElements) -> Bool {
    guard let table = itemTable?.entries else { return false }
    return withExtendedLifetime(elements) {
      elements.span.hashBuffer.allSatisfy { hash in
        var isThere = false
        table.forEachEntry(hash: hash) { _ in
          isThere = true
          return false
        }
        return !isThere
      }
    }
  }
}
