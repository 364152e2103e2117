/// A refresh on its way: the pages that have come, and where the next one is to be asked for.
///
/// It goes over all that is loaded: on from one page that it knows how to ask for, then back from
/// there. It ends where the backend ends, or else with as many rows as there were; if what a
/// renderer shows has not come by then, it goes on until that has come or must have gone, but not
/// for ever.
struct PageWalk<Model: Identifiable & Equatable & Sendable, Cursor: Sendable>: Sendable
where Model.ID: Sendable {
  typealias Answer = PageAnswer<Model, Cursor>
  typealias Place = PagePlace<Cursor>

  /// The pages, in the order of the list.
  private(set) var answers: [Answer] = []
  /// Where the next page is to be asked for.
  private(set) var place: Place

  private let pageSize: Int
  /// Where the rows were, in the order of the list.
  private let order: IdentifierMap<Model.ID, Int>
  /// The number of rows there were before and after the place where the walk begins.
  private let counts: EndPair<Int>
  /// The places of the rows that a renderer shows.
  private let shown: ClosedRange<Int>?
  /// The shown rows that have not come.
  private var missing: IdentifierSet<Model.ID>
  /// Which way the walk goes.
  private var direction = PageEnd.end
  /// The number of rows that have come this way.
  private var rowCount = 0

  /// Begins a walk over what is loaded.
  ///
  /// - Parameters:
  ///   - ledger: What is loaded.
  ///   - origin: Where the first page of all is.
  ///   - shown: What a renderer shows.
  ///   - pageSize: The number of rows that a page is asked to have.
  init(
    over ledger: PageLedger<Model, Cursor>, from origin: Place, shown: [Model.ID], pageSize: Int
  ) {
    self.pageSize = pageSize
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
    // From a page that was asked for as what comes before another, there is no way on from its start.
    let pivot =
      ledger.numbers.first { ledger.pages[$0]?.place.leadsOn ?? false } ?? ledger.numbers.last
    let before = ledger.numbers.prefix { $0 != pivot }.reduce(0) {
      $0 + (ledger.pages[$1]?.rowCount ?? 0)
    }
    counts = EndPair(start: before, end: ledger.rowCount - before)
    place = pivot.flatMap { ledger.pages[$0]?.place } ?? origin
  }

  /// The number of rows to ask for next.
  var size: Int { max(pageSize, counts[direction] - rowCount) }

  /// Takes the page that has come from ``place``.
  ///
  /// - Returns: Whether the walk goes on.
  mutating func take(_ page: Page<Model, Cursor>) -> Bool {
    let answer = Answer(page, from: place)
    rowCount += answer.rowCount
    for model in answer.page.models { missing.remove(model.id) }
    if direction == .end { answers.append(answer) } else { answers.insert(answer, at: 0) }
    if let cursor = page[direction], !isDone(with: answer) {
      place = Place(beyond: direction, cursor)
      return true
    }
    guard direction == .end, counts.start > 0, let cursor = answers.first?.page.previous else {
      return false
    }
    (direction, rowCount) = (.start, 0)
    place = .before(cursor)
    return true
  }

  /// Whether the walk has gone far enough this way.
  private func isDone(with answer: Answer) -> Bool {
    let count = counts[direction]
    guard rowCount >= count else { return false }
    return missing.isEmpty || isPastShownRows(answer) || rowCount >= 2 * count + 4 * pageSize
  }

  /// Whether most rows of a page that are known were beyond those that are shown: what is missing must
  /// have gone, or have moved far away.
  private func isPastShownRows(_ answer: Answer) -> Bool {
    guard let shown else { return true }
    let places = answer.page.models.compactMap { order[$0.id] }
    let past = places.count { direction == .end ? $0 > shown.upperBound : $0 < shown.lowerBound }
    return past * 2 > places.count
  }
}

extension PagePlace {
  /// Whether rows from here on can be asked for.
  var leadsOn: Bool {
    switch self {
    case .first, .after: true
    case .before: false
    }
  }
}
