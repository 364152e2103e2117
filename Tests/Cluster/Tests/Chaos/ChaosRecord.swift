import Diffable
import DiffableSync
import SharedNumbers
import Synchronization

/// What happened to the writes of a list, and what its participants have shown.
///
/// It knows nothing of logs: it compares what writers were told with what everybody shows at the end.
final class ChaosRecord: Sendable {
  /// What a writer was told.
  enum Outcome: Hashable {
    case made
    case notMade
    case unknown
  }

  private struct State {
    var outcomes: [Int: Outcome] = [:]
    /// The end of the list that was shown under each token.
    var shown: [ResumeToken: [Int]] = [:]
    var ambiguous: Set<ResumeToken> = []
    var reports: [any Error] = []
  }

  private let state = Mutex(State())

  func record(_ number: Int, _ outcome: Outcome) {
    state.withLock { $0.outcomes[number] = outcome }
  }

  func report(_ error: any Error) {
    state.withLock { $0.reports.append(error) }
  }

  /// Records what a participant shows until it ends.
  func follow(_ list: SharedNumbers) async {
    for await batch in list.updates(.every(limit: 64)) {
      let items = batch.snapshot.itemIdentifiers
      let end = [items.count] + items.suffix(8)
      state.withLock { state in
        if let other = state.shown.updateValue(end, forKey: batch.token), other != end {
          state.ambiguous.insert(batch.token)
        }
      }
    }
  }

  var reports: [any Error] { state.withLock { $0.reports } }

  /// The number of participants that have stopped since the log has lost entries.
  var forks: Int {
    reports.count { if case ReplicationError.forked = $0 { true } else { false } }
  }

  /// Whether anybody was told that the log has lost something.
  var isLossReported: Bool {
    reports.contains {
      switch $0 {
      case ReplicationError.forked, ReplicationError.skippedEntry, ReplicationError.log(.rejected):
        true
      default: false
      }
    }
  }

  func count(_ outcome: Outcome) -> Int {
    state.withLock { $0.outcomes.values.count { $0 == outcome } }
  }

  /// The tokens under which two lists were shown.
  var ambiguousTokens: Set<ResumeToken> { state.withLock { $0.ambiguous } }

  /// Compares the writes with the list at the end.
  func check(_ numbers: [Int]) -> (lost: [Int], doubled: [Int], unasked: [Int]) {
    let outcomes = state.withLock { $0.outcomes }
    let counts = numbers.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    return (
      lost: outcomes.filter { $0.value == .made && counts[$0.key] == nil }.keys.sorted(),
      doubled: counts.filter { $0.value > 1 }.keys.sorted(),
      unasked: outcomes.filter { $0.value == .notMade && counts[$0.key] != nil }.keys.sorted()
    )
  }
}
