@testable import Diffable

/// A machine, a writer and a list, with a backend and others who write: everything of a loader but the
/// tasks, so that it can be copied and driven through every order of events.
struct PageWorld {
  typealias Machine = PageMachine<PagedRow, Int>
  typealias List = Snapshot<String, Int>

  /// Something that can happen.
  enum Event: Hashable {
    case answer(Int), fail(Int), answerLate, lapse(Int)
    case showFirst, showLast, show(PageEnd), refresh, retry, cancel, load(PageEnd)
    case delete(PageEnd), edit(PageEnd), add(PageEnd), move
    case backendInserts(PageEnd), backendDeletes, backendChanges
  }

  struct Failure: Error {}

  var machine: Machine
  let writer: PageWriter<String, PagedRow, Int>
  var backend: PagedBackend
  private(set) var list: List
  /// The questions that were not answered yet, and those that are no longer wanted.
  private(set) var asked: [(number: Int, request: PageRequest<Int>)] = []
  private(set) var unwanted: [(number: Int, request: PageRequest<Int>)] = []
  private(set) var timers: [Int] = []
  private(set) var shown: [Int] = []

  // What must come of it, kept apart from the code that is tested.

  /// The rows of the pages that are loaded.
  private(set) var pages: [[Int]] = []
  /// What the backend has said last.
  private var said: [Int: PagedRow] = [:]
  private(set) var edited: [Int: PagedRow] = [:]
  private(set) var deleted: Set<Int> = []
  private(set) var added: [Int] = []
  private(set) var moved: Set<Int> = []
  private var hasInserted = false
  /// Whether the backend never changes.
  var isConstant = false
  /// How often others may write, and the backend may change.
  var budget = (others: 2, backend: 1)
  private(set) var faults: [String] = []

  init(
    _ backend: PagedBackend, options: PageOptions, hasPlaceholders: Bool = false
  ) {
    self.backend = backend
    machine = Machine(options: options, hasPlaceholders: hasPlaceholders)
    writer = PageWriter(
      section: "rows", options: options,
      statusRows: PageStatusRows(before: "before", after: "after") { load, state in
        state.isLoading || state.error != nil
          ? PagedRow(id: Self.statusID(load), text: "\(state)") : nil
      },
      placeholder: hasPlaceholders ? Self.placeholder : nil)
    list = List(List.makeKernels(models: ElementKernel(models: PagedRow.self))).resolved
  }

  private static let placeholder: @Sendable (Int) -> PagedRow = { index in
    PagedRow(id: 10_000 + index, text: "placeholder")
  }

  private static func statusID(_ load: PageLoad) -> Int {
    switch load {
    case .refresh: -1
    case .start: -2
    case .end: -3
    }
  }

  static func isPlaceholder(_ item: Int) -> Bool { item >= 10_000 }

  /// The rows of the list, but for placeholders.
  var rows: [Int] { list.itemIdentifiers(inSection: "rows").filter { !Self.isPlaceholder($0) } }

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
      events += [.add(.start), .add(.end), .move]
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
    case .delete, .edit, .add, .move: writeOthers(event)
    case .backendInserts, .backendDeletes, .backendChanges: changeBackend(event)
    }
    write { writer, machine, draft in try writer.write(machine.states, into: &draft) }
    check()
  }

  private mutating func show(_ items: [Int]) {
    let areOthers = items != shown
    shown = items
    let near = writer.nearEnds(items, in: list, machine.ledger.placeholders)
    perform(machine.show(near: near, areOthers: areOthers))
  }

  private mutating func answer(_ index: Int) {
    let (number, request) = asked.remove(at: index)
    let page = backend.page(for: request)
    if request.size < 1 { faults.append("asked for \(request.size) rows") }
    let (arrival, actions) = machine.receive(page, of: number)
    perform(actions)
    guard let arrival else { return }
    let (live, shown) = (Set(rows), shown)
    let wasLoading = EndPair(
      start: machine.states.start.isLoading, end: machine.states.end.isLoading)
    let outcome = write { writer, machine, draft in
      try writer.write(arrival, of: machine, shown: shown, into: &draft)
    }
    guard let outcome else { return }
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
      let lost = shown.filter { live.contains($0) && !rows.contains($0) }
      if !lost.isEmpty { faults.append("a page took away \(lost), which are shown") }
      let isFree = shown.isEmpty && outcome.droppedCount == 0 && !wasLoading[end.far]
      if isFree, pages.count > 1, rows.count > machine.options.limit ?? .max {
        faults.append("\(rows.count) rows are too many")
      }
    case .refresh(let answers):
      for row in answers.flatMap(\.page.models) { said[row.id] = row }
      pages = answers.map { $0.page.models.map(\.id) }
    }
  }

  /// Edits the list as a source does.
  @discardableResult
  private mutating func write<Result>(
    _ edit: (
      PageWriter<String, PagedRow, Int>, Machine, inout ModelDraft<String, PagedRow>
    ) throws -> Result
  ) -> Result? {
    var live = LiveState<String, Int>(list.kernels)
    live.snapshot = list
    var result: Result?
    do {
      _ = try live.update(duplicates: .reject) { snapshot, given in
        try ModelBatch<String, PagedRow>.edit(&snapshot, &given) { draft in
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

  private mutating func writeOthers(_ event: Event) {
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
      write { _, _, draft in
        if end == .start {
          try draft.insertItems([model], beforeItem: first)
        } else {
          try draft.insertItems([model], afterItem: last)
        }
      }
    case .move:
      moved.insert(last)
      write { _, _, draft in try draft.moveItem(last, beforeItem: first) }
    default: break
    }
  }

  private mutating func changeBackend(_ event: Event) {
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
    case .backendChanges:
      for index in backend.rows.indices { backend.rows[index].text = "changed" }
    default: break
    }
  }

  private mutating func perform(_ actions: Machine.Actions) {
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

  // MARK: Laws

  private mutating func check() {
    func expect(_ isTrue: Bool, _ law: @autoclosure () -> String) {
      if !isTrue { faults.append(law()) }
    }
    machine._checkInvariants()
    let states = machine.states
    for load in PageLoad.allCases {
      expect(states[load].isLoading == (machine.running[load] != nil), "\(load) is \(states[load])")
    }
    expect(Set(asked.map(\.number)) == Set(machine.running.values), "what runs was not asked for")
    expect(asked.count == machine.running.count, "one load for each end")
    expect(machine.running[.refresh] == nil || asked.count == 1, "a load beside a refresh")
    expect(Set(timers) == Set(machine.timers.values), "timers")

    let rows = rows
    expect(Set(rows).count == rows.count, "duplicates in \(rows)")
    expect(deleted.isDisjoint(with: rows), "deleted rows are back: \(rows)")
    let loaded = Set(pages.joined()).subtracting(deleted).union(added)
    expect(loaded == Set(rows), "the list has \(rows), and should have \(loaded.sorted())")
    for item in rows {
      let model = edited[item] ?? said[item]
      expect(model == self.model(item), "\(item) shows \(String(describing: self.model(item)))")
    }
    // What is merged comes beside its neighbour, also where others have moved that.
    if !hasInserted, moved.isEmpty {
      let still = rows.filter { !added.contains($0) }
      expect(still == still.sorted(), "the order is \(rows)")
    }
    for (section, loads) in [("before", [PageLoad.refresh, .start]), ("after", [.end])] {
      let shown = loads.filter { states[$0].isLoading || states[$0].error != nil }
      let rows = list.itemIdentifiers(inSection: section)
      expect(rows == shown.map(Self.statusID), "status rows \(rows) for \(states)")
    }
    faults += ledgerFaults
    checkPlaceholders(&faults)
  }

  private func checkPlaceholders(_ faults: inout [String]) {
    guard machine.ledger.hasPlaceholders else { return }
    let all = list.itemIdentifiers(inSection: "rows")
    let placeholders = machine.ledger.placeholders
    let (start, end) = (
      all.prefix(while: Self.isPlaceholder), all.drop(while: Self.isPlaceholder)
    )
    if added.isEmpty, moved.isEmpty {
      let rest = end.drop { !Self.isPlaceholder($0) }
      if start.map({ $0 - 10_000 }) != Array(placeholders.start) && !rows.isEmpty {
        faults.append("placeholders \(all) at the start, not \(placeholders.start)")
      }
      if rest.map({ $0 - 10_000 }) != Array(placeholders.end) && !rows.isEmpty {
        faults.append("placeholders \(all) at the end, not \(placeholders.end)")
      }
    }
    for range in [placeholders.start, placeholders.end]
    where range.count > machine.options.placeholderLimit {
      faults.append("placeholders \(range) are too many")
    }
    if Set(all.filter(Self.isPlaceholder))
      != Set((Array(placeholders.start) + Array(placeholders.end)).map { $0 + 10_000 })
    {
      faults.append("placeholders \(all), not \(placeholders)")
    }
    if isConstant, !machine.ledger.isEmpty, deleted.isEmpty, added.isEmpty,
      machine.options.placeholderLimit >= backend.rows.count, all.count != backend.rows.count
    {
      faults.append("\(all.count) rows and placeholders stand for \(backend.rows.count)")
    }
  }

  // MARK: At rest

  /// Lets everything come that was asked for.
  private mutating func settle() {
    var count = 0
    while !asked.isEmpty, faults.isEmpty {
      step(.answer(0))
      count += 1
      if count > 60 { faults.append("there is no end of loading") }
    }
    if machine.states.isLoading { faults.append("loading for ever") }
  }

  /// Checks that all can be loaded, whatever happened before, and that it is the backend's list with what
  /// others have made of it.
  ///
  /// - Parameter isWhole: Whether all of it can be loaded at the same time; else it is looked at
  ///   while a renderer goes to one end and then to the other.
  mutating func checkAtRest(isWhole: Bool) {
    settle()
    step(.refresh)
    settle()
    guard machine.states.refresh.isIdle else {
      return faults.append("a refresh has come to \(machine.states.refresh)")
    }
    var seen = Set(rows)
    for end in [PageEnd.end, .start] {
      var count = 0
      while machine.ledger.place(beyond: end) != nil, faults.isEmpty {
        if isWhole || rows.isEmpty {
          step(.load(end))
        } else {
          step(.show(end))
        }
        settle()
        seen.formUnion(rows)
        count += 1
        if count > 50 { faults.append("there is no end of pages") }
      }
      if faults.isEmpty, !machine.states[PageLoad(end)].isEndReached {
        faults.append("the \(end) is \(machine.states[PageLoad(end)])")
      }
    }
    let missing = Set(backend.rows.map(\.id)).subtracting(deleted).subtracting(seen)
    if backend.isTwoWay || isWhole, !missing.isEmpty, faults.isEmpty {
      faults.append("\(missing) never come")
    }
    guard isWhole, faults.isEmpty else { return }
    let backend = backend.rows.map(\.id).filter { !deleted.contains($0) }
    if moved.isEmpty, rows.filter({ !added.contains($0) }) != backend {
      faults.append("at rest the list is \(rows), and the backend has \(backend)")
    }
    if Set(rows).subtracting(added) != Set(backend) {
      faults.append("at rest the list is \(rows), not \(backend)")
    }
    for row in self.backend.rows where !deleted.contains(row.id) {
      if model(row.id) != edited[row.id] ?? row { faults.append("\(row) is old") }
    }
  }

  /// What two worlds have in common that have the same future.
  var key: String {
    let ledger = machine.ledger
    let pages = ledger.numbers.map { number in
      ledger.pages[number].map { "\($0.place)\($0.items)\($0.previous ?? -9)\($0.next ?? -9)" }
        ?? ""
    }
    let rows = list.itemIdentifiers.map { model($0).map { "\($0.id)\($0.text)" } ?? "" }
    return """
      \(machine.states) \(machine.isPaused) \(machine.failures.sorted { $0.key.rawValue < $1.key.rawValue }) \
      \(asked.map(\.request)) \(unwanted.map(\.request)) \(timers.count) \(shown) \(pages) \
      \(ledger.placeholders) \(ledger.kept.elements.map { "\($0.key)\($0.value)" }) \(rows) \
      \(machine.walk.map { "\($0.place)\($0.answers.map(\.page.models))" } ?? "") \
      \(backend.rows) \(budget) \(deleted.sorted()) \(edited.keys.sorted()) \(moved.sorted())
      """
  }
}
