@testable import Diffable
@testable import DiffableSync

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
      guard core.live.snapshot == core.snapshot || participant.append != nil else {
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
        case .lost, .rejected, .notDone:
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
      if !participant.writes.isEmpty { return "a write of \(index) hangs" }
    }
    return nil
  }

  /// The items after each entry.
  var expectedStates: [[Int]] {
    var (items, states) = ([Int](), [[Int]()])
    var place = HistoryPlace.start
    for entry in journal {
      // Entries that were made on others than the log has are skipped.
      if let meaning = meanings[entry.id], meaning.base == place {
        meaning.edit.apply(meaning.item, to: &items)
      }
      place = place.next(entry.id)
      states.append(items)
    }
    return states
  }
}
