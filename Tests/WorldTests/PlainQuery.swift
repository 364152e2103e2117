import Diffable
import DiffableQueries
import DiffableTesting
import ListSupport

/// A query, as it is asked of the product and worked out in arrays.
struct PlainQuery: Hashable, Sendable {
  enum Operation: Hashable, Sendable {
    case filter(Int)
    case sort(by: Field, reverse: Bool)
    case group(by: Field, reverse: Bool)
    case groupAlways(by: Field)
    case window(from: Int, count: Int)
    case distinct(by: Field)
    case omitEmptySections
    case map(Int)
    case count
    case sortSections(by: Measure, reverse: Bool)
    case filterSections(Measure, Int)
    case shorten(Int)
    case outline(isExpanded: Bool)
    case search(Int)
    /// What a user types, which is one of some texts.
    case find(Int, first: Int?)
    /// The best first, by a score that some rows do not have.
    case rank(by: Field, first: Int?)
    case totals
    case expire
  }

  enum Field: Int, CaseIterable, Hashable, Sendable { case rank, text }

  /// What the cards of a shelf come to.
  enum Measure: Int, Hashable, Sendable { case count, sum }

  typealias Asked = ListQuery<CardBatch, CardBatch>

  var operations: [Operation]

  static let groups = [Shelf(2), Shelf(0), Shelf(7), Shelf(1)]

  static func value(_ card: Card, _ field: Field) -> Int {
    field == .rank ? card.rank : card.text % 4
  }
  static func keeps(_ card: Card, _ number: Int) -> Bool { (card.id + card.text) % 4 != number }
  static func parent(_ card: Card) -> Int? { card.rank > 0 ? card.id / (card.rank + 1) : nil }
  static func mapped(_ card: Card, _ number: Int) -> Card {
    Card(id: card.id, rank: card.rank, text: (card.text + number) % 5)
  }
  static func totalled(_ card: Card, _ count: Int, _ sum: Int) -> Card {
    Card(id: card.id, rank: card.rank, text: (card.text + count + 2 * sum) % 7)
  }
  static func header(_ shelf: Shelf, _ header: String?, more: Int) -> String? {
    more == 0 ? header : "\(header ?? "\(shelf)") and \(more)"
  }
  static func deadline(_ card: Card) -> ManualClock.Instant? {
    card.rank > 0 ? .init(offset: .seconds(4 * card.rank + card.text)) : nil
  }

  static func random(_ random: inout SplitMix64) -> PlainQuery {
    func field() -> Field { random.chance(oneIn: 2) ? .rank : .text }
    func measure() -> Measure { random.chance(oneIn: 2) ? .count : .sum }
    func limit() -> Int? { random.chance(oneIn: 2) ? nil : random.number(below: 6) }
    return PlainQuery(
      operations: (0..<random.number(below: 4)).map { _ in
        switch random.number(below: 22) {
        case 0, 1, 2: .filter(random.number(below: 4))
        case 3, 4: .sort(by: field(), reverse: random.chance(oneIn: 2))
        case 5, 6: .group(by: field(), reverse: random.chance(oneIn: 2))
        case 7: .groupAlways(by: field())
        case 8: .window(from: random.number(below: 4), count: 2 + random.number(below: 9))
        case 9: .distinct(by: field())
        case 10: .omitEmptySections
        case 11: .map(random.number(below: 3))
        case 12: .count
        case 13: .outline(isExpanded: random.chance(oneIn: 2))
        case 14: random.chance(oneIn: 2) ? .search(random.number(below: 4)) : .totals
        case 15: .expire
        case 16: .sortSections(by: measure(), reverse: random.chance(oneIn: 2))
        case 17: .filterSections(measure(), random.number(below: 4))
        case 19, 20: .find(random.number(below: PlainSearch.typed.count), first: limit())
        case 21: .rank(by: field(), first: limit())
        default: .shorten(1 + random.number(below: 4))
        }
      })
  }

  /// The same, asked of the product.
  func asked(_ start: Asked, clock: ManualClock) -> Asked {
    operations.reduce(start) { query, operation in
      switch operation {
      case .filter(let number): query.filter { Self.keeps($0, number) }
      case .sort(let field, let reverse):
        query.sorted(by: { Self.value($0, field) }, reverse: reverse)
      case .group(let field, let reverse):
        query.grouped(by: { Shelf(Self.value($0, field)) }, reverse: reverse)
      case .groupAlways(let field):
        query.grouped(by: { Shelf(Self.value($0, field)) }, sections: Self.groups)
      case .window(let start, let count): query.window(start..<start + count)
      case .distinct(let field): query.distinct { Self.value($0, field) }
      case .omitEmptySections: query.omittingEmptySections()
      case .map(let number): query.map { Self.mapped($0, number) }
      case .count: query.sectionModels { "\($0): \($1)" }
      case .outline(let isExpanded):
        query.outlined(by: { Self.parent($0) }, isExpanded: isExpanded)
      case .search(let number): query.searched { !Self.keeps($0, number) }
      case .find(let number, let limit):
        query.searched(
          id: "title", for: PlainSearch.typed[number], in: { PlainSearch.title($0) }, first: limit
        ).map { PlainSearch.found($0.element, points: Int($0.match.score)) }
      case .rank(let field, let limit):
        query.ranked(first: limit) { card in
          PlainSearch.score(card, field).map { SearchMatch(score: Double($0)) }
        }.map { $0.element }
      case .totals:
        query.aggregatingDescendants(.sum(of: { $0.text + 1 })) { Self.totalled($0, $1, $2) }
      case .expire: query.expiring(clock: clock, at: Self.deadline)
      case .sortSections(let measure, let reverse):
        query.sectionsSorted(by: measure.aggregate, reverse: reverse)
      case .filterSections(let measure, let number):
        query.filterSections(measure.aggregate) { $0 % 4 != number }
      case .shorten(let count):
        query.prefix(ofEachSection: count) { Self.header($0, $1, more: $2) }
      }
    }
  }

  /// The same, asked of rows of any kind, as far as it is about cards only.
  func askedOfAny<Model: PlainModel>(
    _ start: ListQuery<ModelBatch<Shelf, Model>, ModelBatch<Shelf, Model>>
  ) -> ListQuery<ModelBatch<Shelf, Model>, ModelBatch<Shelf, Model>> {
    operations.reduce(start) { query, operation in
      switch operation {
      case .filter(let number): query.filter { Self.keeps($0.card, number) }
      case .sort(let field, let reverse):
        query.sorted(by: { Self.value($0.card, field) }, reverse: reverse)
      case .group(let field, let reverse):
        query.grouped(by: { Shelf(Self.value($0.card, field)) }, reverse: reverse)
      case .window(let start, let count): query.window(start..<start + count)
      case .omitEmptySections: query.omittingEmptySections()
      case .shorten(let count):
        query.prefix(ofEachSection: count) { Self.header($0, $1, more: $2) }
      default: query
      }
    }
  }

  /// The same without what is not asked of rows of any kind.
  var ofAny: PlainQuery {
    PlainQuery(
      operations: operations.filter {
        switch $0 {
        case .filter, .sort, .group, .window, .omitEmptySections, .shorten: true
        default: false
        }
      })
  }

  var makesTrees: Bool {
    operations.contains { if case .outline = $0 { true } else { $0.seesTrees } }
  }

  var isSearch: Bool { operations.contains { if case .search = $0 { true } else { false } } }

  /// Whether rows are in an order of the query.
  var isSorted: Bool {
    operations.contains {
      switch $0 {
      case .sort, .find, .rank: true
      default: false
      }
    }
  }
}

extension PlainQuery.Measure {
  var aggregate: Aggregate<Card, Int> { self == .count ? .count : .sum(of: { $0.text }) }

  func value(of section: Section) -> Int {
    self == .count ? section.rows.count : section.rows.reduce(0) { $0 + $1.card.text }
  }
}

extension PlainQuery.Operation {
  /// Whether it reads trees, and not only what they show.
  var seesTrees: Bool {
    switch self {
    case .search, .totals: true
    default: false
    }
  }
}

extension PlainQuery {
  /// The result, in arrays.
  ///
  /// - Parameter flags: Which rows of trees were expanded and collapsed, by their souls.
  func result(of list: PlainList, flags: [Int: Bool], now: ManualClock.Instant) -> PlainList {
    var list = operations.first?.seesTrees == true ? list : list.flat
    var order: [(Card, Card) -> Bool] = []
    var omitsEmpty = false
    func precedes(_ left: Row, _ right: Row) -> Bool {
      for precedes in order {
        if precedes(left.card, right.card) { return true }
        if precedes(right.card, left.card) { return false }
      }
      return false
    }
    func regroup(_ shelves: [Shelf], _ field: Field) {
      let rows = list.sections.flatMap(\.rows).sorted(by: precedes)
      list.sections = shelves.map { shelf in
        Section(shelf: shelf, rows: rows.filter { Self.value($0.card, field) == shelf.number })
      }
    }
    func forEach(_ body: (inout Section) -> Void) {
      for index in list.sections.indices { body(&list.sections[index]) }
    }
    for operation in operations {
      if !operation.seesTrees { list = list.flat }
      switch operation {
      case .filter(let number): forEach { $0.rows.removeAll { !Self.keeps($0.card, number) } }
      case .sort(let field, let reverse):
        order.insert(
          {
            let (left, right) = (Self.value($0, field), Self.value($1, field))
            return reverse ? left > right : left < right
          }, at: 0)
        forEach { $0.rows.sort(by: precedes) }
      case .group(let field, let reverse):
        let values = Set(list.rows.map { Self.value($0.card, field) })
        regroup(values.sorted { reverse ? $0 > $1 : $0 < $1 }.map { Shelf($0) }, field)
        omitsEmpty = true
      case .groupAlways(let field):
        regroup(Self.groups, field)
        omitsEmpty = false
      case .window(let start, let count):
        var place = 0
        forEach { section in
          section.rows.removeAll { _ in
            place += 1
            return !(start..<start + count).contains(place - 1)
          }
        }
        omitsEmpty = true
      case .distinct(let field):
        var known: Set<Int> = []
        forEach { $0.rows.removeAll { !known.insert(Self.value($0.card, field)).inserted } }
      case .omitEmptySections: omitsEmpty = true
      case .map(let number):
        // Whatever is shown instead, the rows stay in the order in which they were.
        let ranks = list.rows.sorted(by: precedes).enumerated()
        let places = Dictionary(ranks.map { ($1.id, $0) }) { one, _ in one }
        if !order.isEmpty { order = [{ places[$0.id, default: 0] < places[$1.id, default: 0] }] }
        forEach { section in
          for row in section.rows.indices {
            section.rows[row].card = Self.mapped(section.rows[row].card, number)
          }
        }
      case .count: forEach { $0.header = "\($0.shelf): \($0.rows.count)" }
      case .expire:
        forEach { $0.rows.removeAll { Self.deadline($0.card).map { $0 <= now } ?? false } }
      case .sortSections(let measure, let reverse):
        func value(_ section: Section) -> Int { measure.value(of: section) * (reverse ? -1 : 1) }
        list.sections = list.sections.enumerated()
          .sorted { (value($0.element), $0.offset) < (value($1.element), $1.offset) }
          .map(\.element)
      case .filterSections(let measure, let number):
        list.sections.removeAll { measure.value(of: $0) % 4 == number }
      case .shorten(let count):
        forEach { section in
          section.header = Self.header(
            section.shelf, section.header, more: max(0, section.rows.count - count))
          section.rows = Array(section.rows.prefix(count))
        }
      case .outline(let isExpanded):
        forEach { $0.makeTree(flags, isExpanded) }
        order = []
      case .search(let number):
        forEach { section in section.search(flags) { !Self.keeps($0, number) } }
        order = []
      case .find(let number, let limit):
        forEach { section in
          section.keepBest(limit) { card in
            PlainSearch.points(card, number).map { ($0, -PlainSearch.length(card, number)) }
          }
          for row in section.rows.indices {
            let card = section.rows[row].card
            section.rows[row].card = PlainSearch.found(
              card, points: PlainSearch.points(card, number) ?? 0)
          }
        }
        order = []
      case .rank(let field, let limit):
        forEach { $0.keepBest(limit) { card in PlainSearch.score(card, field).map { ($0, 0) } } }
        order = []
      case .totals:
        forEach { $0.total() }
        order = []
      }
      if omitsEmpty { list.sections.removeAll { $0.shown.isEmpty } }
    }
    return list
  }
}

extension Section {
  fileprivate mutating func makeTree(_ flags: [Int: Bool], _ isExpanded: Bool) {
    let known = Dictionary(rows.map { ($0.id, $0) }) { one, _ in one }
    // A row that is smaller than another can not be below it, so there are no circles.
    func parent(_ row: Row) -> Int? {
      PlainQuery.parent(row.card).flatMap { $0 != row.id ? known[$0]?.id : nil }
    }
    var tree: [Row] = []
    func add(below id: Int?, _ level: Int) {
      for var row in rows where parent(row) == id {
        (row.level, row.isExpanded) = (level, flags[row.soul] ?? isExpanded)
        tree.append(row)
        add(below: row.id, level + 1)
      }
    }
    add(below: nil, 0)
    (rows, isTree) = (tree, true)
  }

  fileprivate mutating func search(_ flags: [Int: Bool], _ isFound: (Card) -> Bool) {
    guard isTree else { return rows.removeAll { !isFound($0.card) } }
    let all = self
    rows = all.rows.indices.compactMap { index in
      guard all.rows[all.subtree(at: index)].contains(where: { isFound($0.card) }) else {
        return nil
      }
      var row = all.rows[index]
      row.isExpanded = flags[row.soul] ?? true
      return row
    }
  }

  fileprivate mutating func total() {
    let all = self
    for index in rows.indices {
      let below = isTree ? all.rows[all.subtree(at: index).dropFirst()] : []
      rows[index].card = PlainQuery.totalled(
        rows[index].card, below.count, below.reduce(0) { $0 + $1.card.text + 1 })
    }
  }
}

extension PlainQuery.Operation {
  /// Why a drop in its result may be refused.
  var refusals: Set<ReorderRefusal> {
    switch self {
    case .sort, .find, .rank: [.sorted]
    // Two of them leave the rows of a group in the order of their former groups.
    case .group, .groupAlways: [.otherGroup, .otherSection, .sorted]
    case .distinct: [.hidden]
    case .outline, .search, .totals: [.tree]
    case .filter, .map, .count, .omitEmptySections, .filterSections, .shorten, .window, .expire,
      .sortSections:
      []
    }
  }
}
