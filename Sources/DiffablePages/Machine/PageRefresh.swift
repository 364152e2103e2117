import Diffable

/// A refresh under way: the pages that have arrived, and the place of the next request.
///
/// It walks over everything that is loaded: forward from one page whose place it knows, then
/// backward from there. It ends where the backend ends, or when it has as many rows as before. If
/// the shown rows have not arrived by then, it continues until they arrive or must be gone, up to a
/// limit. It also counts the pages that bring nothing new, since a backend may have a cursor for ever.
struct PageRefresh<Model: Identifiable & Equatable & Sendable, Cursor: Sendable>: Sendable
where Model.ID: Sendable {
  typealias Answer = PageAnswer<Model, Cursor>
  typealias Place = PagePlace<Cursor>

  /// The pages, in the order of the list.
  private(set) var answers: [Answer] = []
  /// The place of the next request.
  private(set) var place: Place

  private let pageSize: Int
  /// The kernel of the identifiers.
  private let items: ElementKernel
  /// The old positions of the rows, in the order of the list.
  private let order: IdentifierMap<Model.ID, Int>
  /// The old number of rows before and after the place where the walk begins.
  private let counts: EndPair<Int>
  /// The old place of the page before that one, for backends without a cursor back.
  private let placeBefore: Place?
  /// The positions of the rows that a renderer shows.
  private let shown: ClosedRange<Int>?
  /// The shown rows that have not arrived.
  private var missing: IdentifierSet<Model.ID>
  /// The direction of the walk.
  private var direction = PageEnd.end
  /// The number of rows that have arrived in this direction.
  private var rowCount = 0
  /// The rows that have arrived.
  private var arrived: ElementIndex
  /// The number of consecutive pages, up to the last one, without a row that had not arrived before.
  var fruitlessCount = 0

  /// Begins a walk over what is loaded.
  ///
  /// - Parameters:
  ///   - ledger: What is loaded.
  ///   - origin: The place of the very first page.
  ///   - shown: The items that a renderer shows.
  ///   - pageSize: The requested number of rows of a page.
  init(
    over ledger: PageLedger<Model, Cursor>, from origin: Place, shown: [Model.ID], pageSize: Int
  ) {
    self.pageSize = pageSize
    items = ledger.items
    arrived = ElementIndex(ledger.items)
    var order = IdentifierMap<Model.ID, Int>()
    for (place, item) in ledger.order.enumerated() { order[item] = place }
    var missing = IdentifierSet<Model.ID>()
    var places: [Int] = []
    for item in shown {
      guard let place = order[item] else { continue }
      places.append(place)
      missing.insert(item)
    }
    self.shown = places.min().flatMap { first in places.max().map { first...$0 } }
    (self.order, self.missing) = (order, missing)
    // A page that was requested by a `before` cursor has no place to request rows from its start
    // on.
    let pivot =
      ledger.numbers.first { ledger.pages[$0]?.place.faces(.end) ?? false } ?? ledger.numbers.last
    let pages = ledger.numbers.prefix { $0 != pivot }
    counts = EndPair(
      start: ledger.rowCount(of: pages),
      end: ledger.rowCount(of: pages.upperBound..<ledger.numbers.upperBound))
    placeBefore = pages.last.flatMap { ledger.pages[$0]?.place }
    place = pivot.flatMap { ledger.pages[$0]?.place } ?? origin
  }

  /// The number of rows of the next request.
  var size: Int { max(pageSize, counts[direction] - rowCount) }

  /// Handles the page that has arrived from ``place``.
  ///
  /// - Returns: Whether the walk continues.
  mutating func take(_ page: Page<Model, Cursor>) -> Bool {
    let answer = Answer(page, from: place, items)
    rowCount += answer.rowCount
    fruitlessCount = arrived.formUnion(answer.elements) ? 0 : fruitlessCount + 1
    for item in answer.items { missing.remove(item) }
    if direction == .end { answers.append(answer) } else { answers.insert(answer, at: 0) }
    if let cursor = page[direction], !isDone(with: answer) {
      place = Place(beyond: direction, cursor)
      return true
    }
    guard direction == .end, counts.start > 0, let place = placeBack() else { return false }
    (direction, rowCount) = (.start, 0)
    self.place = place
    return true
  }

  /// Where the walk turns to the start; `nil` if there is nothing.
  ///
  /// As in ``PageLedger/place(beyond:)``, a cursor has priority over the place of an old page.
  private func placeBack() -> Place? {
    guard let first = answers.first else { return nil }
    if let cursor = first.page.previous { return .before(cursor) }
    return first.place.faces(.start) ? nil : placeBefore
  }

  /// Whether the walk has gone far enough in this direction.
  private func isDone(with answer: Answer) -> Bool {
    let count = counts[direction]
    guard rowCount >= count else { return false }
    return missing.isEmpty || isPastShownRows(answer) || rowCount >= 2 * count + 4 * pageSize
  }

  /// Whether most known rows of a page were beyond the shown rows.
  ///
  /// Then the missing rows must be gone, or have moved far away.
  private func isPastShownRows(_ answer: Answer) -> Bool {
    guard let shown else { return true }
    let places = answer.page.models.compactMap { order[$0.id] }
    let past = places.count { direction == .end ? $0 > shown.upperBound : $0 < shown.lowerBound }
    return past * 2 > places.count
  }
}
