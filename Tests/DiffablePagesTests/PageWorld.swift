@testable import Diffable
@testable import DiffablePages

/// A machine, a writer and a list, with a backend and others who write: everything of a loader but the
/// tasks, so that it can be copied and driven through every order of events.
struct PageWorld {
  typealias Machine = PageMachine<PagedRow, Int>
  typealias List = Snapshot<String, Int>

  /// Something that can happen.
  enum Event: Hashable {
    case answer(Int), fail(Int), answerLate, lapse(Int)
    case showFirst, showLast, show(PageEnd), refresh, retry, cancel, load(PageEnd)
    case delete(PageEnd), edit(PageEnd), add(PageEnd), addBetween, move, moveAway
    case backendInserts(PageEnd), backendDeletes, backendChanges
  }

  struct Failure: Error {}

  var machine: Machine
  let writer: PageWriter<String, PagedRow, Int>
  var backend: PagedBackend
  var list: List
  /// The questions that were not answered yet, and those that are no longer wanted.
  var asked: [(number: Int, request: PageRequest<Int>)] = []
  var unwanted: [(number: Int, request: PageRequest<Int>)] = []
  var timers: [Int] = []
  var shown: [Int] = []

  // What must come of it, kept apart from the code that is tested.

  /// The rows of the pages that are loaded.
  var pages: [[Int]] = []
  /// What the backend has said last.
  var said: [Int: PagedRow] = [:]
  var edited: [Int: PagedRow] = [:]
  var deleted: Set<Int> = []
  var added: [Int] = []
  /// Where added rows belong among the others, which ascend.
  var keys: [Int: Double] = [:]
  /// Whether a refresh has brought rows that were not loaded: beside rows of others at the end of the
  /// list, they go next to the rows that they follow.
  var hasGrown = false
  /// The rows that have been in the list since a moment.
  var seen: Set<Int> = []
  var moved: Set<Int> = []
  var hasInserted = false
  /// Whether the backend never changes.
  var isConstant = false
  /// Whether the source merges two versions of a model.
  let merges: Bool
  /// How often others may write, and the backend may change.
  var budget = (others: 2, backend: 1)
  var faults: [String] = []

  init(
    _ backend: PagedBackend, options: PageOptions, origin: PagePlace<Int> = .first,
    hasPlaceholders: Bool = false, merges: Bool = false
  ) {
    (self.backend, self.merges) = (backend, merges)
    machine = Machine(options: options, origin: origin, hasPlaceholders: hasPlaceholders)
    writer = PageWriter(
      section: "rows", options: options,
      rows: PageLoaderRows(
        before: "before", after: "after",
        status: { load, state in
          state.isLoading || state.error != nil
            ? PagedRow(id: Self.statusID(load), text: "\(state)") : nil
        }, placeholder: hasPlaceholders ? Self.placeholder : nil),
      merging: merges ? ModelMerging(Self.merged) : nil)
    list = List(List.makeKernels(models: ElementKernel(models: PagedRow.self))).resolved
  }

  static let placeholder: @Sendable (Int) -> PagedRow = { index in
    PagedRow(id: 10_000 + index, text: "placeholder")
  }

  static let merged: @Sendable (PagedRow, PagedRow, PagedRow) -> PagedRow = { base, theirs, mine in
    PagedRow(id: mine.id, text: "\(base.text) \(theirs.text) \(mine.text)")
  }

  static func statusID(_ load: PageLoad) -> Int {
    switch load {
    case .refresh: -1
    case .start: -2
    case .end: -3
    }
  }

  static func isPlaceholder(_ item: Int) -> Bool { item >= 10_000 }

  /// The rows of the list, but for placeholders.
  var rows: [Int] { list.itemIdentifiers(inSection: "rows").filter { !Self.isPlaceholder($0) } }

  /// The rows that others have moved to a section of their own.
  var away: Set<Int> { Set(list.itemIdentifiers(inSection: "away")) }

  func model(_ item: Int) -> PagedRow? { list.model(of: item, as: PagedRow.self) }

  // MARK: Steps

  var enabled: [Event] {
    var events: [Event] = [.refresh, .cancel, .load(.start), .load(.end)]
    for index in asked.indices { events += [.answer(index), .fail(index)] }
    if !unwanted.isEmpty { events.append(.answerLate) }
    for index in timers.indices { events.append(.lapse(index)) }
    if !list.items(inSection: "rows").isEmpty { events += [.showFirst, .showLast] }
    if PageLoad.allCases.contains(where: { machine.states[$0].error != nil }) {
      events.append(.retry)
    }
    if budget.others > 0, rows.count > 1 {
      events += [.delete(.start), .delete(.end), .edit(.start), .edit(.end)]
      events += [.add(.start), .add(.end), .addBetween, .move, .moveAway]
    }
    if budget.backend > 0 {
      events += [.backendInserts(.start), .backendInserts(.end), .backendDeletes, .backendChanges]
    }
    return events
  }

  mutating func step(_ event: Event) {
    switch event {
    case .answer(let index): answer(index)
    case .fail(let index): perform(machine.refuse(asked.remove(at: index).number, Failure()))
    case .answerLate:
      let late = unwanted.removeFirst()
      let (arrival, actions) = machine.receive(backend.page(for: late.request), of: late.number)
      if arrival != nil || !actions.isEmpty { faults.append("an answer came too late and counts") }
    case .lapse(let index): perform(machine.elapse(timers.remove(at: index), shown: shown))
    case .showFirst: show([list.items(inSection: "rows")[0]])
    case .showLast: show([list.items(inSection: "rows").last ?? 0])
    case .show(let end): show(Array(end == .start ? rows.prefix(1) : rows.suffix(1)))
    case .refresh: perform(machine.refresh(shown: shown))
    case .retry: perform(machine.retry(shown: shown))
    case .cancel:
      perform(machine.cancel())
      if machine.states.isLoading { faults.append("loading after a cancellation") }
    case .load(let end): perform(machine.load(end))
    case .delete, .edit, .add, .addBetween, .move, .moveAway: writeOthers(event)
    case .backendInserts, .backendDeletes, .backendChanges: changeBackend(event)
    }
    write { writer, machine, draft in
      try writer.write(machine.states, into: &draft) { machine.ledger.rows[$0] != nil }
    }
    check()
  }

  mutating func show(_ items: [Int]) {
    let areOthers = items != shown
    shown = items
    let near = writer.nearEnds(items, in: list, machine.ledger.placeholders, of: machine.ledger)
    perform(machine.show(near: near, areOthers: areOthers))
  }

  mutating func answer(_ index: Int) {
    let (number, request) = asked.remove(at: index)
    let page = backend.page(for: request)
    if request.size < 1 { faults.append("asked for \(request.size) rows") }
    let (arrival, actions) = machine.receive(page, of: number)
    perform(actions)
    guard let arrival else { return }
    let (live, shown, away) = (Set(rows), shown, away)
    let wasLoading = EndPair(
      start: machine.states.start.isLoading, end: machine.states.end.isLoading)
    let outcome = write { writer, machine, draft in
      try writer.write(arrival, of: machine, shown: shown, into: &draft)
    }
    guard let outcome else { return }
    checkConflicts(of: arrival, outcome)
    perform(machine.commit(arrival, outcome))
    switch arrival {
    case .page(let answer, let end):
      for row in answer.page.models { said[row.id] = row }
      let items = answer.page.models.map(\.id)
      if end == .end { pages.append(items) } else { pages.insert(items, at: 0) }
      if end == .end {
        pages.removeFirst(outcome.droppedCount)
      } else {
        pages.removeLast(outcome.droppedCount)
      }
      if away != self.away { faults.append("a page took away \(away.subtracting(self.away))") }
      let lost = shown.filter { live.contains($0) && !rows.contains($0) }
      if !lost.isEmpty { faults.append("a page took away \(lost), which are shown") }
      let isFree = shown.isEmpty && outcome.droppedCount == 0 && !wasLoading[end.far]
      if isFree, pages.count > 1, rows.count > machine.options.limit ?? .max {
        faults.append("\(rows.count) rows are too many")
      }
    case .refresh(let answers):
      for row in answers.flatMap(\.page.models) { said[row.id] = row }
      let items = answers.flatMap(\.items)
      if isConstant, !pages.isEmpty, items != pages.flatMap({ $0 }) {
        faults.append("a refresh has brought \(items), and the pages had \(pages)")
      }
      if !Set(items).isSubset(of: pages.joined()) { hasGrown = true }
      pages = answers.map { $0.page.models.map(\.id) }
    }
  }

  /// Edits the list as a source does.
  @discardableResult
  mutating func write<Result>(
    _ edit: (
      PageWriter<String, PagedRow, Int>, Machine, inout ModelDraft<String, PagedRow>
    ) throws -> Result
  ) -> Result? {
    var live = LiveState<String, Int>(list.kernels)
    live.snapshot = list
    var result: Result?
    do {
      _ = try live.update(duplicates: .reject) { snapshot, given in
        try ModelBatch<String, PagedRow>._edit(&snapshot, &given, renamed: []) { draft in
          result = try edit(writer, machine, &draft)
        }
      }
      list = live.snapshot
    } catch {
      faults.append("a write was refused: \(error)")
      return nil
    }
    return result
  }

  mutating func writeOthers(_ event: Event) {
    budget.others -= 1
    let rows = rows
    guard let first = rows.first, let last = rows.last else { return }
    switch event {
    case .delete(let end):
      let item = end == .start ? first : last
      deleted.insert(item)
      added.removeAll { $0 == item }
      write { _, _, draft in draft.deleteItems([item]) }
    case .edit(let end):
      let item = end == .start ? first : last
      let model = PagedRow(id: item, text: "edited")
      edited[item] = model
      write { _, _, draft in draft.setModel(model) }
    case .add(let end):
      let model = PagedRow(id: 1_000 + added.count + deleted.count, text: "added")
      added.append(model.id)
      edited[model.id] = model
      keys[model.id] = end == .start ? key(first) - 0.001 : key(last) + 0.001
      write { _, _, draft in
        if end == .start {
          try draft.insertItems([model], beforeItem: first)
        } else {
          try draft.insertItems([model], afterItem: last)
        }
      }
    case .addBetween:
      guard let (before, after) = neighbours else { return }
      let model = PagedRow(id: 1_000 + added.count + deleted.count, text: "added")
      added.append(model.id)
      edited[model.id] = model
      keys[model.id] = (key(before) + key(after)) / 2
      write { _, _, draft in try draft.insertItems([model], afterItem: before) }
    case .move:
      moved.insert(last)
      write { _, _, draft in try draft.moveItem(last, beforeItem: first) }
    case .moveAway:
      guard !added.contains(last) else { return }
      write { _, _, draft in
        if !draft.snapshot.containsSection("away") { draft.snapshot.appendSections(["away"]) }
        try draft.moveItem(last, toSection: "away")
      }
    default: break
    }
  }

  /// Where a row belongs.
  func key(_ item: Int) -> Double { keys[item] ?? Double(item) }

  /// Two neighbours of the list between which the backend has no row.
  private var neighbours: (before: Int, after: Int)? {
    zip(rows, rows.dropFirst()).filter { before, after in
      key(before) < key(after)
        && !backend.rows.contains { key(before) < Double($0.id) && Double($0.id) < key(after) }
    }.map { (before: $0, after: $1) }.last
  }

  mutating func changeBackend(_ event: Event) {
    budget.backend -= 1
    switch event {
    case .backendInserts(let end):
      hasInserted = true
      let ids = backend.rows.map(\.id)
      var id = end == .start ? (ids.first ?? 0) - 1 : ids[ids.count / 2] + 1
      while ids.contains(id) { id += 1 }
      backend.rows.append(PagedRow(id: id, text: "new"))
      backend.rows.sort { $0.id < $1.id }
    case .backendDeletes: backend.rows.remove(at: backend.rows.count / 2 - 1)
    case .backendChanges: for index in backend.rows.indices { backend.rows[index].text = "changed" }
    default: break
    }
  }

  mutating func perform(_ actions: Machine.Actions) {
    for number in actions.ended {
      if let index = asked.firstIndex(where: { $0.number == number }) {
        unwanted.append(asked.remove(at: index))
      } else if let index = timers.firstIndex(of: number) {
        timers.remove(at: index)
      } else {
        faults.append("ended \(number), which does not run")
      }
    }
    asked += actions.started
    timers += actions.delayed.map(\.number)
  }
}
