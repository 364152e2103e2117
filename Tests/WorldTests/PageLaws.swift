import Diffable

@testable import DiffablePages

/// In which order rows must be that are loaded, dropped and loaded again, and where placeholders are.
struct PageOrder {
  let shelf: Shelf
  /// The most placeholders at each end.
  let limit: Int
  /// Whether users have deleted placeholders, or taken back what has put them there.
  private(set) var isTorn = false
  /// Rows of the section before some of them were dropped, in their order.
  private var witnesses: [[Int]] = []
  /// Rows that users have moved.
  private var moved: Set<Int> = []

  init(shelf: Shelf, limit: Int) { (self.shelf, self.limit) = (shelf, limit) }

  /// The rows that are below no other.
  private func ids(_ list: PlainList) -> [Int] {
    let rows = list.section(of: shelf).map { list.sections[$0].rows } ?? []
    return rows.filter { $0.level == 0 }.map(\.id)
  }

  /// Some rows will not be there any more, until they are loaded again.
  mutating func witness(_ list: PlainList) {
    witnesses = witnesses.suffix(5) + [ids(list).filter { !moved.contains($0) }]
  }

  /// A refresh has brought rows that were not loaded: they go next to the rows that they follow.
  mutating func grow() { witnesses = [] }

  /// Users have changed the list, and moved some rows.
  mutating func follow(
    from old: PlainList, to new: PlainList, moved souls: Set<Int>, _ placeholders: Range<Int>
  ) {
    let ids = Set((old.rows + new.rows).filter { souls.contains($0.soul) }.map(\.id))
    moved.formUnion(ids)
    // What is below a row that is dropped goes elsewhere.
    let nested = Set(new.rows.filter { $0.level > 0 }.map(\.id))
    for index in witnesses.indices {
      witnesses[index].removeAll { ids.contains($0) || nested.contains($0) }
    }
    if !placeholders.isEmpty,
      old.rows.map(\.id).filter(placeholders.contains)
        != new.rows.map(\.id).filter(placeholders.contains)
    {
      isTorn = true
    }
  }

  /// Rows of a backend that never changes are in its order, and those of others between the same ones as before.
  mutating func judge(_ list: PlainList, backend: [Int]) throws {
    let ids = ids(list).filter { !moved.contains($0) }
    let here = Set(ids)
    // Who moves a row of a page leaves open beside which rows the others are.
    if !moved.isDisjoint(with: backend) { witnesses = [] }
    for witness in witnesses + [backend] {
      let (names, order) = (Set(witness), witness.filter(here.contains))
      try promise(
        ids.filter(names.contains) == order, "has \(ids) in another order than \(order)")
    }
  }

  /// There are placeholders for the rows next to those that are loaded, in their order.
  func judge(
    _ placeholders: Range<Int>, in list: PlainList, _ pages: PlainPages, said: Set<Int>,
    of backend: PlainBackend
  ) throws {
    let count = backend.rows.count
    let ids = ids(list)
    let indices = ids.filter(placeholders.contains).map { $0 - placeholders.lowerBound }
    if isTorn { return }
    try promise(indices == indices.sorted(), "has placeholders in the order \(indices)")
    try promise(indices.count <= 2 * limit, "has too many placeholders: \(indices)")
    guard backend.isCounted, let first = pages.pages.first, let last = pages.pages.last
    else { return }
    let loaded = (first.previous ?? 0)..<(last.next ?? count)
    let before = max(0, loaded.lowerBound - limit)..<loaded.lowerBound
    let after = loaded.upperBound..<min(count, loaded.upperBound + limit)
    try promise(
      indices == Array(before) + Array(after),
      "has placeholders of \(indices), and \(loaded) of \(count) are loaded")
    let rows = ids.map { id in
      placeholders.contains(id)
        ? id - placeholders.lowerBound < loaded.lowerBound ? 0 : 2
        : said.contains(id) && !moved.contains(id) ? 1 : nil
    }.compactMap(\.self)
    try promise(rows == rows.sorted(), "has placeholders between its rows: \(ids)")
  }
}

/// Which pages go when another one comes at the other end.
struct PageDropLaw {
  /// The end where they go, and how many went.
  let end: PageEnd
  let count: Int
  /// The number of rows above which pages go, and the distance from shown rows at which they stay.
  let limit: Int?
  let distance: Int
  let shelf: Shelf
  /// The list and the pages before the page came.
  let before: PlainList
  let pages: [PlainPages.Loaded]
  /// What the backend has said of the rows that are loaded, and the rows that came.
  let said: [Int: Card]
  let arrived: Set<Int>
  /// What a view shows, by souls, and whether there are placeholders among it.
  let shown: [Int]
  let showsPlaceholders: Bool
  let isFarLoading: Bool
  /// Whether nobody has deleted placeholders, or brought some back.
  let isCounted: Bool
  /// The number of rows behind the placeholders at the end where pages go: they count, but not as distance.
  let behind: Int

  /// The rows on the screen.
  private func rows(_ list: PlainList) -> [Row] {
    let list = list.flat
    return list.section(of: shelf).map { list.sections[$0].rows } ?? []
  }

  func judge(_ list: PlainList) throws {
    guard count > 0 || limit != nil else { return }
    let (old, new) = (rows(before), rows(list).map(\.id))
    let places = shown.compactMap { soul in old.firstIndex { $0.soul == soul } }
    // Rows of others may be at an end only because pages were dropped.
    let isPlain =
      !showsPlaceholders
      && places.count == shown.filter(before.souls.contains).count
      && places.allSatisfy { said[old[$0].id] != nil || !new.contains(old[$0].id) }
    // Placeholders that an undo brings back may be between rows.
    if let first = places.min(), let last = places.max(), isPlain, isCounted {
      let near = max(0, first - distance)..<min(old.count, last + distance + 1)
      let lost = old[near].map(\.id).filter { !new.contains($0) }
      try promise(lost.isEmpty, "drops \(lost), which are near to what is shown")
    }
    let outermost = end == .start ? pages : pages.reversed()
    if count > 0 {
      guard let limit, !isFarLoading, count <= pages.count else {
        throw Failure("drops \(count) of \(pages.count) pages for nothing")
      }
      let last = outermost[count - 1].ids.filter { id in
        old.contains { $0.id == id } || arrived.contains(id)
      }
      try promise(
        !isCounted || new.count + last.count > limit, "drops a page too many, and has \(new)")
      let now = places.compactMap { new.firstIndex(of: old[$0].id) }
      if isPlain, isCounted, let first = now.min(), let last = now.max() {
        // Otherwise the same pages would be loaded again at once.
        let rest = (end == .start ? first : new.count - 1 - last) - behind
        try promise(rest > distance, "drops pages that are needed at once, and has \(new)")
      }
    }
    // Rows on two pages count for both.
    let ids = pages.flatMap(\.ids)
    // What is below a row that goes takes the room of that row.
    let isFlat = before.rows.allSatisfy { $0.level == 0 }
    let isSimple =
      isPlain && isFlat && isCounted && !isFarLoading && Set(ids).count == ids.count
      && arrived.isDisjoint(with: ids)
    // Nothing is gained by dropping pages whose rows users have deleted.
    let left = outermost.dropFirst(count).first { !Set($0.ids).isDisjoint(with: new) }
    guard let limit, isSimple, new.count > limit, let left else { return }
    let next = Set(left.ids)
    let now = places.compactMap { new.firstIndex(of: old[$0].id) }
    guard let first = now.min(), let last = now.max() else {
      throw Failure("keeps \(new.count) rows, more than \(limit)")
    }
    let rest = (end == .start ? first : new.count - 1 - last) - behind
    let near = max(0, first - distance)..<min(new.count, last + distance + 1)
    try promise(
      rest - next.intersection(new).count <= distance || new[near].contains(where: next.contains),
      "keeps \(new) without need, where \(now) are shown")
  }
}

/// What is near to the rows that a view shows is loading, and nothing else that nobody has asked for.
struct PageLoadLaw {
  /// Before the event and after it.
  let former: PageLoadStates
  let states: PageLoadStates
  let distance: Int
  /// The rows of the section without placeholders and what is behind these, and what the backend has said of
  /// those that are loaded.
  let rows: [Row]
  let said: [Int: Card]
  /// What a view shows, by souls.
  let shown: [Int]
  /// The ends whose pages were asked for.
  let requested: Set<PageEnd>
  /// Whether some page has brought something new of late.
  let isPatient: Bool

  func judge() throws {
    guard !states.refresh.isLoading, !former.refresh.isLoading else { return }
    let loaded = rows.filter { said[$0.id] != nil }
    // Of other rows it is not so simple what they are near to.
    guard !loaded.isEmpty, Set(shown).isSubset(of: loaded.map(\.soul)) else { return }
    for end in PageEnd.allCases {
      let load = PageLoad(end)
      try promise(
        !isPatient || !isNear(end, among: rows) || !states[load].isIdle,
        "loads nothing at the \(end) of \(rows.map(\.soul)), where \(shown) are shown")
      // Rows of others at an end may be such that dropped pages have left there.
      try promise(
        requested.contains(end) || former[load].isLoading || isNear(end, among: loaded)
          || !states[load].isLoading,
        "loads at the \(end) of \(rows.map(\.soul)), where \(shown) are shown")
    }
  }

  private func isNear(_ end: PageEnd, among rows: [Row]) -> Bool {
    let places = rows.indices.filter { shown.contains(rows[$0].soul) }
    return end == .start
      ? places.first.map { $0 <= distance } ?? false
      : places.last.map { rows.count - 1 - $0 <= distance } ?? false
  }
}

extension PlainList {
  /// The same without the rows of some names.
  func without(_ ids: Range<Int>) -> PlainList {
    guard !ids.isEmpty else { return self }
    var list = self
    for index in sections.indices { list.sections[index].rows.removeAll { ids.contains($0.id) } }
    return list
  }
}

extension Deed {
  /// The same without some rows; `nil` if it is about one of these.
  func sparing(in list: PlainList, _ isSpared: (Int) -> Bool) -> Deed? {
    func rows(_ shelf: Shelf) -> [Row] {
      list.section(of: shelf).map { list.sections[$0].rows } ?? []
    }
    func hasSpared(_ shelf: Shelf) -> Bool { rows(shelf).contains { isSpared($0.id) } }
    switch self {
    case .delete(let ids):
      let ids = ids.filter { !isSpared($0) }
      return ids.isEmpty ? nil : .delete(ids)
    case .deleteWhere(let ids):
      let ids = ids.filter { !isSpared($0) }
      return ids.isEmpty ? nil : .deleteWhere(ids)
    case .moveBefore(let id, _), .moveAfter(let id, _), .moveToSection(let id, _),
      .rename(let id, _):
      return isSpared(id) ? nil : self
    case .moveInto(let id, let anchor): return isSpared(id) || isSpared(anchor) ? nil : self
    case .set(let card): return isSpared(card.id) ? nil : self
    case .upsert(let cards, let shelf): return .upsert(cards.filter { !isSpared($0.id) }, to: shelf)
    // They are below no row, and none is below them.
    case .tree(let shelf, let former):
      var (levels, isBelowSpared) = ([Int](), false)
      let ids = rows(shelf).map(\.id)
      for id in ids {
        let isAlone = isSpared(id) || isBelowSpared
        levels.append(isAlone ? 0 : min(former[id] ?? 0, levels.last.map { $0 + 1 } ?? 0))
        isBelowSpared = isSpared(id)
      }
      return .tree(shelf, ids, levels)
    case .grow(_, let id): return isSpared(id) ? nil : self
    case .keepLast(_, let shelf), .replace(_, let shelf), .outline(_, let shelf, _):
      return hasSpared(shelf) ? nil : self
    default: return self
    }
  }
}
