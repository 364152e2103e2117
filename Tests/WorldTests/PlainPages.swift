import Diffable

@testable import DiffablePages

/// What a backend has said, and what its pages make of a list: dictionaries and arrays, and nothing else.
struct PlainPages {
  typealias Answer = Page<Card, Int>
  typealias Conflict = PageConflict<Card>

  /// A list after pages have come.
  struct Result {
    var list: PlainList
    /// Rows that are in this order in each section, by their names; `nil` if all are as in the list.
    var ordered: [[Int]]?
    /// Rows that may be below any other.
    var free: Set<Int> = []
  }

  /// A page that is loaded: its rows, each once, and its cursors.
  struct Loaded {
    let number: Int
    let ids: [Int]
    let previous: Int?
    let next: Int?
  }

  let shelf: Shelf
  let isMerging: Bool
  /// Whether there are placeholders among the rows, which are not in the lists here.
  let hasPlaceholders: Bool
  /// What the backend has said last of each row of the loaded pages.
  private(set) var said: [Int: Card] = [:]
  /// From the first one in the list to the last.
  private(set) var pages: [Loaded] = []
  /// The page at whose place each row is.
  private var owners: [Int: Int] = [:]
  private var lastNumber = 0
  /// Rows that a refresh has lost or that were dropped, with what users had made of them: they may come back.
  private var kept: [Int: (base: Card, mine: Card?)] = [:]
  /// Whether rows of users wait at an end for such rows, to be between them again.
  private var isScattered = false
  /// What users and the backend have changed in contradiction.
  private(set) var conflicts: [Conflict] = []

  /// The rows of the pages, each once.
  private var order: [Int] {
    pages.flatMap { page in page.ids.filter { owners[$0] == page.number } }
  }

  init(shelf: Shelf, isMerging: Bool, hasPlaceholders: Bool) {
    (self.shelf, self.isMerging, self.hasPlaceholders) = (shelf, isMerging, hasPlaceholders)
  }

  mutating func takeConflicts() -> [Conflict] {
    defer { conflicts = [] }
    return conflicts
  }

  /// A page comes after all rows, or before them; what is known stays where it is.
  ///
  /// - Parameters:
  ///   - count: How many pages are dropped at the other end.
  ///   - soul: The soul of a row of the backend that is not in the list.
  mutating func take(
    _ page: Answer, atStart: Bool, dropping count: Int, _ list: PlainList, soul: (Int) -> Int
  ) -> Result {
    var (list, index) = prepared(list)
    let (latest, ids) = Self.latest(page.models)
    var known = list.rows.map(\.id).filter { said[$0] != nil }
    let new = ids.compactMap { latest[$0] }.compactMap { give($0, &list) }
    list.sections[index].rows.insert(
      contentsOf: new.map { Row(soul: soul($0.id), card: $0) },
      at: atStart ? 0 : list.sections[index].rows.count)
    let loaded = load(page, ids)
    pages.insert(loaded, at: atStart ? 0 : pages.count)
    for id in ids where owners[id] == nil { owners[id] = loaded.number }
    for (id, card) in latest { (said[id], kept[id]) = (card, nil) }
    var pairs: [[Int]] = []
    var free: Set<Int> = []
    if count > 0 {
      let handedOver = drop(count, atStart: !atStart, &list)
      free = list.families(of: handedOver.rows)
      pairs = free.count > handedOver.rows.count ? [] : handedOver.pairs
      known.removeAll { said[$0] == nil || free.contains($0) }
    }
    let isExact = !isScattered && !hasPlaceholders
    return Result(
      list: list, ordered: isExact ? nil : [known, new.map(\.id)] + pairs, free: free)
  }

  private mutating func load(_ page: Answer, _ ids: [Int]) -> Loaded {
    lastNumber += 1
    return Loaded(number: lastNumber, ids: ids, previous: page.previous, next: page.next)
  }

  /// Pages at an end are dropped, with their rows, unless another page has them or users have moved them away.
  ///
  /// - Returns: The rows that go to their place on another page, each with the one beside which it is then.
  private mutating func drop(
    _ count: Int, atStart: Bool, _ list: inout PlainList
  ) -> (rows: Set<Int>, pairs: [[Int]]) {
    let gone = atStart ? pages.prefix(count) : pages.suffix(count)
    if atStart { pages.removeFirst(count) } else { pages.removeLast(count) }
    isScattered = true
    let (left, numbers) = (Set(pages.flatMap(\.ids)), Set(gone.map(\.number)))
    let section = list.section(of: shelf)
    for id in gone.flatMap(\.ids) where !left.contains(id) {
      let mine = list.row(id)?.card
      // A row in another section stays in the list, and may be edited and deleted there.
      let isHere = list.place(of: id).map { $0.section == section } ?? false
      if let base = said[id], !isHere || mine != base { kept[id] = (base, isHere ? mine : nil) }
      (said[id], owners[id]) = (nil, nil)
      if isHere { list.lift(id) }
    }
    var rows = left.filter { owners[$0].map(numbers.contains) ?? false }
    let all = rows
    let here = Set(section.map { list.sections[$0].rows.map(\.id) } ?? [])
    var pairs: [[Int]] = []
    for page in pages {
      func isThere(_ id: Int) -> Bool { owners[id] == page.number && here.contains(id) }
      for (index, id) in page.ids.enumerated() where rows.remove(id) != nil {
        owners[id] = page.number
        guard here.contains(id) else { continue }
        if let previous = page.ids[..<index].last(where: isThere) {
          pairs.append([previous, id])
        } else if let next = page.ids[(index + 1)...].first(where: isThere) {
          pairs.append([id, next])
        }
      }
    }
    return (all, pairs)
  }

  /// All pages come once more, or the first ones.
  ///
  /// - Parameter hasMore: Whether there are more rows before them and after them, whatever they say.
  mutating func take(
    refresh answers: [Answer], hasMore: (before: Bool, after: Bool), _ list: PlainList,
    soul: (Int) -> Int
  ) -> Result {
    var (list, index) = prepared(list)
    let users = list.rows.map(\.id).filter { said[$0] == nil }
    let (latest, ids) = Self.latest(answers.flatMap(\.models))
    // In trees rows go beside others that may be anywhere, with all that is below them.
    let isFlat = list.sections[index].rows.allSatisfy { $0.level == 0 }
    let isUnmoved =
      isFlat
      && order.filter { list.row($0) != nil }
        == list.sections[index].rows.map(\.id).filter { said[$0] != nil }
    let isKept = order.filter { latest[$0] != nil } == ids.filter { said[$0] != nil }
    var free = Set(isKept ? ids.filter { said[$0] == nil } : ids)
    if isScattered { free.formUnion(users) }
    let new = ids.compactMap { latest[$0] }.compactMap { give($0, &list) }
    list.sections[index].rows += new.map { Row(soul: soul($0.id), card: $0) }
    let isMore = (
      hasMore.before || answers.first?.previous != nil, hasMore.after || answers.last?.next != nil
    )
    lose(order.filter { latest[$0] == nil }, isMore, Set(ids), &list)
    pages = answers.map { load($0, Self.latest($0.models).1) }
    (said, owners) = (latest, [:])
    for page in pages { for id in page.ids where owners[id] == nil { owners[id] = page.number } }
    for id in ids { kept[id] = nil }
    return Result(
      list: list,
      ordered: (isScattered || !isFlat ? [] : [users]) + (isUnmoved ? [ids] : []),
      free: isFlat ? [] : free)
  }

  /// Nothing is left that could come.
  mutating func end() { isScattered = false }

  /// The list with the section of the pages.
  private func prepared(_ list: PlainList) -> (PlainList, Int) {
    if let index = list.section(of: shelf) { return (list, index) }
    var list = list
    list.sections.append(Section(shelf: shelf))
    return (list, list.sections.count - 1)
  }

  /// Each row once: at its first place, with its last model.
  private static func latest(_ cards: [Card]) -> ([Int: Card], [Int]) {
    var (latest, order): ([Int: Card], [Int]) = ([:], [])
    for card in cards {
      if latest.updateValue(card, forKey: card.id) == nil { order.append(card.id) }
    }
    return (latest, order)
  }

  /// Gives a row what the backend says, unless users have changed it.
  ///
  /// - Returns: The row if it is not in the list and has to be.
  private mutating func give(_ card: Card, _ list: inout PlainList) -> Card? {
    let place = list.place(of: card.id)
    let live = place.map { list[$0].card }
    let known = said[card.id].map { ($0, live) } ?? kept[card.id].map { ($0.base, live ?? $0.mine) }
    var result = card
    if let (base, mine) = known {
      guard let mine else {
        if card != base { conflict(card.id, .deletedButChanged, base, card, nil) }
        return nil
      }
      let areBoth = mine != base && card != base && card != mine
      if areBoth, !isMerging { conflict(card.id, .changedTwice, base, card, mine) }
      if mine != base { result = areBoth && isMerging ? Card.merged(base, card, mine) : mine }
    }
    guard let place else { return result }
    list[place].card = result
    return nil
  }

  /// Rows are gone that the backend does not have any more, or has elsewhere.
  private mutating func lose(
    _ lost: [Int], _ hasMore: (Bool, Bool), _ left: Set<Int>, _ list: inout PlainList
  ) {
    let (order, (hasPrevious, hasNext)) = (order, hasMore)
    let start = hasPrevious ? Set(order.prefix { !left.contains($0) }) : []
    let end = hasNext ? Set(order.reversed().prefix { !left.contains($0) }) : []
    for id in lost {
      let mine = list.row(id)?.card
      if let base = said[id], mine != base {
        if hasPrevious || hasNext { kept[id] = (base, mine) }
        if mine != nil, !start.union(end).contains(id) {
          conflict(id, .changedButDeleted, base, nil, mine)
        }
      }
      list.lift(id)
    }
    if !lost.isEmpty, hasPrevious || hasNext { isScattered = true }
  }

  private mutating func conflict(
    _ id: Int, _ contradiction: Contradiction, _ base: Card, _ theirs: Card?, _ mine: Card?
  ) {
    conflicts.append(Conflict(id, contradiction, base: base, theirs: theirs, mine: mine))
  }
}

extension PlainPages.Result {
  /// Fails unless a list has the same rows in the same sections, in this order as far as it is known.
  func judge(_ shown: PlainList) throws {
    func check(_ text: String, _ wanted: String, in order: String = "") throws {
      try promise(text == wanted, "shows\(order)\n  \(text)\ninstead of\n  \(wanted)")
    }
    guard let ordered else { return try check(shown.text, list.text) }
    try check(
      shown.families(except: free), list.families(except: free), in: " in some order")
    for order in ordered {
      let names = Set(order)
      for (section, wanted) in zip(shown.sections, list.sections) {
        let ids = Set(wanted.rows.map(\.id))
        try check(
          "\(section.rows.map(\.id).filter(names.contains))", "\(order.filter(ids.contains))",
          in: " in \(section.shelf) in the order")
      }
    }
  }
}

extension PlainList {
  /// Removes a row; what is below it stays, one level higher.
  mutating func lift(_ id: Int) {
    guard let place = place(of: id) else { return }
    for row in sections[place.section].subtree(at: place.row) {
      sections[place.section].rows[row].level -= 1
    }
    sections[place.section].rows.remove(at: place.row)
  }

  /// Rows with all that is below them.
  fileprivate func families(of ids: Set<Int>) -> Set<Int> {
    sections.reduce(into: ids) { all, section in
      for index in section.rows.indices where ids.contains(section.rows[index].id) {
        all.formUnion(section.rows[section.subtree(at: index)].map(\.id))
      }
    }
  }

  /// The rows in the order of their names, each with the one that it is below.
  fileprivate func families(except free: Set<Int>) -> String {
    sections.map { section in
      var path: [Int] = []
      let rows = section.rows.indices.map { index in
        let row = section.rows[index]
        path.removeLast(Swift.max(0, path.count - row.level))
        let parent = free.contains(row.id) ? "?" : path.last.map { "\($0)" } ?? "-"
        path.append(row.id)
        let hasSign = section.isTree && free.isEmpty && section.hasChildren(index)
        let sign = !hasSign ? "" : row.isExpanded ? "▾" : "▸"
        return (row.id, "\(parent)>\(sign)\(row.id):\(row.card.rank),\(row.card.text)")
      }.sorted { $0.0 < $1.0 }.map(\.1)
      return "\(section.shelf)\(section.isTree ? "/" : "")(\(section.header ?? ""))\(rows)"
    }.joined(separator: " ")
  }
}
