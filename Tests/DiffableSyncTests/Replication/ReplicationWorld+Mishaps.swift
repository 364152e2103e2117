@testable import Diffable
@testable import DiffableSync

extension ReplicationWorld {
  /// A world in which the log itself goes wrong as well, by some events.
  ///
  /// Its participants may be on several histories, so no world can be copied by what the log has.
  convenience init(
    _ scripts: [[Edit]], mishaps: [Mishap], stores: Int = 0, after path: [Event] = []
  ) throws {
    self.init(scripts, faults: 0, stores: stores)
    (hasMishaps, self.mishaps) = (true, mishaps)
    for event in path { try perform(event) }
  }

  /// What can go wrong with the log now.
  var possibleMishaps: [Mishap] {
    mishaps.flatMap { mishap -> [Mishap] in
      switch mishap {
      case .purge, .loseLast: entries.isEmpty ? [] : [mishap]
      case .addForeign: [mishap]
      case .damageState: states.isEmpty ? [] : [mishap]
      case .refuse: messages.filter { !$0.isLate }.map { .refuse($0.number) }
      case .deny: participants.indices.filter { !participants[$0].isOver }.map { .deny($0) }
      }
    }
  }

  func perform(_ mishap: Mishap) throws {
    switch mishap {
    case .purge:
      mishaps.removeAll { $0 == .purge }
      dropped = end
      entries = []
    case .loseLast:
      mishaps.removeAll { $0 == .loseLast }
      lostByLog.insert(entries.removeLast().id)
      journal.removeLast()
    case .addForeign:
      mishaps.removeAll { $0 == .addForeign }
      foreign += 1
      let entry = LogEntry(id: WriteID(ofForeignMessage: foreign), delta: [])
      entries.append(entry)
      journal.append(entry)
    case .damageState:
      mishaps.removeAll { $0 == .damageState }
      let damaged = states.removeLast()
      states.append(StoredState(revision: damaged.revision, reset: Array("{".utf8)))
    case .refuse(let number):
      mishaps.removeAll { if case .refuse = $0 { true } else { false } }
      answers[remove(number).participant] = .rejected("the disk is full")
    case .deny(let index):
      mishaps.removeAll { if case .deny = $0 { true } else { false } }
      participants[index].isDenied = true
      try advance(index)
    }
  }

  /// Whether a participant that starts now could read up to the end.
  var isComplete: Bool { stored?.revision.number ?? 0 >= dropped }

  /// The place of the log after each of its entries.
  var places: [HistoryPlace] {
    journal.reduce(into: [.start]) { places, entry in
      places.append((places.last ?? .start).next(entry.id))
    }
  }

  /// The place of a revision that a participant finds in the log, as `LogHistory` does.
  func foundPlace(of revision: Revision, _ list: List) -> HistoryPlace? {
    func place(of state: StoredState) -> HistoryPlace? {
      (try? list.coder.read(state, in: list.core.hub.epoch, list.limits))?.place
    }
    var start: HistoryPlace? = .start
    let older = states.last { $0.revision < revision && place(of: $0) != nil }
    if let older {
      start = place(of: older)
    } else if let stored, stored.revision == revision, dropped > 0 {
      return place(of: stored)
    }
    guard let start, start.revision.number >= dropped else { return nil }
    let missed = entries.dropFirst(start.revision.number - dropped)
    return missed.prefix(revision.number - start.revision.number)
      .reduce(start) { place, entry in place.next(entry.id) }
  }

  /// Records what every participant shows under which token.
  func recordTokens() {
    for participant in participants {
      let core = participant.list.core
      let token = ResumeToken(epoch: core.hub.epoch, place: core.place)
      let shown =
        core.snapshot.numberOfSections == 0 ? [] : Array(core.snapshot.items(inSectionAt: 0))
      if let other = published.updateValue(shown, forKey: token), other != shown {
        ambiguous = token
      }
    }
  }

  /// What is wrong now in a world whose log goes wrong; `nil` if every law holds.
  ///
  /// 1. A token stands for one list, whoever shows it and whenever.
  /// 2. A participant at the place of the log shows what the log's entries make.
  /// 3. A participant that is not at the place of the log follows no entry of it.
  /// 4. A write is made once at most. One that was reported as made is in the log, unless the log has
  ///    lost it, or was made on entries that the log has lost. One that was reported as not made is not
  ///    in the log.
  var faultOfLog: String? {
    if let misled { return "participant \(misled) follows the log on another history" }
    if let ambiguous { return "\(ambiguous) stands for two lists" }
    let (states, places) = (expectedStates, places)
    for (index, participant) in participants.enumerated() {
      let core = participant.list.core
      let number = core.revision.number
      guard number < places.count, places[number] == core.place else { continue }
      let shown =
        core.snapshot.numberOfSections == 0 ? [] : Array(core.snapshot.items(inSectionAt: 0))
      guard shown == states[number] else {
        return "participant \(index) shows \(shown) at \(number), not \(states[number])"
      }
    }
    for state in states where Set(state).count != state.count {
      return "a write was made twice: \(state)"
    }
    for (index, participant) in participants.enumerated() {
      for result in participant.results {
        let item = item(of: index, result.index)
        let isInLog = journal.contains { meanings[$0.id]?.item == item }
        switch result.outcome {
        case .next:
          let isLost = result.id.map { lostByLog.contains($0) } ?? false
          if !isInLog, !isLost { return "a write of \(index) was reported, and is not in the log" }
        case .lost, .rejected, .notDone:
          if isInLog { return "a write of \(index) is in the log, and was reported as lost" }
        case .unknown: break
        }
      }
    }
    return nil
  }

  /// What is wrong at the end of such a world, when nothing can happen any more.
  ///
  /// No write hangs. Everybody shows what the log has, or has stopped, or has seen nothing of the log
  /// that is newer than what it shows, or misses entries that nobody has.
  var faultOfLogAtEnd: String? {
    if let faultOfLog { return faultOfLog }
    let places = places
    for (index, participant) in participants.enumerated() {
      if !participant.writes.isEmpty { return "a write of \(index) hangs" }
      let revision = participant.list.revision
      if participant.isForked, revision.number < places.count,
        places[revision.number] == participant.list.place
      {
        return "participant \(index) has stopped on the history of the log"
      }
      if participant.isOver || revision.number >= end { continue }
      let isCut = revision.number < dropped && !states.contains { canJump(index, to: $0) }
      let isKnown = participants.contains { !$0.isOver && $0.list.revision.number >= dropped }
      if !isCut || isKnown && !isComplete { return "participant \(index) lags for ever" }
    }
    return nil
  }
}
