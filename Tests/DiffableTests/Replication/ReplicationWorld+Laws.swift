@testable import Diffable

extension ReplicationWorld {
  /// What is wrong now; `nil` if every law holds.
  ///
  /// 1. Every participant shows the state that the entries up to its revision make, one after another.
  ///    So there is one order of all writes, and it is the order of the log.
  /// 2. No write is in the log twice.
  /// 3. A write that was reported as made is in the log, at the revision that was reported, and after
  ///    everything that was in the log when it began.
  /// 4. A write that was reported as lost is not in the log.
  var fault: String? {
    let states = expectedStates
    for (index, participant) in participants.enumerated() {
      let (core, revision) = (participant.list.core, participant.list.revision.number)
      guard revision < states.count else { return "participant \(index) is ahead of the log" }
      let shown =
        core.snapshot.numberOfSections == 0 ? [] : Array(core.snapshot.items(inSectionAt: 0))
      guard shown == states[revision] else {
        return "participant \(index) shows \(shown) at \(revision), not \(states[revision])"
      }
      guard core.live.snapshot == core.snapshot || participant.write != nil else {
        return "participant \(index) has a change without a write"
      }
    }
    let made = journal.compactMap { meanings[$0.id]?.item }
    guard Set(made).count == made.count else { return "a write was made twice: \(made)" }
    for (index, participant) in participants.enumerated() {
      for result in participant.results {
        let place = journal.firstIndex { entry in
          meanings[entry.id]?.item == item(of: index, result.index)
        }
        switch result.outcome {
        case .next:
          guard let place else { return "a write of \(index) was reported, and is not in the log" }
          if place + 1 != result.revision.number {
            return "a write was reported at another revision"
          }
          if place < result.floor { return "a write was made before it began" }
        case .lost, .rejected:
          if place != nil { return "a write of \(index) is in the log, and was reported as lost" }
        case .unknown: break
        }
      }
    }
    return nil
  }

  /// What is wrong at the end, when nothing can happen any more.
  ///
  /// Everybody shows the same, and every write has a result.
  var faultAtEnd: String? {
    if let fault { return fault }
    for (index, participant) in participants.enumerated() {
      if participant.list.revision.number != end { return "participant \(index) lags for ever" }
      if participant.write != nil { return "a write of \(index) hangs" }
    }
    return nil
  }

  /// The items after each entry.
  private var expectedStates: [[Int]] {
    var (items, states) = ([Int](), [[Int]()])
    for entry in journal {
      if let (edit, item) = meanings[entry.id] { edit.apply(item, to: &items) }
      states.append(items)
    }
    return states
  }

  /// Everything that the future depends on.
  var fingerprint: Fingerprint {
    Fingerprint(
      journal: journal.map(\.id), dropped: dropped, stored: stored?.revision,
      messages: Set(messages.map { .init(id: $0.entry.id, base: $0.base, isLate: $0.isLate) }),
      answers: answers, faults: faults, stores: stores,
      participants: participants.map { participant in
        Fingerprint.Part(
          revision: participant.list.revision, next: participant.next,
          results: participant.results,
          write: participant.write.map { write in
            var write = write
            // Deltas are numbered in the order in which they were made.
            if let entry = write.entry { write.entry = LogEntry(id: entry.id, delta: []) }
            return write
          },
          decision: participant.write?.entry.map { participant.list.decision(on: $0.id) })
      })
  }

  struct Fingerprint: Hashable {
    let journal: [WriteID]
    let dropped: Int
    let stored: Revision?
    let messages: Set<Message>
    let answers: [Int: Offer.Answer]
    let faults: Int
    let stores: Int
    let participants: [Part]

    struct Message: Hashable {
      let id: WriteID
      let base: Revision
      let isLate: Bool
    }

    struct Part: Hashable {
      let revision: Revision
      let next: Int
      let results: [Result]
      let write: Write?
      let decision: Offer.Decision?
    }
  }
}
