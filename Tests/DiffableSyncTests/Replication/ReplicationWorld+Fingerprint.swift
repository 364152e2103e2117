@testable import Diffable
@testable import DiffableSync

extension ReplicationWorld {
  /// Everything that the future depends on, so that worlds with the same future are explored once.
  ///
  /// The laws are checked in every world, so much of the past can be left out: reported results that
  /// later events cannot make wrong, how the state came about that all participants have reached, and
  /// how many times a write was tried. What was in the log when a write began is left out too: an
  /// entry is appended at the end, and the end never moves back.
  var fingerprint: Fingerprint {
    let reached = participants.map(\.list.revision.number).min() ?? 0
    let open = journal.dropFirst(reached)
    let names = names(
      of: open.map(\.id) + messages.flatMap { $0.entries.map(\.id) }
        + participants.flatMap { $0.append?.entries.map(\.id) ?? [] })
    return Fingerprint(
      shown: expectedStates[reached], open: open.map { names[$0.id] }, length: journal.count,
      made: Set(journal.compactMap { meanings[$0.id]?.item }), lost: lost, dropped: dropped,
      stored: stored?.revision,
      messages: Set(
        messages.map {
          .init(names: $0.entries.map { names[$0.id] }, base: $0.base, isLate: $0.isLate)
        }),
      answers: answers, faults: faults, stores: stores,
      participants: participants.map { participant in
        Fingerprint.Part(
          revision: participant.list.revision, next: participant.next,
          writes: writes(of: participant) { names[$0] },
          append: participant.append.map { append in
            Fingerprint.Append(
              names: append.entries.map { names[$0.id] }, base: append.base,
              offer: append.offer, isSent: append.isSent)
          },
          decision: participant.append.map { participant.list.decision(on: $0.first) })
      })
  }

  /// All that there is, for worlds whose participants are on several histories.
  var exactFingerprint: ExactFingerprint {
    ExactFingerprint(
      journal: journal.map(\.id), dropped: dropped, states: states,
      messages: Set(
        messages.map {
          .init(
            participant: $0.participant, ids: $0.entries.map(\.id), base: $0.base,
            isLate: $0.isLate)
        }), answers: answers, mishaps: mishaps, faults: faults, stores: stores,
      participants: participants.map { participant in
        ExactFingerprint.Part(
          place: participant.list.place,
          isProven: participant.list.proven == participant.list.place, next: participant.next,
          writes: writes(of: participant) { $0 }, append: participant.append,
          results: participant.results,
          decision: participant.append.map { participant.list.decision(on: $0.first) },
          isDenied: participant.isDenied, isForked: participant.isForked)
      })
  }

  struct ExactFingerprint: Hashable {
    let journal: [WriteID]
    let dropped: Int
    let states: [StoredState]
    let messages: Set<Message>
    let answers: [Int: Offer.Answer]
    let mishaps: [Mishap]
    let faults: Int
    let stores: Int
    let participants: [Part]

    struct Message: Hashable {
      let participant: Int
      let ids: [WriteID]
      let base: Revision
      let isLate: Bool
    }

    struct Part: Hashable {
      let place: HistoryPlace
      let isProven: Bool
      let next: Int
      let writes: [WriteFingerprint<WriteID>]
      let append: Append?
      let results: [Result]
      let decision: Offer.Decision?
      let isDenied: Bool
      let isForked: Bool
    }
  }

  /// The writes of a participant that have not ended, and how far they are.
  private func writes<Name>(
    of participant: Participant, _ name: (WriteID) -> Name?
  ) -> [WriteFingerprint<Name>] {
    participant.writes.waiting.map {
      WriteFingerprint(index: $0.change.index, isAlone: $0.isAlone)
    }
      + participant.writes.offered.map {
        WriteFingerprint(
          index: $0.write.change.index, isOffered: true, name: $0.entry.flatMap(name),
          isAlone: $0.write.isAlone, isStopped: $0.isStopped, hasEnded: $0.hasEnded)
      }
  }

  struct WriteFingerprint<Name: Hashable>: Hashable {
    let index: Int
    var isOffered = false
    var name: Name?
    var isAlone = false
    var isStopped = false
    var hasEnded = false
  }

  /// The items of the writes that were reported as not made.
  private var lost: Set<Int> {
    var items: Set<Int> = []
    for (index, participant) in participants.enumerated() {
      for result in participant.results {
        switch result.outcome {
        case .lost, .rejected, .notDone: items.insert(item(of: index, result.index))
        case .next, .unknown: break
        }
      }
    }
    return items
  }

  /// Names of tries: the item, and a number among those tries of its write that still matter.
  private func names(of ids: [WriteID]) -> [WriteID: Fingerprint.Name] {
    var names: [WriteID: Fingerprint.Name] = [:]
    var counts: [Int: Int] = [:]
    let tries = Set(ids).compactMap { id in meanings[id].map { (id, $0.item, $0.tries) } }
    for (id, item, _) in tries.sorted(by: { $0.2 < $1.2 }) {
      counts[item, default: 0] += 1
      names[id] = .init(item: item, number: counts[item] ?? 0)
    }
    return names
  }

  struct Fingerprint: Hashable {
    let shown: [Int]
    let open: [Name?]
    let length: Int
    let made: Set<Int>
    let lost: Set<Int>
    let dropped: Int
    let stored: Revision?
    let messages: Set<Message>
    let answers: [Int: Offer.Answer]
    let faults: Int
    let stores: Int
    let participants: [Part]

    struct Name: Hashable {
      let item: Int
      let number: Int
    }

    struct Message: Hashable {
      let names: [Name?]
      let base: Revision
      let isLate: Bool
    }

    struct Append: Hashable {
      let names: [Name?]
      let base: Revision
      let offer: Offer
      let isSent: Bool
    }

    struct Part: Hashable {
      let revision: Revision
      let next: Int
      let writes: [WriteFingerprint<Name>]
      let append: Append?
      let decision: Offer.Decision?
    }
  }
}
