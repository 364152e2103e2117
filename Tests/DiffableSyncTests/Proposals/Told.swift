@testable import Diffable
@testable import DiffableSync

/// What the user of a mirror was told of changes, in its order.
final class Told<Batch: DeltaBatch>: Sendable {
  private let all = Lock<[(id: WriteID, outcome: ProposedWrite<Batch>.Outcome)]>([])

  init(of list: EditedList<Batch>) { watch(list) }

  /// Listens to a list; one that takes over its listener needs no other.
  func watch(_ list: EditedList<Batch>) {
    list.decided = { [self] write, outcome in all.withLock { $0.append((write.id, outcome)) } }
  }

  var ids: [WriteID] { all.withLock { $0.map(\.id) } }
  var acceptances: [ProposalAcceptance<Batch>] {
    all.withLock { $0.compactMap(\.outcome.acceptance) }
  }

  /// The contradictions of each change; `nil` for one that was not accepted.
  var conflicts: [[MergeConflict<Batch.SectionID, Batch.ItemID>]?] {
    all.withLock { $0.map(\.outcome.acceptance?.conflicts) }
  }

  func clear() { all.withLock { $0 = [] } }
}
