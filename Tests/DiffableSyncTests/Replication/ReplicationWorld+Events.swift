@testable import Diffable
@testable import DiffableSync

extension ReplicationWorld {
  /// Everything that can happen now.
  var events: [Event] {
    var events: [Event] = []
    for (index, participant) in participants.enumerated() {
      if participant.write == nil, participant.next < participant.edits.count {
        events.append(.start(index))
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
        if let write = participant.write, !write.isStopping { events.append(.giveUp(index)) }
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
      events += participants.indices.filter { participants[$0].write != nil }.map { .expire($0) }
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
    case .arrive(let number):
      let message = remove(number)
      let answer = offer(message)
      if !message.isLate { answers[message.participant] = answer }
    case .answer(let index):
      if let answer = answers.removeValue(forKey: index) { try record(answer, index) }
    case .receive(let index): try receive(index)
    case .loseOffer(let number):
      try record(.missing("no answer"), remove(number).participant)
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
    case .giveUp(let index):
      participants[index].write?.isStopping = true
      try advance(index)
    case .store(let index): store(index, dropping: true)
    case .complete(let index): store(index, dropping: false)
    case .mishap(let mishap): try perform(mishap)
    case .allow(let index): participants[index].isDenied = false
    case .expire(let index):
      participants[index].write?.isStopping = true
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
    let isFree = defect == .logAcceptsAnyBase ? true : message.base.number == end
    // As a log must that has lost what the writer has seen.
    if !isFree, message.base.number > end { return .missing("the log ends before the revision") }
    guard isFree else { return .refused }
    entries.append(message.entry)
    journal.append(message.entry)
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
    participants[index].write = Write(
      index: participants[index].next, floor: journal.count, offer: Offer(limit: 3))
    participants[index].next += 1
    try propose(index)
  }

  private func propose(_ index: Int) throws {
    guard var write = participants[index].write else { return }
    guard !participants[index].isOver else { return finish(index, write, .lost, nil) }
    let (edit, item) = (participants[index].edits[write.index], item(of: index, write.index))
    write.tries += 1
    var numbers = FixedNumbers(values: [UInt64(index), UInt64(write.index * 1000 + write.tries)])
    let id = WriteID(using: &numbers)
    let place = participants[index].list.place
    let base = place.revision
    let entry = try propose(edit, item, as: id, in: &participants[index].list)
    guard let entry else {
      finish(index, write, .lost, nil)
      return
    }
    meanings[id] = Meaning(edit: edit, item: item, tries: write.tries, base: place)
    (write.entry, write.base, write.offer) = (entry, base, Offer(limit: 3))
    participants[index].write = write
    if defect == .showsProposal { participants[index].list.accept(id) }
    try advance(index)
  }

  func propose(
    _ edit: Edit, _ item: Int, as id: WriteID, in list: inout List
  ) throws -> LogEntry? {
    try list.propose(id, ifRevision: nil, .animated) { core in
      let (commit, _) = try core.edit(UpdateBatch<Int, Int>.self) { try edit.apply(item, to: &$0) }
      return (commit, .change(name: nil), ())
    }.entry
  }

  private func record(_ answer: Offer.Answer, _ index: Int) throws {
    guard let entry = participants[index].write?.entry else { return }
    participants[index].write?.isSent = false
    var answer = answer
    if defect == .missingIsLost, case .missing = answer { answer = .refused }
    if defect == .refusalIsLost, answer == .refused {
      participants[index].write?.offer = Offer(limit: 3)
    }
    participants[index].write?.offer.record(answer)
    if answer == .accepted { participants[index].list.accept(entry.id) }
    try advance(index)
  }

  private func receive(_ index: Int) throws {
    let revision = participants[index].list.revision
    if revision.number >= dropped, revision.number < end {
      var place = revision.number - dropped
      if defect == .skipsEntry, place + 1 < entries.count { place += 1 }
      do {
        try participants[index].list.receive([entries[place]], after: revision)
        let reached = participants[index].list.place
        if hasMishaps, reached != places[reached.revision.number] { misled = index }
      } catch {
        guard case ReplicationError.forked = error else { throw error }
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
    let found = defect == .trustsItself ? list.place : foundPlace(of: list.revision, list)
    let isProven = (try? list.prove(found)) != nil
    participants[index].isForked = !isProven || defect == .trustsNobody
  }

  /// Takes the steps of an offer, as the actor does.
  func advance(_ index: Int) throws {
    while let write = participants[index].write, let entry = write.entry, !write.isSent {
      var decision = participants[index].list.decision(on: entry.id)
      if defect == .droppedIsLost, decision == .dropped { decision = .lost }
      let isStopping = write.isStopping || participants[index].isOver
      switch write.offer.step(decision, isStopping: isStopping) {
      case .append:
        lastMessage += 1
        messages.append(
          Message(number: lastMessage, participant: index, entry: entry, base: write.base))
        participants[index].write?.isSent = true
      case .pause:
        participants[index].write?.offer.resume()
        if defect == .offeredUnderAnotherName {
          participants[index].list.withdraw(entry.id)
          try propose(index)
        }
      case .wait:
        return
      case .end(let outcome):
        participants[index].list.withdraw(entry.id)
        if outcome == .lost, !write.isStopping {
          participants[index].write?.entry = nil
          try propose(index)
        } else {
          finish(index, write, outcome, entry)
        }
      }
    }
  }

  private func finish(
    _ index: Int, _ write: Write, _ outcome: Offer.Outcome, _ entry: LogEntry?
  ) {
    participants[index].write = nil
    participants[index].results.append(
      Result(
        index: write.index, floor: write.floor, id: entry?.id, outcome: outcome,
        revision: write.base.next))
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
