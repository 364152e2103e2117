import Diffable

/// Writes pages into a list: merges the backend's answers with the changes of others.
///
/// It has no concurrency: it runs inside an update of the source, so nothing happens in between.
struct PageWriter<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable, Cursor: Sendable
>: Sendable where Model.ID: Sendable {
  typealias Draft = ModelDraft<SectionID, Model>
  typealias Ledger = PageLedger<Model, Cursor>
  typealias Answer = PageAnswer<Model, Cursor>

  /// The section of the rows.
  let section: SectionID
  let options: PageOptions
  /// The rows that are not the backend's.
  let rows: PageLoaderRows<SectionID, Model>
  /// How the backend's version of a model and that of others are merged; `nil` if that of others stays.
  let merging: ModelMerging?

  /// Writes what has arrived, with the status rows of the resulting states.
  ///
  /// - Parameters:
  ///   - shown: The items that a renderer shows.
  ///   - reach: Where they are in the list that it shows, if that is another one.
  /// - Returns: The results that the machine cannot know.
  func write(
    _ arrival: PageArrival<Model, Cursor>, of machine: PageMachine<Model, Cursor>,
    shown: [Model.ID], _ reach: ShownReach<Model.ID>? = nil, into draft: inout Draft
  ) throws -> PageOutcome<Model> {
    try makeSections(in: &draft)
    var outcome: PageOutcome<Model>
    let placeholders: PagePlaceholders
    switch arrival {
    case .page(let answer, let end):
      outcome = try write(
        answer, at: end, of: machine.ledger, shown: shown, reach,
        // The load that is running there continues from the page that is there now.
        canDrop: !machine.states[end.far].isLoading, into: &draft)
      placeholders = machine.ledger.placeholders(
        after: answer, at: end, dropping: outcome.droppedCount)
    case .refresh(let answers):
      outcome = try write(refresh: answers, of: machine.ledger, into: &draft)
      placeholders = machine.ledger.placeholders(afterRefresh: answers)
    }
    func isOfPages(_ item: Model.ID) -> Bool {
      machine.ledger.rows[item] != nil || arrival.contains(item)
    }
    try show(
      placeholders, insteadOf: machine.ledger.placeholders, in: &draft, isOfPages: isOfPages)
    outcome.near = nearEnds(
      shown, in: draft.snapshot, placeholders, of: machine.ledger, settled: outcome.settled)
    try write(machine.states(after: arrival, outcome), into: &draft, isOfPages: isOfPages)
    return outcome
  }

  /// Writes the status rows only.
  ///
  /// - Parameter isOfPages: Whether the backend has an item, too, so that it is refused.
  func write(
    _ states: PageLoadStates, into draft: inout Draft, isOfPages: (Model.ID) -> Bool
  ) throws {
    guard let status = rows.status else { return }
    try makeSections(in: &draft)
    func show(_ loads: [PageLoad], in section: SectionID?) throws {
      guard let section else { return }
      // One that others have moved to another section stays there, and no load fails for it.
      let rows = loads.compactMap { status($0, states[$0]) }.filter { row in
        draft.snapshot.sectionIdentifier(containingItem: row.id).map { $0 == section } ?? true
          || isOfPages(row.id)
      }
      try draft.replaceItems(inSection: section, with: rows)
    }
    try show([.refresh, .start], in: rows.before)
    try show([.end], in: rows.after)
  }

  /// Inserts the missing sections, next to the existing ones.
  private func makeSections(in draft: inout Draft) throws {
    let (before, after) = (rows.before, rows.after)
    if !draft.snapshot.containsSection(section) {
      if let before, draft.snapshot.containsSection(before) {
        try draft.snapshot.insertSections([section], afterSection: before)
      } else if let after, draft.snapshot.containsSection(after) {
        try draft.snapshot.insertSections([section], beforeSection: after)
      } else {
        draft.snapshot.appendSections([section])
      }
    }
    if let before, !draft.snapshot.containsSection(before) {
      try draft.snapshot.insertSections([before], beforeSection: section)
    }
    if let after, !draft.snapshot.containsSection(after) {
      try draft.snapshot.insertSections([after], afterSection: section)
    }
  }

  /// The rows that stand for shown items: for one beyond an end, the loaded row next to it.
  ///
  /// That is an item of another section, such as a row that says what is loading, or a row of others
  /// that dropped pages have left at an end. It is near to the end until a page arrives there, even if
  /// the renderer does not say that it no longer shows it: such a row stays next to the end.
  ///
  /// - Parameter known: The rows that stood for the items of the last report, by item. Such a row
  ///   stands for its item again: otherwise each page would ask for the next one.
  /// - Complexity: O(v · log n) for v items of n.
  func rows(
    standingFor shown: [Model.ID], in snapshot: Snapshot<SectionID, Model.ID>, of ledger: Ledger,
    known: IdentifierMap<Model.ID, Model.ID>
  ) -> [(item: Model.ID, row: Model.ID)] {
    guard let section = snapshot.indexOfSection(section) else { return shown.map { ($0, $0) } }
    let rows = snapshot.items(inSectionAt: section)
    let loaded = loadedRange(in: snapshot, ledger.placeholders, ledger)
    guard !loaded.isEmpty else { return shown.map { ($0, $0) } }
    return shown.map { item in
      guard let path = snapshot.itemPath(for: item) else { return (item, item) }
      let isBefore =
        path.section == section ? path.item < loaded.lowerBound : path.section < section
      let isBeyond =
        path.section != section
        || !loaded.contains(path.item)
          && ledger.displaced.contains(item, at: isBefore ? .start : .end)
      guard isBeyond else { return (item, item) }
      if let row = known[item], ledger.rows[row] != nil { return (item, row) }
      return (item, rows[isBefore ? loaded.lowerBound : loaded.upperBound - 1])
    }
  }

  /// The ends that rows are near to: at most the prefetch distance away.
  ///
  /// A row of another section counts as one beyond the end on its side, and so does a placeholder.
  /// If nothing is loaded, both ends are near.
  ///
  /// - Parameter settled: Rows of others that are no longer displaced.
  /// - Complexity: O(v · log n) for v such rows of n.
  func nearEnds(
    _ shown: [Model.ID], in snapshot: Snapshot<SectionID, Model.ID>,
    _ placeholders: PagePlaceholders, of ledger: Ledger,
    settled: EndPair<[Model.ID]> = EndPair(start: [], end: [])
  ) -> EndPair<Bool> {
    guard let section = snapshot.indexOfSection(section) else { return .both }
    let loaded = loadedRange(in: snapshot, placeholders, ledger, settled)
    guard !loaded.isEmpty else { return .both }
    var near = EndPair.neither
    guard !shown.isEmpty else { return near }
    for case let path? in shown.lazy.map(snapshot.itemPath(for:)) {
      if path.section != section {
        near[path.section < section ? .start : .end] = true
      } else {
        if path.item - loaded.lowerBound <= options.distance { near.start = true }
        if loaded.upperBound - 1 - path.item <= options.distance { near.end = true }
      }
    }
    return near
  }

  /// The places of the loaded rows and of others' rows among them.
  ///
  /// That is without placeholders and what is beyond them, and without rows of others that dropped pages have
  /// left at the ends.
  private func loadedRange(
    in snapshot: Snapshot<SectionID, Model.ID>, _ placeholders: PagePlaceholders, _ ledger: Ledger,
    _ settled: EndPair<[Model.ID]> = EndPair(start: [], end: [])
  ) -> Range<Int> {
    let range = range(between: placeholders, in: snapshot)
    var (start, end) = (range.lowerBound, range.upperBound)
    func places(at end: PageEnd) -> [Int] {
      guard !ledger.displaced.isEmpty(at: end) else { return [] }
      let settled = IdentifierSet(settled[end])
      return displaced(at: end, of: ledger, in: snapshot).staying
        .filter { !settled.contains($0) }
        .compactMap { snapshot.itemPath(for: $0)?.item }
    }
    if let last = places(at: .start).last { start = last + 1 }
    if let first = places(at: .end).first { end = first }
    return start..<max(start, end)
  }
}
