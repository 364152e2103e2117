import DiffableTesting
import ListSupport

@testable import Diffable
@testable import DiffablePages

/// A list that is loaded page by page from a backend that lies, while users edit it and views say what they show.
///
/// Pages may be dropped at the far end, and placeholders be in the place of rows that are not loaded.
final class PagedPart: WrittenList {
  typealias Loader = PageLoader<Shelf, Card, Int>

  private static let shelf = Shelf(300)
  private static let (pageSize, distance, placeholderLimit) = (3, 1, 4)

  let list: ModelSource<Shelf, Card>
  private let loader: Loader
  private let road = PageRoad()
  private let told = Told()
  let world: World
  let timeline: Timeline
  /// How many rows there may be before pages are dropped.
  private let limit: Int?
  /// The names of placeholders: none of something else.
  private let placeholders: Range<Int>
  private var backend: PlainBackend
  /// The souls of all rows that the backend ever had.
  private var souls: [Int: Int] = [:]
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
  var truth = PlainList()
  var marks = Marks()
  var own = Marks()
  var placed: Set<Int> = []
  private var hasTakenBack = false

  var source: any CardSource { list }
  var roots: Set<ObjectIdentifier> { [ObjectIdentifier(self)] }

  init(
    cap: Int, from start: Int, isMerging: Bool, limit: Int?, hasPlaceholders: Bool, _ world: World
  ) {
    self.world = world
    self.limit = limit.map { max($0, Self.pageSize + 2 * Self.distance) }
    let first = hasPlaceholders ? 10_000 * world.counter.next() : 0
    placeholders = first..<first + (hasPlaceholders ? 10_000 : 0)
    backend = PlainBackend(cap: cap, isCounting: hasPlaceholders, number: world.counter.next)
    order = PageOrder(shelf: Self.shelf, limit: Self.placeholderLimit)
    pages = PlainPages(
      shelf: Self.shelf, isMerging: isMerging, hasPlaceholders: hasPlaceholders)
    var options = SourceOptions.strict
    options.history = 200
    list =
      isMerging
      ? ModelSource(options: options, mergeHandler: Card.merged) : ModelSource(options: options)
    timeline = Timeline(of: list, isMerging: isMerging)
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
  }

  deinit { road.close() }

  var spared: Range<Int> { placeholders }

  /// The soul of a row of the backend that comes.
  private func soul(_ id: Int) -> Int {
    let isTaken = souls[id].map(truth.souls.contains) ?? true
    let soul = isTaken ? world.counter.next() : souls[id] ?? 0
    souls[id] = soul
    return soul
  }

  func perform(_ event: PageEvent) async throws {
    let (former, isAsking) = (loader.states, road.oldest != nil)
    switch event {
    case .load(let atStart):
      requested.insert(atStart ? .start : .end)
      await begin { machine, _ in machine.load(atStart ? .start : .end) }
    case .giveUp(let atStart):
      try await perform(.load(atStart: atStart))
      let waiting = Task { [loader] in await loader.load(atStart ? .start : .end) }
      waiting.cancel()
      _ = await waiting.value
    case .refresh: await begin { machine, shown in machine.refresh(shown: shown) }
    case .show(let at, let count):
      let rows = truth.flat.section(of: Self.shelf).map { truth.flat.sections[$0].rows } ?? []
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
    case .change(let number): backend.change(number, truth)
    }
    try await settle()
    switch event {
    case .show: try await judgeLoads(since: former)
    case .answer where isAsking: try await judgeLoads(since: former)
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
  func settle() async throws {
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
    try await noteRevision(from: truth, to: all)
    truth = all
    try dropping?.judge(shown)
    dropping = nil
    if backend.isHonest { try order.judge(shown, backend: backend.rows.map(\.id)) }
    if !placeholders.isEmpty {
      try order.judge(placeholders, in: all, pages, said: Set(pages.said.keys), of: backend)
    }
    func text(_ conflicts: [PageConflict<Card>]) -> String {
      "\(conflicts.sorted { $0.item < $1.item }.map { "\($0) \($0.versions)" })"
    }
    let (told, conflicts) = (text(told.take()), text(pages.takeConflicts()))
    try promise(told == conflicts, "tells of\n  \(told)\ninstead of\n  \(conflicts)")
    if loader.states.isWhole { pages.end() }
  }

  /// Notes what pages have changed: in one step, or not at all.
  private func noteRevision(from before: PlainList, to after: PlainList) async throws {
    let latest = await list.revision
    guard latest != timeline.newest else { return }
    try promise(latest.number == timeline.newest.number + 1, "pages are written in several steps")
    timeline.note(Change(byPagesFrom: before, to: after), at: latest, .change(name: nil))
  }

  // MARK: Users

  func willNote(_ after: PlainList) {
    order.follow(from: truth, to: after, moved: placed, placeholders)
  }

  /// What is taken back may be what a page has changed, and rows that were dropped be there again, anywhere.
  func willTake(_ taken: Timeline.TakenBack) -> Set<Int> {
    hasTakenBack = true
    return truth.souls.union(taken.result.souls)
  }

  // MARK: Pages

  private func page(for request: PageRequest<Int>, lie: Int) -> Page<Card, Int> {
    let sent = pages.said.merging(arrived.flatMap(\.models).map { ($0.id, $0) }) { $1 }
    return backend.page(for: request, lie: lie, sent: sent, truth)
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
        shown: reported, showsPlaceholders: reported.contains(where: placeholders.contains),
        isFarLoading: isFarLoading, isCounted: !order.isTorn, behind: behind.count)
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

  /// What is near to the rows that a view shows is loading; but rows may have come back without their pages.
  private func judgeLoads(since former: PageLoadStates) async throws {
    guard !order.isTorn, !hasTakenBack else { return }
    let list = truth.without(placeholders).flat
    let rows = list.section(of: Self.shelf).map { list.sections[$0].rows } ?? []
    let behind = await rowsBehindPlaceholders(at: .start) + rowsBehindPlaceholders(at: .end)
    let law = PageLoadLaw(
      former: former, states: loader.states, distance: Self.distance,
      rows: rows.filter { !behind.contains($0.id) }, said: pages.said,
      shown: reported.filter(truth.flat.souls.contains), requested: requested,
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
      !backend.isHonest || Set(pages.said.keys) == Set(backend.rows.map(\.id)),
      "has not asked for all rows")
  }
}
