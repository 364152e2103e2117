import Diffable

extension PageWriter {
  /// The number of pages at an end that can be dropped.
  ///
  /// These are pages that are too many and far enough from the shown rows. The shown rows stay, and
  /// are not near that end afterwards; otherwise the same pages would be requested again at once.
  /// Rows that others have deleted take no space in the list, and do not count; pages without any other rows go
  /// only together with others. Otherwise a list of others' rows would load and drop such pages for ever. If
  /// renderers show another list, only its rows count for what is near.
  ///
  /// - Parameters:
  ///   - reach: Where the shown rows are in that list.
  ///   - snapshot: The list, with the page that has arrived at the other end.
  /// - Complexity: O(m · log n) for m rows of these pages and of the next, among n.
  func dropCount(
    at end: PageEnd, of ledger: Ledger, shown: [Model.ID], _ reach: ShownReach<Model.ID>?,
    in snapshot: Snapshot<SectionID, Model.ID>
  ) -> Int {
    guard let limit = options.limit, let section = snapshot.indexOfSection(section) else {
      return 0
    }
    let length = snapshot.itemCount(ofSectionAt: section)
    let inside = range(between: ledger.placeholders, in: snapshot)
    // With those of others beyond the placeholders.
    var left =
      inside.count + max(0, inside.lowerBound - ledger.placeholders.start.count)
      + max(0, length - inside.upperBound - ledger.placeholders.end.count)
    let places = shown.compactMap(snapshot.itemPath(for:)).map { path in
      path.section < section ? 0 : path.section > section ? length : path.item
    }
    let needed = places.min().map { first in
      first - options.distance...(places.max() ?? first) + options.distance
    }
    // The rows between the shown rows and the end.
    var between = needed.map { needed in
      end == .start
        ? needed.lowerBound + options.distance - inside.lowerBound
        : inside.upperBound - 1 - (needed.upperBound - options.distance)
    }
    var beyond = reach?.beyond[end]
    var (count, looked) = (0, 0)
    while left > limit, looked < ledger.numbers.count {
      let number =
        end == .start ? ledger.numbers.lowerBound + looked : ledger.numbers.upperBound - 1 - looked
      let items = ledger.pages[number]?.items ?? []
      let paths = items.lazy.compactMap(snapshot.itemPath(for:)).filter { $0.section == section }
      let rows = Array(paths.map(\.item))
      if let needed, rows.contains(where: needed.contains) { break }
      if let rest = between {
        guard rest - rows.count > options.distance else { break }
        between = rest - rows.count
      }
      if let reach, let rest = beyond {
        let shownCount = items.count(where: reach.hasRow)
        guard rest - shownCount > options.distance else { break }
        beyond = rest - shownCount
      }
      left -= rows.count
      looked += 1
      if !rows.isEmpty { count = looked }
    }
    return count
  }

  /// Drops pages, and records what others have changed in their rows and put between them.
  ///
  /// A row that others have moved to another section stays there, and so does what they have put below a
  /// row. A row that another page has too stays with that page.
  ///
  /// - Complexity: O(m · log n) for m rows of these pages, among n; O(n) more if other pages repeat
  ///   some of these rows; in an outline, O(k) more for k rows below them, on each level.
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
      let arriving = answer.contains(item) ? 1 : 0
      left.change(item, default: row.pageCount + arriving) { $0 -= 1 }
      guard left[item] == 0 else {
        if numbers.contains(row.owner) { common.append(item) }
        continue
      }
      let live = model(of: item, in: draft)
      let isHere = draft.snapshot.sectionIdentifier(containingItem: item) == section
      if isHere { gone.append(item) }
      // One in another section stays in the list, so from now on the list says what others make of it.
      if !isHere || live != row.base {
        outcome.kept.append((item, KeptChange(base: row.base, model: isHere ? live : nil)))
      }
    }
    recordStretch(
      of: gone, at: end, of: ledger, &outcome, in: draft.snapshot, isArriving: answer.contains)
    try delete(gone, from: &draft)
    let staying = IdentifierSet(common.filter { left[$0] != 0 })
    if !staying.isEmpty {
      try handOver(
        staying, of: ledger, dropping: numbers, at: end, keeping: answer, &outcome, in: &draft)
    }
  }

  /// Deletes rows, but not what others have put below them.
  ///
  /// As in a merge, that goes to the nearest ancestor that stays, or to the top.
  ///
  /// - Complexity: O(m · log n) for m rows among n; in an outline, O(k) more for k rows below them, on
  ///   each level.
  private func delete(_ items: [Model.ID], from draft: inout Draft) throws {
    guard !items.isEmpty else { return }
    if draft.snapshot.base.hasOutlines { try liftChildren(of: items, in: &draft.snapshot) }
    draft.deleteItems(items)
  }

  /// Moves what is below rows of outlines out of them, in whatever section others have put them.
  private func liftChildren(
    of items: [Model.ID], in snapshot: inout Snapshot<SectionID, Model.ID>
  ) throws {
    snapshot.resolve()
    let sections = Dictionary(grouping: items) { item in
      snapshot.sectionIdentifier(containingItem: item).flatMap(snapshot.indexOfSection)
    }
    for case (let index?, let items) in sections {
      guard var outline = snapshot.outline(ofSectionAt: index) else { continue }
      var isChanged = false
      for item in items {
        for child in outline.children(of: item) {
          try outline.move(child, before: item)
          isChanged = true
        }
      }
      if isChanged { snapshot.exchangeOutline(outline, ofSectionAt: index) }
    }
  }

  /// Hands rows over to other pages that have them, and moves them to their places in those pages.
  ///
  /// A row stays where it is if users have put its neighbours in the page below it, as in a tree.
  private func handOver(
    _ items: IdentifierSet<Model.ID>, of ledger: Ledger, dropping numbers: Range<Int>,
    at end: PageEnd, keeping answer: Answer, _ outcome: inout PageOutcome<Model>,
    in draft: inout Draft
  ) throws {
    var left = items
    var others = ledger.numbers.filter { !numbers.contains($0) }
      .map { (number: $0, items: ledger.pages[$0]?.items ?? []) }
    // The page that has arrived is at the other end.
    let arrival = (ledger.nextNumber(at: end.far), answer.items)
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
        // It cannot go beside a row that is below it.
        draft.snapshot.resolve()
        let outline = draft.snapshot.outline(ofSection: section)
        func isBeside(_ other: Model.ID) -> Bool { outline?.isItem(other, below: item) != true }
        if let previous, isBeside(previous) {
          try draft.moveItem(item, afterItem: previous)
        } else if let next = items[(index + 1)...].first(where: { isThere($0) && isBeside($0) }) {
          try draft.moveItem(item, beforeItem: next)
        }
        previous = item
      }
    }
  }

  /// Shows other placeholders.
  ///
  /// A placeholder that stays is not touched, so it is where others have moved it. One that is inserted and
  /// is there already gets its place.
  ///
  /// - Parameter isOfPages: Whether the backend has an item, too, so that a placeholder with its identifier
  ///   is refused.
  /// - Complexity: O(m · log n) for m placeholders that are inserted or deleted, among n rows.
  func show(
    _ new: PagePlaceholders, insteadOf old: PagePlaceholders, in draft: inout Draft,
    isOfPages: (Model.ID) -> Bool
  ) throws {
    guard let placeholder = rows.placeholder, new.start != old.start || new.end != old.end else {
      return
    }
    // A backend that counts otherwise now may say of a row that it is at the other end.
    let crossing = RangeSet([old.end.clamped(to: new.start), old.start.clamped(to: new.end)])
    try delete(crossing.ranges.joined().map { placeholder($0).id }, from: &draft)
    func outermost(_ index: Int?, in snapshot: Snapshot<SectionID, Model.ID>) -> ItemPath? {
      index.flatMap { crossing.contains($0) ? nil : live($0, in: snapshot) }
        .flatMap(snapshot.itemPath(for:))
    }
    func insert(
      _ indices: Range<Int>?, _ place: (Snapshot<SectionID, Model.ID>) -> ItemPath?
    ) throws {
      guard let indices else { return }
      let rows = indices.map(placeholder)
      // Undo brings back those that a page has replaced, and an earlier loader leaves its own.
      let known = rows.map { $0.id }
        .filter { draft.snapshot.containsItem($0) && !isOfPages($0) }
      try delete(known, from: &draft)
      if let path = place(draft.snapshot) { try self.insert(rows, at: path, into: &draft) }
    }
    // Next to the rows: the placeholders of dropped rows.
    try insert(
      Range(from: max(old.start.upperBound, new.start.lowerBound), to: new.start.upperBound)
    ) { gap(at: .start, old, in: $0) }
    try insert(
      Range(from: new.end.lowerBound, to: min(old.end.lowerBound, new.end.upperBound))
    ) { gap(at: .end, old, in: $0) }
    // Far from the rows: rows that the backend has in addition to its last answer, and rows that are
    // near enough now.
    try insert(
      Range(from: new.start.lowerBound, to: min(old.start.lowerBound, new.start.upperBound))
    ) { outermost(old.start.first, in: $0) ?? gap(at: .start, .none, in: $0) }
    try insert(
      Range(from: max(old.end.upperBound, new.end.lowerBound), to: new.end.upperBound)
    ) { snapshot in
      outermost(old.end.last, in: snapshot).map {
        ItemPath(section: $0.section, item: $0.item + 1)
      } ?? gap(at: .end, .none, in: snapshot)
    }
    let gone =
      Self.indices(of: old.start, outside: new.start)
      + Self.indices(of: old.end, outside: new.end)
    try delete(gone.filter { !crossing.contains($0) }.map { placeholder($0).id }, from: &draft)
  }

  /// The indices in one range that are not in another; some may appear twice.
  private static func indices(of old: Range<Int>, outside new: Range<Int>) -> [Int] {
    Array(old.prefix(max(0, new.lowerBound - old.lowerBound)))
      + Array(old.suffix(max(0, old.upperBound - new.upperBound)))
  }

  /// The identifier of a placeholder, if it is visible in its section.
  func live(_ index: Int, in snapshot: Snapshot<SectionID, Model.ID>) -> Model.ID? {
    guard let item = rows.placeholder?(index).id, let path = snapshot.itemPath(for: item),
      path.section == snapshot.indexOfSection(section)
    else { return nil }
    return item
  }
}

extension Range<Int> {
  /// The range between two bounds, or `nil` if there is nothing between them.
  fileprivate init?(from lower: Int, to upper: Int) {
    guard lower < upper else { return nil }
    self = lower..<upper
  }
}

extension Outline {
  /// Whether an item is a descendant of another one.
  ///
  /// - Complexity: O(d · log n) for its level d among n items.
  fileprivate func isItem(_ item: ItemID, below ancestor: ItemID) -> Bool {
    var parent = self.parent(of: item)
    while let next = parent, next != ancestor { parent = self.parent(of: next) }
    return parent != nil
  }
}
