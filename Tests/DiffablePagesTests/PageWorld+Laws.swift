@testable import Diffable
@testable import DiffablePages

/// What must hold at each step, and when nothing is left to happen.
extension PageWorld {
  mutating func check() {
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
    seen.formUnion(rows)
    expect(Set(rows).count == rows.count, "duplicates in \(rows)")
    expect(deleted.isDisjoint(with: rows), "deleted rows are back: \(rows)")
    let loaded = Set(pages.joined()).subtracting(deleted).subtracting(away).union(added)
    expect(loaded == Set(rows), "the list has \(rows), and should have \(loaded.sorted())")
    for item in rows {
      let model = edited[item] ?? said[item]
      expect(model == self.model(item), "\(item) shows \(String(describing: self.model(item)))")
    }
    // What is merged comes beside its neighbour, also where others have moved that.
    if !hasInserted, moved.isEmpty {
      let still = rows.filter { !added.contains($0) }
      expect(still == still.sorted(), "the order is \(rows)")
      // Rows of others stay between the rows that they were put between, whatever goes and comes.
      let keys = rows.map(key)
      expect(hasGrown || keys == keys.sorted(), "the order is \(rows), and belongs \(keys)")
    }
    for (section, loads) in [("before", [PageLoad.refresh, .start]), ("after", [.end])] {
      let shown = loads.filter { states[$0].isLoading || states[$0].error != nil }
      let rows = list.itemIdentifiers(inSection: section)
      expect(rows == shown.map(Self.statusID), "status rows \(rows) for \(states)")
    }
    faults += ledgerFaults
    checkPlaceholders(&faults)
  }

  func checkPlaceholders(_ faults: inout [String]) {
    guard machine.ledger.hasPlaceholders else { return }
    let all = list.itemIdentifiers(inSection: "rows")
    let placeholders = machine.ledger.placeholders
    let (start, end) = (all.prefix(while: Self.isPlaceholder), all.drop(while: Self.isPlaceholder))
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
    if isConstant, !machine.ledger.isEmpty, deleted.isEmpty, added.isEmpty, away.isEmpty,
      machine.options.placeholderLimit >= backend.rows.count, all.count != backend.rows.count
    {
      faults.append("\(all.count) rows and placeholders stand for \(backend.rows.count)")
    }
  }

  // MARK: At rest

  /// Lets everything come that was asked for.
  mutating func settle() {
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
    // Pages may come and go again while a row of others at an end is shown.
    seen = Set(rows)
    for end in [PageEnd.end, .start] {
      var count = 0
      while machine.ledger.place(beyond: end) != nil, faults.isEmpty {
        if isWhole || rows.isEmpty { step(.load(end)) } else { step(.show(end)) }
        settle()
        count += 1
        if count > 50 { faults.append("there is no end of pages") }
      }
      if faults.isEmpty, !machine.states[PageLoad(end)].isEndReached {
        faults.append("the \(end) is \(machine.states[PageLoad(end)])")
      }
    }
    let missing = Set(backend.rows.map(\.id)).subtracting(deleted).subtracting(away)
      .subtracting(seen)
    if backend.isTwoWay || isWhole, !missing.isEmpty, faults.isEmpty {
      faults.append("\(missing) never come")
    }
    guard isWhole, faults.isEmpty else { return }
    let backend = backend.rows.map(\.id).filter { !deleted.contains($0) && !away.contains($0) }
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
      \(ledger.displaced) \(keys.values.sorted()) \(hasGrown) \
      \(backend.rows) \(budget) \(deleted.sorted()) \(edited.keys.sorted()) \(moved.sorted()) \
      \(away.sorted())
      """
  }
}
