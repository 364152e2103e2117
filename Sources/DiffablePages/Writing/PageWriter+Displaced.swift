import Diffable

/// Rows that others have put between rows of pages.
extension PageWriter {
  typealias Displaced = DisplacedRows<Model.ID>

  /// Records the rows of others between rows that are about to leave at an end.
  ///
  /// Rows that pages farther away have left are remembered already.
  ///
  /// - Parameter isArriving: Whether a row is in a page that arrives now.
  /// - Complexity: O(m · log n) for m rows that leave and the rows of others around and below them, among n.
  func recordStretch(
    of gone: [Model.ID], at end: PageEnd, of ledger: Ledger, _ outcome: inout PageOutcome<Model>,
    in snapshot: Snapshot<SectionID, Model.ID>, isArriving: (Model.ID) -> Bool
  ) {
    guard let section = snapshot.indexOfSection(section) else { return }
    var known = IdentifierSet<Model.ID>()
    if !ledger.displaced.isEmpty(at: end) {
      let (staying, moved) = displaced(at: end, of: ledger, in: snapshot)
      known = IdentifierSet(staying)
      outcome.settled[end] += moved
    }
    let rows = snapshot.items(inSectionAt: section)[
      range(between: ledger.placeholders, in: snapshot)]
    let outline = snapshot.outline(ofSectionAt: section)
    /// A row, and those that are folded away below a row of a page.
    func folded(_ item: Model.ID) -> [Model.ID] {
      guard let outline, !outline.isExpanded(item), ledger.rows[item] != nil else { return [item] }
      return [item] + outline.outline(of: item).items
    }
    var left = IdentifierSet(gone)
    var order: [Model.ID] = []
    var others = IdentifierSet<Model.ID>()
    // Rows of other pages: some may have been moved here, many have not.
    var strangers = 0
    func isLast(_ item: Model.ID) -> Bool {
      if left.contains(item) {
        left.remove(item)
        order.append(item)
      } else if known.contains(item) {
        return false
      } else if ledger.rows[item] == nil, !isArriving(item) {
        order.append(item)
        others.insert(item)
      } else {
        strangers += 1
      }
      return left.isEmpty || strangers > gone.count
    }
    if end == .start {
      _ = rows.first { folded($0).contains(where: isLast) }
    } else {
      _ = rows.last { folded($0).reversed().contains(where: isLast) }
      order.reverse()
    }
    let departed = IdentifierSet(gone)
    // Rows on the inner side of all that leave are next to what remains, and stay there.
    let inner = end == .start ? order.reversed() : order
    for item in inner.prefix(while: { !departed.contains($0) }) { others.remove(item) }
    guard !others.isEmpty else { return }
    outcome.stretches[end] = Displaced.Stretch(order: order, others: others)
  }

  /// The rows of others that are still where pages left them, in the order of the list.
  ///
  /// That is between the placeholders at the end and the rows of the outermost page. The others have been
  /// moved, or the backend has them now.
  func displaced(
    at end: PageEnd, of ledger: Ledger, in snapshot: Snapshot<SectionID, Model.ID>
  ) -> (staying: [Model.ID], moved: [Model.ID]) {
    guard let section = snapshot.indexOfSection(section) else { return ([], []) }
    let numbers = end == .start ? Array(ledger.numbers) : ledger.numbers.reversed()
    func path(_ item: Model.ID) -> Int? {
      snapshot.itemPath(for: item).flatMap { $0.section == section ? $0.item : nil }
    }
    var bound: Int?
    for number in numbers where bound == nil {
      let places = (ledger.pages[number]?.items ?? []).compactMap(path)
      // Rows that others have moved are not where their page is.
      let stays = places.enumerated()
        .map { MatchedRun(old: $0.element, new: $0.offset, count: 1) }
        .heaviestIncreasingSubsequence()
      let unmoved = places.indices.filter { stays?[$0] ?? true }
      bound = (end == .start ? unmoved.first : unmoved.last).map { places[$0] }
    }
    let placeholder = self.bound(at: end, ledger.placeholders, in: snapshot).flatMap(path)
    /// Whether a place is nearer to the end than another one.
    func isBeyond(_ place: Int, _ other: Int) -> Bool {
      end == .start ? place < other : place > other
    }
    var staying: [(item: Model.ID, place: Int)] = []
    var moved: [Model.ID] = []
    for item in ledger.displaced.others(at: end) {
      let isRoot = snapshot.outline(ofSectionAt: section)?.parent(of: item) == nil
      if ledger.rows[item] == nil, let place = path(item), isRoot,
        bound.map({ isBeyond(place, $0) }) ?? true,
        placeholder.map({ isBeyond($0, place) }) ?? true
      {
        staying.append((item, place))
      } else {
        moved.append(item)
      }
    }
    return (staying.sorted { $0.place < $1.place }.map(\.item), moved)
  }

  /// Inserts rows at an end, around the rows of others that were between them before.
  ///
  /// - Complexity: O(m · log n) for m rows among n, and O(k · (k + m)) for k rows of others at the end.
  func insert(
    _ models: [Model], at end: PageEnd, of ledger: Ledger, _ outcome: inout PageOutcome<Model>,
    into draft: inout Draft
  ) throws {
    let (staying, moved) = displaced(at: end, of: ledger, in: draft.snapshot)
    outcome.settled[end] += moved
    let cuts = cuts(
      of: staying, at: end, among: models.map(\.id), of: ledger, &outcome,
      isLoaded: { ledger.rows[$0] != nil })
    let bounds = [0] + cuts.map(\.count) + [models.count]
    // Rows go after the nearest row of others on their outer side, or before it at the end.
    if end == .start {
      try insert(Array(models[..<bounds[1]]), at: end, ledger.placeholders, into: &draft)
      for (index, cut) in cuts.enumerated() {
        try draft.insertItems(models[bounds[index + 1]..<bounds[index + 2]], afterItem: cut.item)
      }
    } else {
      for (index, cut) in cuts.enumerated() {
        guard let path = draft.snapshot.itemPath(for: cut.item) else { continue }
        // Not by an edit before the item: that gives rows the level of the row which is seen before it.
        try insert(Array(models[bounds[index]..<bounds[index + 1]]), at: path, into: &draft)
      }
      try insert(
        Array(models[bounds[cuts.count]...]), at: end, ledger.placeholders, into: &draft)
    }
  }

  /// How many arriving rows go before each of some rows of others.
  private func cuts(
    of staying: [Model.ID], at end: PageEnd, among items: [Model.ID], of ledger: Ledger,
    _ outcome: inout PageOutcome<Model>, isLoaded: (Model.ID) -> Bool
  ) -> [(item: Model.ID, count: Int)] {
    var arriving = IdentifierMap<Model.ID, Int>()
    for (number, item) in items.enumerated() { arriving[item] = number }
    var cuts: [(item: Model.ID, count: Int)] = []
    for item in staying {
      let place = ledger.displaced.place(of: item, at: end, among: arriving, isLoaded: isLoaded)
      guard let place else { continue }
      if place.isSettled { outcome.settled[end].append(item) }
      // Others may have changed their order.
      cuts.append((item, max(place.count, cuts.last?.count ?? 0)))
    }
    return cuts
  }

  // MARK: Refreshing

  /// The order of the rows before a refresh and after it, with the rows of others that dropped pages
  /// have left at the ends.
  ///
  /// So rows that the refresh brings are put around them.
  func arrange(
    _ items: [Model.ID], of ledger: Ledger, _ outcome: inout PageOutcome<Model>,
    in snapshot: Snapshot<SectionID, Model.ID>
  ) -> (before: [Model.ID], after: [Model.ID]) {
    var (before, after) = (ledger.order, items)
    for end in PageEnd.allCases where !ledger.displaced.isEmpty(at: end) {
      var (staying, moved) = displaced(at: end, of: ledger, in: snapshot)
      let known = IdentifierSet(items)
      moved += staying.filter(known.contains)
      staying.removeAll(where: known.contains)
      outcome.settled[end] += moved
      before.insert(contentsOf: staying, at: end == .start ? 0 : before.count)
      let cuts = cuts(
        of: staying, at: end, among: after, of: ledger, &outcome, isLoaded: { _ in false })
      for cut in cuts.reversed() { after.insert(cut.item, at: cut.count) }
    }
    return (before, after)
  }

  /// Records the rows of others between rows that a refresh no longer has.
  ///
  /// - Parameter staying: The rows that it has.
  func recordStretches(
    _ staying: IdentifierSet<Model.ID>, _ answers: [Answer], of ledger: Ledger,
    _ outcome: inout PageOutcome<Model>, in snapshot: Snapshot<SectionID, Model.ID>
  ) {
    let order = ledger.order
    for end in PageEnd.allCases where ledger.hasMore(beyond: end, ofRefresh: answers) {
      let gone = ledger.rows(beyond: end, until: staying.contains)
      guard !gone.isEmpty, gone.count < order.count else { continue }
      recordStretch(
        of: gone.filter(snapshot.containsItem), at: end, of: ledger, &outcome, in: snapshot,
        isArriving: staying.contains)
    }
  }
}
