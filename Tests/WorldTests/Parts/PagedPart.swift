import DiffableTesting
import ListSupport

@testable import Diffable
@testable import DiffablePages

/// A list that is loaded page by page from a backend that lies, while users edit it and views say what they show.
///
/// Pages may be dropped at the far end, and placeholders be in the place of rows that are not loaded.
final class PagedPart: Part {
  typealias Loader = PageLoader<Shelf, Card, Int>

  private static let shelf = Shelf(300)
  private static let (pageSize, distance, placeholderLimit) = (3, 1, 4)

  private let list: ModelSource<Shelf, Card>
  private let loader: Loader
  private let road = PageRoad()
  private let told = Told()
  private let world: World
  private let cap: Int
  /// How many rows there may be before pages are dropped.
  private let limit: Int?
  /// The names of placeholders: none of something else.
  private let placeholders: Range<Int>
  /// The backend's rows, and the souls of all that it ever had.
  private var rows: [Card] = []
  private var souls: [Int: Int] = [:]
  /// Whether the backend has always had the same rows, and said so.
  private var isHonest = true
  private var pages: PlainPages
  /// What is known of the order of the rows, and of the placeholders.
  private var order: PageOrder
  /// What a view has said that it shows, by souls.
  private var reported: [Int] = []
  /// Whether views say what they show.
  private var isReporting = true
  /// The ends whose pages were asked for, until they have come or failed.
  private var requested: Set<PageEnd> = []
  /// How many pages in a row have brought nothing new.
  private var fruitless = 0
  /// The pages of a refresh that are not in the list yet.
  private var arrived: [Page<Card, Int>] = []
  /// What pages have made of the list that is not looked at yet, and which were dropped.
  private var written: PlainPages.Result?
  private var dropping: PageDropLaw?
  private(set) var truth = PlainList()
  private(set) var marks = Marks()
  private var own = Marks()
  private var placed: Set<Int> = []

  var source: any CardSource { list }
  var roots: Set<ObjectIdentifier> { [ObjectIdentifier(self)] }

  init(
    cap: Int, from start: Int, isMerging: Bool, limit: Int?, hasPlaceholders: Bool, _ world: World
  ) {
    (self.cap, self.world) = (cap, world)
    self.limit = limit.map { max($0, Self.pageSize + 2 * Self.distance) }
    let first = hasPlaceholders ? 10_000 * world.counter.next() : 0
    placeholders = first..<first + (hasPlaceholders ? 10_000 : 0)
    order = PageOrder(shelf: Self.shelf, limit: Self.placeholderLimit)
    pages = PlainPages(
      shelf: Self.shelf, isMerging: isMerging, hasPlaceholders: hasPlaceholders)
    list =
      isMerging
      ? ModelSource(options: .strict, mergeHandler: Card.merged) : ModelSource(options: .strict)
    let placeholder: @Sendable (Int) -> Card = { Card(id: first + $0) }
    loader = Loader(
      list, section: Self.shelf,
      options: PageOptions(
        pageSize: Self.pageSize, prefetchDistance: Self.distance, maximumCount: limit,
        maximumPlaceholderCount: Self.placeholderLimit),
      origin: .after(start),
      rows: PageLoaderRows(placeholder: hasPlaceholders ? placeholder : nil),
      conflictHandler: { [told] in told.add($0) }
    ) { [road] in try await road.page(for: $0) }
    for _ in 0..<12 { insert(at: rows.count) }
  }

  deinit { road.close() }

  func forgetMarks() { (marks, own, placed) = (Marks(), Marks(), []) }
  func hint(_ souls: Set<Int>) { marks.hinted.formUnion(souls) }
  func follow() {}

  private func insert(at index: Int) {
    let id = world.counter.next()
    rows.insert(Card(id: id, rank: id * 7 % 5, text: id % 3), at: index)
  }

  /// The soul of a row of the backend that comes.
  private func soul(_ id: Int) -> Int {
    let isTaken = souls[id].map(truth.souls.contains) ?? true
    let soul = isTaken ? world.counter.next() : souls[id] ?? 0
    souls[id] = soul
    return soul
  }

  // MARK: What happens

  func perform(_ event: PageEvent) async throws {
    let former = loader.states
    switch event {
    case .edit(let edits): try await write(edits)
    case .load(let atStart):
      requested.insert(atStart ? .start : .end)
      await begin { machine, _ in machine.load(atStart ? .start : .end) }
    case .refresh: await begin { machine, shown in machine.refresh(shown: shown) }
    case .show(let at, let count):
      let rows = truth.section(of: Self.shelf).map { truth.sections[$0].rows } ?? []
      await show(rows.dropFirst(rows.isEmpty ? 0 : at % rows.count).prefix(count).map(\.id))
    case .answer(let lie): try await answer(lie)
    case .fail:
      guard let number = road.oldest?.number else { return }
      road.answer(number, with: .failure(Failure("offline")))
      if loader.states.refresh.isLoading { arrived = [] }
    case .cancel:
      if loader.states.refresh.isLoading { arrived = [] }
      await loader.cancel()
    case .retry: await loader.retry()
    case .late: road.answerLate(page(for: PageRequest(.after(0), size: 9), lie: 0))
    case .change(let number): change(number)
    }
    try await settle()
    switch event {
    case .show, .answer: try await judgeLoads(since: former)
    default: break
    }
    if !loader.states.refresh.isLoading {
      requested = requested.filter { loader.states[PageLoad($0)].isLoading }
    }
  }

  /// A view says what it shows.
  func report(_ ids: [Int]) async throws {
    guard isReporting else { return }
    let former = loader.states
    await show(ids)
    try await settle()
    try await judgeLoads(since: former)
  }

  private func show(_ ids: [Int]) async {
    reported = ids.compactMap { truth.row($0)?.soul }
    await loader.show(ids)
  }

  /// Asks for pages, or for the first one, and does not wait for them.
  private func begin(
    _ event: @escaping @Sendable (inout Loader.Machine, [Int]) -> Loader.Machine.Actions
  ) async {
    let isRunning = loader.states.refresh.isLoading
    if await loader.begin(event), !isRunning { arrived = [] }
  }

  private func change(_ number: Int) {
    isHonest = false
    if [0, 5].contains(number % 6) { order.isCounted = false }
    guard !rows.isEmpty else { return insert(at: 0) }
    let index = number / 6 % rows.count
    switch number % 6 {
    case 0: insert(at: index)
    case 1, 2: rows[index].text = (rows[index].text + 7) % 23
    case 3: rows.insert(rows.remove(at: index), at: number % rows.count)
    // It has what users have made of a row.
    case 4: if let card = truth.row(rows[index].id)?.card { rows[index] = card }
    default: rows.remove(at: index)
    }
  }

  /// Waits until everything that was asked for is on the road.
  private func settleRoad() async throws {
    var looks = 0
    while await loader.runningCount != road.count {
      looks += 1
      try promise(looks < 100_000, "asks for nothing, or does not take an answer")
      await Task.yield()
    }
  }

  /// Looks at the list, and takes it over where several orders are right.
  private func settle() async throws {
    try await settleRoad()
    var all = PlainList(await list.snapshot)
    let shown = all.without(placeholders)
    let written = written ?? PlainPages.Result(list: truth.without(placeholders))
    self.written = nil
    try written.judge(shown)
    for place in all.places(shown: false) {
      let id = all[place].id
      all[place].soul = placeholders.contains(id) ? id : written.list.row(id)?.soul ?? 0
    }
    truth = all
    try dropping?.judge(shown)
    dropping = nil
    if isHonest { try order.judge(shown, backend: rows.map(\.id)) }
    if !placeholders.isEmpty {
      try order.judge(placeholders, in: all, pages, said: Set(pages.said.keys), count: rows.count)
    }
    func text(_ conflicts: [PageConflict<Card>]) -> String {
      "\(conflicts.sorted { $0.item < $1.item }.map { "\($0) \($0.versions)" })"
    }
    let (told, conflicts) = (text(told.take()), text(pages.takeConflicts()))
    try promise(told == conflicts, "tells of\n  \(told)\ninstead of\n  \(conflicts)")
    if loader.states.isWhole { pages.end() }
  }

  private func write(_ edits: [Edit]) async throws {
    var after = truth
    let deeds = edits.filter(\.isForPages).compactMap { edit -> Deed? in
      guard
        let deed = after.deed(edit, number: world.counter.next)?.sparing(placeholders.contains)
      else { return nil }
      own.note(deed, in: after, &placed)
      after.perform(deed, soul: world.counter.next)
      return deed
    }
    let result = try await list.update { draft in
      for deed in deeds { try deed.apply(to: &draft) }
    }
    order.follow(from: truth, to: after, moved: placed, placeholders)
    let change = Change(before: truth, after: after, isNamed: false, own: own, placed: placed)
    truth = after
    if result.change != nil { marks.formUnion(change.marks) }
  }

  // MARK: Pages

  private func page(for request: PageRequest<Int>, lie: Int) -> Page<Card, Int> {
    let (size, count) = (min(request.size, cap), rows.count)
    var range: Range<Int>
    switch request.place {
    case .first: range = 0..<min(size, count)
    case .after(let cursor): range = min(cursor, count)..<min(min(cursor, count) + size, count)
    case .before(let cursor): range = max(0, min(cursor, count) - size)..<min(cursor, count)
    }
    if lie > 0 { isHonest = false }
    if ![0, 1, 4].contains(lie) { order.isCounted = false }
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
      let sent = pages.said.merging(arrived.flatMap(\.models).map { ($0.id, $0) }) { $1 }
      let known = rows.filter { sent[$0.id] != nil }
      let card =
        known.first { sent[$0.id] != $0 } ?? known.first { truth.row($0.id) == nil } ?? known.last
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
    let says = !placeholders.isEmpty && (request.isRefresh || cap % 2 == 1)
    return Page(
      cards, previous: range.lowerBound > 0 ? range.lowerBound : nil,
      next: range.upperBound < count ? range.upperBound : nil,
      countBefore: lie == 5 ? -3 : says ? range.lowerBound : nil,
      countAfter: lie == 6 ? 900 : says ? count - range.upperBound : nil)
  }

  private func answer(_ lie: Int) async throws {
    guard let (number, request) = road.oldest else { return }
    let page = page(for: request, lie: lie)
    let end = await loader.end(of: request, after: pages.pages.last?.next)
    let isFarLoading = loader.states[PageLoad(end.far)].isLoading
    let behind = await rowsBehindPlaceholders(at: end.far)
    road.answer(number, with: .success(page))
    guard request.isRefresh else {
      try await settleRoad()
      marks.isInPlace = end == .start
      fruitless = page.models.allSatisfy { pages.said[$0.id] != nil } ? fruitless + 1 : 0
      let (before, former) = (truth.without(placeholders), pages.pages)
      let dropped = await former.count + 1 - loader.pageCount
      if dropped > 0 { order.witness(before) }
      written = pages.take(page, atStart: end == .start, dropping: dropped, before, soul: soul)
      dropping = PageDropLaw(
        end: end.far, count: dropped, limit: limit, distance: Self.distance, shelf: Self.shelf,
        before: before, pages: former, said: pages.said, arrived: Set(page.models.map(\.id)),
        shown: reported, isFarLoading: isFarLoading, isCounted: !order.isTorn,
        behind: behind.count)
      // A refresh that could go on begins again after that.
      return arrived = []
    }
    arrived.insert(page, at: request.isBefore ? 0 : arrived.count)
    try await settleRoad()
    let state = loader.states.refresh
    if state.isLoading || state.error != nil { return }
    fruitless = 0
    if arrived.flatMap(\.models).contains(where: { pages.said[$0.id] == nil }) { order.grow() }
    written = pages.take(
      refresh: arrived,
      hasMore: (!loader.states.start.isEndReached, !loader.states.end.isEndReached),
      truth.without(placeholders), soul: soul)
    arrived = []
  }

  /// What is near to the rows that a view shows is loading.
  private func judgeLoads(since former: PageLoadStates) async throws {
    let list = truth.without(placeholders)
    let rows = list.section(of: Self.shelf).map { list.sections[$0].rows } ?? []
    let behind = await rowsBehindPlaceholders(at: .start) + rowsBehindPlaceholders(at: .end)
    let law = PageLoadLaw(
      former: former, states: loader.states, distance: Self.distance,
      rows: rows.filter { !behind.contains($0.id) }, said: pages.said,
      shown: reported.filter(truth.souls.contains), requested: requested,
      isPatient: fruitless < 10)
    try law.judge()
  }

  /// The rows that users have put behind the innermost placeholder of an end.
  private func rowsBehindPlaceholders(at end: PageEnd) async -> [Int] {
    let indices = await loader.placeholders[end]
    let ids = truth.section(of: Self.shelf).map { truth.sections[$0].rows.map(\.id) } ?? []
    func isAtEnd(_ id: Int) -> Bool {
      placeholders.contains(id) && indices.contains(id - placeholders.lowerBound)
    }
    let behind =
      end == .start
      ? ids.lastIndex(where: isAtEnd).map { ids[..<$0] }
      : ids.firstIndex(where: isAtEnd).map { ids[$0...] }
    return behind?.filter { !placeholders.contains($0) } ?? []
  }

  /// Everything is loaded in the end.
  func finish(happens: (PageEvent) async throws -> Void) async throws {
    var rounds = 0
    if limit != nil {
      // Not all of it is there at the same time, and a view would have other pages loaded.
      isReporting = false
      try await happens(.show(at: 0, count: 0))
      for end in [PageEnd.end, .start] {
        while road.count > 0 || !loader.states[PageLoad(end)].isEndReached {
          rounds += 1
          try promise(rounds < 100, "never comes to the \(end): \(loader.states)")
          for event in [.load(atStart: end == .start), PageEvent.answer(lie: 0)] {
            try await happens(event)
          }
        }
      }
      return
    }
    while road.count > 0 || !loader.states.isWhole {
      rounds += 1
      try promise(rounds < 100, "never has everything: \(loader.states)")
      for event in [PageEvent.load(atStart: true), .load(atStart: false), .answer(lie: 0)] {
        try await happens(event)
      }
    }
    try promise(
      !isHonest || Set(pages.said.keys) == Set(rows.map(\.id)), "has not asked for all rows")
  }
}

/// The contradictions that the loader has told of since the last event.
private final class Told: Sendable {
  private let conflicts = Lock<[PageConflict<Card>]>([])

  func add(_ new: [PageConflict<Card>]) { conflicts.withLock { $0 += new } }

  func take() -> [PageConflict<Card>] {
    conflicts.withLock { conflicts in
      defer { conflicts = [] }
      return conflicts
    }
  }
}

extension PageLoadStates {
  fileprivate var isWhole: Bool { start.isEndReached && end.isEndReached }
}

extension Edit {
  /// Whether it makes no tree: a backend has none.
  fileprivate var isForPages: Bool {
    switch self {
    case .tree, .fold, .flatten, .moveInto, .setHidden: false
    default: true
    }
  }
}
