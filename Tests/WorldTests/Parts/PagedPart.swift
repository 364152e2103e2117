import DiffableTesting
import ListSupport

@testable import Diffable
@testable import DiffablePages

/// A list that is loaded page by page from a backend that lies, while users edit it.
///
/// No page is dropped, and the loader does not know what readers see.
final class PagedPart: Part {
  typealias Loader = PageLoader<Shelf, Card, Int>

  private static let shelf = Shelf(300)

  private let list: ModelSource<Shelf, Card>
  private let loader: Loader
  private let road = PageRoad()
  private let told = Told()
  private let world: World
  private let cap: Int
  /// The backend's rows, and the souls of all that it ever had.
  private var rows: [Card] = []
  private var souls: [Int: Int] = [:]
  /// Whether the backend has always had the same rows, and said so.
  private var isHonest = true
  private var pages: PlainPages
  /// The pages of a refresh that are not in the list yet.
  private var arrived: [Page<Card, Int>] = []
  /// What pages have made of the list that is not looked at yet.
  private var written: PlainPages.Result?
  private(set) var truth = PlainList()
  private(set) var marks = Marks()
  private var own = Marks()
  private var placed: Set<Int> = []

  var source: any CardSource { list }
  var roots: Set<ObjectIdentifier> { [ObjectIdentifier(self)] }

  init(cap: Int, from start: Int, isMerging: Bool, _ world: World) {
    (self.cap, self.world) = (cap, world)
    pages = PlainPages(shelf: Self.shelf, isMerging: isMerging)
    list =
      isMerging
      ? ModelSource(options: .strict, mergeHandler: Card.merged) : ModelSource(options: .strict)
    loader = Loader(
      list, section: Self.shelf, options: PageOptions(pageSize: 3), origin: .after(start),
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
    switch event {
    case .edit(let edits): try await write(edits)
    case .load(let atStart): await begin { $0.load(atStart ? .start : .end) }
    case .refresh: await begin { $0.refresh(shown: []) }
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
  }

  /// Asks for pages, or for the first one, and does not wait for them.
  private func begin(_ event: @escaping @Sendable (inout Loader.Machine) -> Loader.Machine.Actions)
    async
  {
    let isRunning = loader.states.refresh.isLoading
    if await loader.begin(event), !isRunning { arrived = [] }
  }

  private func change(_ number: Int) {
    isHonest = false
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
    var shown = PlainList(await list.snapshot)
    let written = written ?? PlainPages.Result(list: truth)
    self.written = nil
    try written.judge(shown)
    for place in shown.places(shown: false) {
      shown[place].soul = written.list.row(shown[place].id)?.soul ?? 0
    }
    truth = shown
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
      guard let deed = after.deed(edit, number: world.counter.next) else { return nil }
      own.note(deed, in: after, &placed)
      after.perform(deed, soul: world.counter.next)
      return deed
    }
    let result = try await list.update { draft in
      for deed in deeds { try deed.apply(to: &draft) }
    }
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
    return Page(
      cards, previous: range.lowerBound > 0 ? range.lowerBound : nil,
      next: range.upperBound < count ? range.upperBound : nil,
      countBefore: lie == 5 ? -3 : range.lowerBound, countAfter: lie == 6 ? 900 : nil)
  }

  private func answer(_ lie: Int) async throws {
    guard let (number, request) = road.oldest else { return }
    let page = page(for: request, lie: lie)
    road.answer(number, with: .success(page))
    guard request.isRefresh else {
      marks.isInPlace = request.isBefore
      written = pages.take(page, atStart: request.isBefore, truth, soul: soul)
      // A refresh that could go on begins again after that.
      return arrived = []
    }
    arrived.insert(page, at: request.isBefore ? 0 : arrived.count)
    try await settleRoad()
    let state = loader.states.refresh
    if state.isLoading || state.error != nil { return }
    written = pages.take(refresh: arrived, truth, soul: soul)
    arrived = []
  }

  /// Everything is loaded in the end.
  func finish(happens: (PageEvent) async throws -> Void) async throws {
    var rounds = 0
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

extension PageRequest {
  fileprivate var isBefore: Bool { if case .before = place { true } else { false } }
}

extension PageLoader {
  fileprivate var runningCount: Int { machine.running.count }

  /// Begins a load, and the first one with a refresh.
  ///
  /// - Returns: Whether a refresh has begun.
  fileprivate func begin(_ event: @escaping @Sendable (inout Machine) -> Machine.Actions) -> Bool {
    step { $0.ledger.isEmpty ? $0.refresh(shown: []) : event(&$0) }
    return machine.states.refresh.isLoading
  }
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
