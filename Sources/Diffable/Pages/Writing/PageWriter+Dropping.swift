extension PageWriter {
  /// The rows that a renderer shows, and those near them.
  func neededRows(
    _ shown: [Model.ID], in snapshot: Snapshot<SectionID, Model.ID>
  ) -> Range<ItemPath> {
    guard let index = snapshot.indexOfSection(section) else {
      return ItemPath(section: 0, item: 0)..<ItemPath(section: 0, item: 0)
    }
    let items = snapshot.items(inSectionAt: index)
    let places = shown.lazy.compactMap(snapshot.itemPath(for:)).map { path in
      path.section < index ? 0 : path.section > index ? items.count : path.item
    }
    guard let first = places.min(), let last = places.max() else {
      return ItemPath(section: index, item: 0)..<ItemPath(section: index, item: 0)
    }
    // One more than the distance: what is dropped must not be asked for again at once.
    let lower = max(0, first - options.distance - 1)
    let upper = min(items.count, last + options.distance + 2)
    return ItemPath(section: index, item: lower)..<ItemPath(section: index, item: max(lower, upper))
  }

  /// Takes pages away, and keeps in mind what others have made of their rows.
  ///
  /// A row that others have moved to another section stays there, and one that another page has as well
  /// stays with that page.
  ///
  /// - Complexity: O(m · log n) for m rows of these pages, among n; O(n) more where other pages repeat
  ///   rows of them.
  func drop(
    at end: PageEnd, of ledger: Ledger, keeping answer: Answer,
    _ outcome: inout PageOutcome<Model>, from draft: inout Draft
  ) throws {
    var (gone, common): ([Model.ID], [Model.ID]) = ([], [])
    let count = outcome.droppedCount
    let numbers = end == .start ? ledger.numbers.prefix(count) : ledger.numbers.suffix(count)
    var left = IdentifierMap<Model.ID, Int>()
    for item in numbers.lazy.flatMap({ ledger.pages[$0]?.items ?? [] }) {
      guard let row = ledger.rows[item] else { continue }
      let arriving = answer.items[item] == nil ? 0 : 1
      left.change(item, default: row.pageCount + arriving) { $0 -= 1 }
      guard left[item] == 0 else {
        if numbers.contains(row.owner) { common.append(item) }
        continue
      }
      let live = draft.model(for: item)
      if live != row.base { outcome.kept.append((item, KeptChange(base: row.base, model: live))) }
      if draft.snapshot.sectionIdentifier(containingItem: item) == section { gone.append(item) }
    }
    draft.deleteItems(gone)
    let staying = IdentifierSet(common.filter { left[$0] != 0 })
    if !staying.isEmpty {
      try handOver(
        staying, of: ledger, dropping: numbers, at: end, keeping: answer, &outcome, in: &draft)
    }
  }

  /// Gives rows to other pages that have them, and puts them where those have them.
  private func handOver(
    _ items: IdentifierSet<Model.ID>, of ledger: Ledger, dropping numbers: Range<Int>,
    at end: PageEnd, keeping answer: Answer, _ outcome: inout PageOutcome<Model>,
    in draft: inout Draft
  ) throws {
    var left = items
    var others = ledger.numbers.filter { !numbers.contains($0) }
      .map { (number: $0, items: ledger.pages[$0]?.items ?? []) }
    // The page that has come is at the other end.
    let arrival = (ledger.nextNumber(at: end.far), answer.page.models.map(\.id))
    if end == .start { others.append(arrival) } else { others.insert(arrival, at: 0) }
    for (number, items) in others where !left.isEmpty {
      func isThere(_ item: Model.ID) -> Bool {
        ledger.rows[item].map { $0.owner == number } ?? true
          && draft.snapshot.sectionIdentifier(containingItem: item) == section
      }
      var previous: Model.ID?
      for (index, item) in items.enumerated() {
        guard left.contains(item) else {
          if isThere(item) { previous = item }
          continue
        }
        left.remove(item)
        outcome.handedOver.append((item, number))
        guard draft.snapshot.sectionIdentifier(containingItem: item) == section else { continue }
        if let previous {
          try draft.moveItem(item, afterItem: previous)
        } else if let next = items[(index + 1)...].first(where: isThere) {
          try draft.moveItem(item, beforeItem: next)
        }
        previous = item
      }
    }
  }
}
