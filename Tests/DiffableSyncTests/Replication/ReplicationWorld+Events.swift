@testable import Diffable
@testable import DiffableSync

extension ReplicationWorld {
  /// Everything that can happen now.
  var events: [Event] {
    var events: [Event] = []
    for (index, participant) in participants.enumerated() {
      let mayStart = isShared || participant.writes.isEmpty
      if mayStart, participant.next < participant.edits.count { events.append(.start(index)) }
      if isShared, participant.append == nil, !participant.writes.waiting.isEmpty {
        events.append(.fill(index))
      }
      if answers[index] != nil { events.append(.answer(index)) }
      if participant.isDenied { events.append(.allow(index)) }
      if !participant.isOver {
        if participant.list.revision.number < end, participant.list.revision.number >= dropped {
          events.append(.receive(index))
        } else if states.contains(where: { canJump(index, to: $0) }) {
          events.append(.receive(index))
        }
        if !isComplete, participant.list.revision.number >= dropped {
          events.append(.complete(index))
        }
      }
      let isStoring = stores > 0 && participant.list.revision > stored?.revision ?? .empty
      if isStoring { events.append(.store(index)) }
      if faults > 0 {
        if answers[index] != nil { events.append(.loseAnswer(index)) }
        let writes = participant.writes
        let open =
          writes.waiting.map(\.change.index)
          + writes.offered.filter { !$0.isStopped }.map(\.write.change.index)
        events += open.map { .giveUp(index, write: $0) }
      }
    }
    events += possibleMishaps.map { .mishap($0) }
    for message in messages {
      events.append(.arrive(message.number))
      if faults > 0, !message.isLate {
        events += [.loseOffer(message.number), .delay(message.number), .duplicate(message.number)]
      }
    }
    // Time passes slowly: a write expires when nothing else can happen to it.
    if hasMishaps, events.allSatisfy(\.isFault) {
      events += participants.indices.filter { !participants[$0].writes.isEmpty }.map { .expire($0) }
    }
    return events
  }

  /// Whether a participant that misses entries can go on from a state.
  func canJump(_ index: Int, to state: StoredState) -> Bool {
    state.revision > participants[index].list.revision && state.reset != Array("{".utf8)
  }

  /// Lets an event happen.
  func perform(_ event: Event) throws {
    if let participant = changedParticipant(event) { try own(participant) }
    switch event {
    case .store: stores -= 1
    case .mishap: break
    default: if event.isFault { faults -= 1 }
    }
    defer { recordTokens() }
    switch event {
    case .start(let index): try start(index)
    case .fill(let index): try fill(index)
    case .arrive(let number):
      let message = remove(number)
      let answer = offer(message)
      if !message.isLate { answers[message.participant] = answer }
    case .answer(let index):
      if let answer = answers.removeValue(forKey: index) { try record(answer, index) }
    case .receive(let index): try receive(index)
    case .loseOffer(let number): try record(.missing("no answer"), remove(number).participant)
    case .loseAnswer(let index):
      answers[index] = nil
      try record(.missing("no answer"), index)
    case .delay(let number):
      var message = remove(number)
      message.isLate = true
      messages.append(message)
      try record(.missing("no answer"), message.participant)
    case .duplicate(let number):
      var message = remove(number)
      answers[message.participant] = offer(message)
      message.isLate = true
      messages.append(message)
    case .giveUp(let index, let write):
      stop(write, of: index)
      try advance(index)
    case .store(let index): store(index, dropping: true)
    case .complete(let index): store(index, dropping: false)
    case .mishap(let mishap): try perform(mishap)
    case .allow(let index): participants[index].isDenied = false
    case .expire(let index):
      for write in 0..<participants[index].next { stop(write, of: index) }
      try advance(index)
    }
  }

  func remove(_ number: Int) -> Message {
    guard let place = messages.firstIndex(where: { $0.number == number }) else {
      preconditionFailure("no message \(number)")
    }
    return messages.remove(at: place)
  }

  // MARK: The log

  private func offer(_ message: Message) -> Offer.Answer {
    // As a log must that has lost what the writer has seen.
    if message.base.number > end { return .missing("the log ends before the revision") }
    guard message.base.number == end else { return .refused }
    entries += message.entries
    journal += message.entries
    return .accepted
  }

  private func store(_ index: Int, dropping: Bool) {
    let list = participants[index].list
    let batch = UpdateBatch<Int, Int>(
      showingValid: list.core.snapshot, epoch: list.core.hub.epoch, at: list.place)
    guard let reset = try? list.coder.encode(batch.delta) else { return }
    states = states.suffix(1) + [StoredState(revision: list.revision, reset: reset)]
    // A participant on another history may be ahead of the log.
    guard dropping, list.revision.number <= end else { return }
    entries.removeFirst(list.revision.number - dropped)
    dropped = list.revision.number
  }

  // MARK: A participant

  private func start(_ index: Int) throws {
    let write = Write(index: participants[index].next, floor: journal.count)
    participants[index].next += 1
    participants[index].writes.add(.init(number: UInt64(write.index), write))
    if !isShared { try fill(index) }
  }

  /// Fills an append with the writes that wait, as the actor does.
  private func fill(_ index: Int) throws {
    var entries: [LogEntry] = []
    let base = participants[index].list.place
    while let write = participants[index].writes.take() {
      var made: LogEntry?
      if !participants[index].isOver {
        participants[index].tries += 1
        let (edit, item) = (
          participants[index].edits[write.change.index], item(of: index, write.change.index)
        )
        let tries = participants[index].tries
        var numbers = FixedNumbers(values: [UInt64(index), UInt64(tries)])
        let id = WriteID(using: &numbers)
        let place = participants[index].list.core.latestPlace
        made = try propose(edit, item, as: id, in: &participants[index].list)
        if made != nil { meanings[id] = Meaning(edit: edit, item: item, tries: tries, base: place) }
      }
      if let entry = made {
        _ = participants[index].writes.join(write, entry.id, size: entry.delta.count)
        entries.append(entry)
      } else if !participants[index].writes.follow(write) {
        finish(index, write.change, .lost, nil, Revision(0))
      }
    }
    guard !entries.isEmpty else { return }
    participants[index].append = Append(entries: entries, base: base.revision)
    try advance(index)
  }

  func propose(_ edit: Edit, _ item: Int, as id: WriteID, in list: inout List) throws -> LogEntry? {
    try list.propose(id, ifRevision: nil, .animated) { core in
      let (commit, _) = try core.edit(UpdateBatch<Int, Int>.self) { try edit.apply(item, to: &$0) }
      return (commit, .change(name: nil), ())
    }.entry
  }

  private func record(_ answer: Offer.Answer, _ index: Int) throws {
    guard let append = participants[index].append else { return }
    participants[index].append?.isSent = false
    participants[index].append?.offer.record(answer)
    if answer == .accepted { participants[index].list.accept(append.first) }
    try advance(index)
  }

  private func receive(_ index: Int) throws {
    let revision = participants[index].list.revision
    if revision.number >= dropped, revision.number < end {
      do {
        try participants[index].list.receive([entries[revision.number - dropped]], after: revision)
        let reached = participants[index].list.place
        if hasMishaps, reached != places[reached.revision.number] { misled = index }
      } catch {
        // A log that keeps its word has one history.
        guard hasMishaps, case ReplicationError.forked = error else { throw error }
        prove(index)
      }
    } else if let state = states.last(where: { canJump(index, to: $0) }) {
      try participants[index].list.jump(to: state)
    }
    try advance(index)
  }

  /// Finds out whether a participant is on the history of the log; the entry arrives again then.
  private func prove(_ index: Int) {
    let list = participants[index].list
    let isProven = (try? list.prove(foundPlace(of: list.revision, list))) != nil
    participants[index].isForked = !isProven
  }

  /// Takes the steps of an offer, as the actor does.
  func advance(_ index: Int) throws {
    while let append = participants[index].append, !append.isSent {
      let decision = participants[index].list.decision(on: append.first)
      let isStopping = participants[index].writes.isStopped || participants[index].isOver
      switch append.offer.step(decision, isStopping: isStopping) {
      case .append:
        lastMessage += 1
        messages.append(
          Message(
            number: lastMessage, participant: index, entries: append.entries, base: append.base))
        participants[index].append?.isSent = true
      case .pause: participants[index].append?.offer.resume()
      case .wait:
        return
      case .end(let outcome):
        try end(index, append, outcome)
      }
    }
  }

  private func end(_ index: Int, _ append: Append, _ outcome: Offer.Outcome) throws {
    participants[index].list.withdraw(append.first)
    participants[index].append = nil
    for (write, fate) in participants[index].writes.end(outcome, tries: .max) {
      let place = append.entries.firstIndex {
        meanings[$0.id]?.item == item(of: index, write.change.index)
      }
      let entry = place.map { append.entries[$0] }
      switch fate {
      case .made where entry == nil, .stopped, .contention, .rejected:
        finish(index, write.change, .lost, entry, Revision(0))
      case .made:
        let revision = Revision(append.base.number + 1 + (place ?? 0))
        finish(index, write.change, .next, entry, revision)
      case .unknown(_, let reason):
        finish(index, write.change, .unknown(reason), entry, Revision(0))
      }
    }
    if !isShared, !participants[index].writes.isEmpty { try fill(index) }
  }

  private func stop(_ write: Int, of index: Int) {
    guard let (write, fate) = participants[index].writes.stop(UInt64(write), "stopped") else {
      return
    }
    let isUnknown = if case .unknown = fate { true } else { false }
    let entry = participants[index].append?.entries.first {
      meanings[$0.id]?.item == item(of: index, write.change.index)
    }
    finish(index, write.change, isUnknown ? .unknown("stopped") : .lost, entry, Revision(0))
  }

  private func finish(
    _ index: Int, _ write: Write, _ outcome: Offer.Outcome, _ entry: LogEntry?, _ revision: Revision
  ) {
    participants[index].results.append(
      Result(
        index: write.index, floor: write.floor, id: entry?.id, outcome: outcome,
        revision: revision))
  }
}

extension ReplicationWorld.Edit {
  /// Edits the list of the only section, which the first edit makes.
  func apply(_ item: Int, to state: inout Snapshot<Int, Int>) throws {
    if state.numberOfSections == 0 { state.appendSections([0]) }
    let items = Array(state.items(inSectionAt: 0))
    switch self {
    case .append: try state.appendItems([item], toSection: 0)
    case .prepend:
      if let first = items.first {
        try state.insertItems([item], beforeItem: first)
      } else {
        try state.appendItems([item], toSection: 0)
      }
    case .moveFirstToEnd:
      if let first = items.first, let last = items.last, first != last {
        try state.moveItem(first, afterItem: last)
      }
    case .deleteFirst: state.deleteItems(Array(items.prefix(1)))
    }
  }

  /// The same, on an array.
  func apply(_ item: Int, to items: inout [Int]) {
    switch self {
    case .append: items.append(item)
    case .prepend: items.insert(item, at: 0)
    case .moveFirstToEnd: if !items.isEmpty { items.append(items.removeFirst()) }
    case .deleteFirst: if !items.isEmpty { items.removeFirst() }
    }
  }
}

/// Numbers that are given, for names that can be repeated.
private struct FixedNumbers: RandomNumberGenerator {
  var values: [UInt64]
  mutating func next() -> UInt64 { values.removeFirst() }
}
