import Diffable

/// The answers of the backend: the loaded pages, in order, and the next requests at both ends.
///
/// The live list is compared with it: others have deleted a row that is in the ledger but not in
/// the list, and have edited a row whose live model differs from the ledger's.
///
/// 1. Pages are numbered without gaps, in the order of the list.
/// 2. ``rows`` has each row of each page, with the number of pages that have it.
/// 3. Each row belongs to one of these pages: the one at whose place in the order it was written.
/// 4. No row is both in a page and among the kept changes.
struct PageLedger<Model: Identifiable & Equatable & Sendable, Cursor: Sendable>: Sendable
where Model.ID: Sendable {
  typealias Answer = PageAnswer<Model, Cursor>
  typealias Place = PagePlace<Cursor>

  /// A loaded page.
  struct Loaded: Sendable {
    let place: Place
    /// The rows of the answer, each once.
    let items: [Model.ID]
    /// The number of rows in the answer, repeated ones included.
    let rowCount: Int
    let previous: Cursor?
    let next: Cursor?

    init(_ answer: Answer) {
      place = answer.place
      items = answer.items
      rowCount = answer.rowCount
      (previous, next) = (answer.page.previous, answer.page.next)
    }

    subscript(end: PageEnd) -> Cursor? { end == .start ? previous : next }
  }

  /// Keyed by number.
  private(set) var pages: [Int: Loaded] = [:]
  /// The numbers of the pages, in the order of the list.
  private(set) var numbers = 0..<0
  private(set) var rows: PageRows<Model>
  /// What others have changed in rows whose pages were dropped.
  private(set) var kept = IdentifierMap<Model.ID, KeptChange<Model>>()
  /// Where dropped pages were requested, the nearest last, if no cursor leads back.
  private var lost = EndPair<[Place]>(start: [], end: [])
  /// Where rows of others were between rows of dropped pages.
  var displaced = DisplacedRows<Model.ID>()
  /// The placeholders of rows that are not loaded.
  private(set) var placeholders: PagePlaceholders
  /// The kernel of the identifiers.
  let items: ElementKernel

  init(placeholderLimit: Int, _ items: ElementKernel) {
    placeholders = PagePlaceholders(limit: placeholderLimit)
    self.items = items
    rows = PageRows(items)
  }

  var isEmpty: Bool { numbers.isEmpty }

  /// Whether there may be placeholders.
  var hasPlaceholders: Bool { placeholders.limit > 0 }

  /// The outermost page at an end.
  func page(at end: PageEnd) -> Loaded? {
    numbers.isEmpty ? nil : pages[end == .start ? numbers.lowerBound : numbers.upperBound - 1]
  }

  /// The place to request the page beyond an end; `nil` if there is none.
  ///
  /// A cursor of the outermost page has priority: the page that it leads to follows without a gap.
  /// If the backend returned no cursor, the page that was dropped there is requested as it was the
  /// first time.
  func place(beyond end: PageEnd) -> Place? {
    guard let page = page(at: end) else { return nil }
    return page[end].map { Place(beyond: end, $0) } ?? lost[end].last
  }

  /// Whether there is more beyond an end after a page has arrived there.
  func hasMore(beyond answer: Answer, at end: PageEnd) -> Bool {
    if answer.page[end] != nil { return true }
    return !answer.place.faces(end) && lost[end].count > 1
  }

  /// Whether there is more beyond an end after a refresh.
  func hasMore(beyond end: PageEnd, ofRefresh answers: [Answer]) -> Bool {
    guard let answer = end == .start ? answers.first : answers.last else { return false }
    if answer.page[end] != nil { return true }
    return !answer.place.faces(end) && !lost[end].isEmpty
  }

  /// The number of the next page at an end.
  func nextNumber(at end: PageEnd) -> Int {
    end == .start ? numbers.lowerBound - 1 : numbers.upperBound
  }

  /// The number of rows in some pages, repeated ones included.
  func rowCount(of numbers: Range<Int>) -> Int {
    numbers.reduce(0) { $0 + (pages[$1]?.rowCount ?? 0) }
  }

  // MARK: Changes

  /// Records a page written at an end, and removes those dropped at the other end.
  ///
  /// - Complexity: O(m) for m rows in these pages, amortized.
  mutating func take(_ answer: Answer, at end: PageEnd, _ outcome: PageOutcome<Model>) {
    defer { _checkInvariants() }
    placeholders = placeholders(after: answer, at: end, dropping: outcome.droppedCount)
    _ = lost[end].popLast()
    if answer.page[end] == nil, answer.place.faces(end) { lost[end] = [] }
    insert(answer, at: end)
    for _ in 0..<outcome.droppedCount { drop(at: end.far) }
    take(outcome)
  }

  /// Replaces all pages with the pages of a refresh.
  ///
  /// - Complexity: O(n) for n rows, before and after.
  mutating func take(refresh answers: [Answer], _ outcome: PageOutcome<Model>) {
    defer { _checkInvariants() }
    placeholders = placeholders(afterRefresh: answers)
    for end in PageEnd.allCases {
      guard let answer = end == .start ? answers.first : answers.last else { continue }
      if answer.page[end] != nil || answer.place.faces(end) { lost[end] = [] }
    }
    (pages, numbers) = ([:], 0..<0)
    rows = PageRows(items)
    for answer in answers { insert(answer, at: .end) }
    take(outcome)
  }

  /// Records what else has been written, after the pages.
  private mutating func take(_ outcome: PageOutcome<Model>) {
    for end in PageEnd.allCases {
      displaced.settle(outcome.settled[end], at: end)
      if let stretch = outcome.stretches[end] { displaced.append(stretch, at: end) }
      // There is nothing left that could come.
      if place(beyond: end) == nil { displaced.removeAll(at: end) }
    }
    for (item, owner) in outcome.handedOver { rows.setOwner(of: item, to: owner) }
    for (item, change) in outcome.kept where rows[item] == nil { kept[item] = change }
  }

  private mutating func insert(_ answer: Answer, at end: PageEnd) {
    let number = nextNumber(at: end)
    numbers = min(number, numbers.lowerBound)..<max(number + 1, numbers.upperBound)
    pages[number] = Loaded(answer)
    rows.insert(answer, as: number)
    if !kept.isEmpty { for item in answer.items { kept[item] = nil } }
  }

  private mutating func drop(at end: PageEnd) {
    guard let page = page(at: end) else { return }
    let number = end == .start ? numbers.lowerBound : numbers.upperBound - 1
    numbers = end == .start ? number + 1..<numbers.upperBound : numbers.lowerBound..<number
    pages[number] = nil
    // A cursor leads back, and from there another one does, or the end is reached.
    if self.page(at: end)?[end] != nil { lost[end] = [] } else { lost[end].append(page.place) }
    rows.remove(page.items)
  }

  /// Checks the numbered invariants, if ``checksInvariants``.
  func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    precondition(pages.count == numbers.count && numbers.allSatisfy { pages[$0] != nil }, "1")
    var counts: [Model.ID: Int] = [:]
    for page in pages.values {
      for item in page.items { counts[item, default: 0] += 1 }
    }
    precondition(counts.count == rows.count, "2: rows")
    precondition(counts.allSatisfy { rows[$0.key]?.pageCount == $0.value }, "2: counts")
    precondition(
      rows.elements.allSatisfy { pages[$0.row.owner]?.items.contains($0.item) ?? false }, "3")
    precondition(counts.keys.allSatisfy { kept[$0] == nil }, "4")
    #endif
  }
}

extension PageLedger {
  /// The rows of all pages, in the order in which they were written.
  ///
  /// - Complexity: O(n) for n rows.
  var order: [Model.ID] {
    numbers.flatMap { number in
      (pages[number]?.items ?? []).filter { rows[$0]?.owner == number }
    }
  }

  /// The rows between an end and the first row that stays.
  ///
  /// - Complexity: O(n) for n rows.
  func rows(beyond end: PageEnd, until stays: (Model.ID) -> Bool) -> [Model.ID] {
    end == .start
      ? Array(order.prefix { !stays($0) })
      : order.reversed().prefix { !stays($0) }.reversed()
  }
}

/// A value for each end of the loaded rows.
struct EndPair<Value: Sendable>: Sendable {
  var start: Value
  var end: Value

  subscript(end: PageEnd) -> Value {
    get { end == .start ? start : self.end }
    set {
      if end == .start { start = newValue } else { self.end = newValue }
    }
  }
}

extension EndPair: Equatable where Value: Equatable {}

extension EndPair where Value == Bool {
  static var neither: EndPair { EndPair(start: false, end: false) }
  static var both: EndPair { EndPair(start: true, end: true) }
}

/// The indices, in the backend's list, of rows that have placeholders.
///
/// The backend's list is known only in part. The indices are names: a placeholder keeps its own.
/// If the backend has more rows at an end than there may be placeholders, the nearest ones have
/// placeholders.
struct PagePlaceholders: Hashable, Sendable {
  /// The number of rows before the loaded rows, according to the backend.
  private var countBefore = 0
  /// The indices of the rows after the loaded rows, according to the backend.
  private var after = 0..<0
  /// The maximum number of placeholders at each end; 0 if there are none.
  let limit: Int

  /// The maximum number of rows that is accepted from a backend, so that no sum overflows.
  private static let countLimit = Int.max / 4

  /// No placeholders.
  static let none = PagePlaceholders(limit: 0)

  init(limit: Int) { self.limit = limit }

  /// The placeholders around some rows, if the backend returns the numbers of rows.
  init(rowCount: Int, before: Int?, after: Int?, limit: Int) {
    self.limit = limit
    countBefore = Self.count(before)
    let first = countBefore + rowCount
    self.after = first..<first + Self.count(after)
  }

  /// Those before the loaded rows.
  var start: Range<Int> { max(0, countBefore - limit)..<countBefore }
  /// Those after the loaded rows.
  var end: Range<Int> { after.lowerBound..<after.lowerBound + min(after.count, limit) }

  /// Updates the placeholders after a page beyond an end has arrived.
  ///
  /// - Parameters:
  ///   - count: The number of further rows according to the page; `nil` if it has none.
  ///   - hasMore: Whether there are further rows.
  mutating func take(rowCount: Int, at end: PageEnd, count: Int?, hasMore: Bool) {
    switch end {
    case .start:
      let left = hasMore ? count.map(Self.count) ?? max(0, countBefore - rowCount) : 0
      countBefore = min(left, after.lowerBound)
    case .end:
      let first = after.lowerBound + rowCount
      let last = count.map { first + Self.count($0) } ?? max(first, after.upperBound)
      after = first..<(hasMore ? last : first)
    }
  }

  /// Updates the placeholders after rows have been dropped at an end.
  mutating func drop(_ rowCount: Int, at end: PageEnd) {
    switch end {
    case .start: countBefore = min(countBefore + rowCount, after.lowerBound)
    case .end: after = max(after.lowerBound - rowCount, countBefore)..<after.upperBound
    }
  }

  private static func count(_ count: Int?) -> Int { min(max(0, count ?? 0), countLimit) }
}

extension PageLedger {
  /// The placeholders after a page has arrived at an end and others were dropped at the other end.
  func placeholders(
    after answer: Answer, at end: PageEnd, dropping droppedCount: Int
  ) -> PagePlaceholders {
    guard hasPlaceholders else { return placeholders }
    var placeholders = placeholders
    placeholders.take(
      rowCount: answer.rowCount, at: end,
      count: end == .start ? answer.page.countBefore : answer.page.countAfter,
      hasMore: hasMore(beyond: answer, at: end))
    let rowCount = rowCount(
      of: end == .end ? numbers.prefix(droppedCount) : numbers.suffix(droppedCount))
    if rowCount > 0 { placeholders.drop(rowCount, at: end.far) }
    return placeholders
  }

  /// The placeholders after a refresh.
  func placeholders(afterRefresh answers: [Answer]) -> PagePlaceholders {
    guard hasPlaceholders else { return placeholders }
    let before = count(answers) { $0.countBefore }
    let after = count(answers.reversed()) { $0.countAfter }
    return PagePlaceholders(
      rowCount: answers.reduce(0) { $0 + $1.rowCount },
      before: hasMore(beyond: .start, ofRefresh: answers) ? before : 0,
      after: hasMore(beyond: .end, ofRefresh: answers) ? after : 0,
      limit: placeholders.limit)
  }

  /// The number of rows beyond the outermost page, if this one or another one says it.
  ///
  /// - Parameter answers: The pages, the outermost first.
  private func count(_ answers: [Answer], _ count: (Page<Model, Cursor>) -> Int?) -> Int? {
    var rowCount = 0
    for answer in answers {
      if let count = count(answer.page) { return max(0, count) - rowCount }
      rowCount += answer.rowCount
    }
    return nil
  }
}
