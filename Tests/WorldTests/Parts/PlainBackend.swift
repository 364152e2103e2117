@testable import DiffablePages

/// A backend of pages with rows in one order; it lies if it is told to.
struct PlainBackend {
  private(set) var rows: [Card] = []
  /// It sends at most so many rows at once.
  let cap: Int
  /// Whether it says how many rows it has.
  let isCounting: Bool
  /// Whether it has always had the same rows, and said so.
  private(set) var isHonest = true
  /// Whether it has said how many rows it has, and has as many.
  private(set) var isCounted = true
  /// Makes the identifiers of its rows.
  let number: () -> Int

  init(cap: Int, isCounting: Bool, number: @escaping () -> Int) {
    (self.cap, self.isCounting, self.number) = (cap, isCounting, number)
    rows = Card.fresh(12, number)
  }

  /// It has other rows by now.
  ///
  /// - Parameter list: What users have made of its rows.
  mutating func change(_ number: Int, _ list: PlainList) {
    isHonest = false
    if [0, 5].contains(number % 6) { isCounted = false }
    guard !rows.isEmpty else { return rows += Card.fresh(1, self.number) }
    let index = number / 6 % rows.count
    switch number % 6 {
    case 0: rows.insert(contentsOf: Card.fresh(1, self.number), at: index)
    case 1, 2: rows[index].text = (rows[index].text + 7) % 23
    case 3: rows.insert(rows.remove(at: index), at: number % rows.count)
    // It has what users have made of a row.
    case 4: if let card = list.row(rows[index].id)?.card { rows[index] = card }
    default: rows.remove(at: index)
    }
  }

  /// Answers a question.
  ///
  /// - Parameters:
  ///   - lie: Rows are in another order, on two pages, twice on one or missing, or the counts are wrong.
  ///   - sent: The rows that it has sent before.
  ///   - list: What users have made of them.
  mutating func page(
    for request: PageRequest<Int>, lie: Int, sent: [Int: Card], _ list: PlainList
  ) -> Page<Card, Int> {
    let (size, count) = (min(request.size, cap), rows.count)
    var range: Range<Int>
    switch request.place {
    case .first: range = 0..<min(size, count)
    case .after(let cursor): range = min(cursor, count)..<min(min(cursor, count) + size, count)
    case .before(let cursor): range = max(0, min(cursor, count) - size)..<min(cursor, count)
    }
    if lie > 0 { isHonest = false }
    if ![0, 1, 4].contains(lie) { isCounted = false }
    if lie == 4 {
      // Nothing, and there is more in the same place.
      let cursor = request.isBefore ? range.upperBound : range.lowerBound
      range = cursor..<cursor
    }
    var cards = Array(rows[range])
    switch lie {
    case 1: cards.reverse()
    // A row of another page: one that is different by now, or that users have deleted.
    case 2:
      let known = rows.filter { sent[$0.id] != nil }
      let card =
        known.first { sent[$0.id] != $0 } ?? known.first { list.row($0.id) == nil } ?? known.last
      if let card { cards.insert(card, at: 0) }
    // A row twice, with two models.
    case 3:
      if var card = cards.first {
        card.text += 30
        cards.append(card)
      }
    default: break
    }
    // Some backends say how many rows there are with the first page only.
    let says = isCounting && (request.isRefresh || cap % 2 == 1)
    return Page(
      cards, previous: range.lowerBound > 0 ? range.lowerBound : nil,
      next: range.upperBound < count ? range.upperBound : nil,
      countBefore: lie == 5 ? -3 : says ? range.lowerBound : nil,
      countAfter: lie == 6 ? 900 : says ? count - range.upperBound : nil)
  }
}
