import DiffableTesting

@testable import Diffable
@testable import DiffableSync

/// A log that asks another one, and does not say where it ends.
protocol ForwardingLog: RevisionLog {
  var log: MemoryLog.Participant { get }
}

extension ForwardingLog {
  func epoch() async throws(RevisionLogError) -> Epoch { try await log.epoch() }

  func append(
    _ entries: [LogEntry], after revision: Revision
  ) async throws(RevisionLogError) -> Bool { try await log.append(entries, after: revision) }

  func entries(
    after known: @escaping @Sendable () -> Revision
  ) async throws(RevisionLogError) -> LogPage { try await log.entries(after: known) }

  func newestState() async throws(RevisionLogError) -> StoredState? { try await log.newestState() }

  func store(
    _ state: StoredState, droppingEntriesThrough revision: Revision
  ) async throws(RevisionLogError) {
    try await log.store(state, droppingEntriesThrough: revision)
  }
}

/// A log that keeps appends waiting while its gate is closed, and that has a limit of size.
final class GatedLog: ForwardingLog {
  private struct State {
    var isClosed = false
    var held: [CheckedContinuation<Void, Never>] = []
    var appends: [Int] = []
    var answer: (@Sendable ([LogEntry]) -> RevisionLogError?)?
  }

  let log: MemoryLog.Participant
  private let state = Lock(State())

  init(_ log: MemoryLog) { self.log = log.participant() }

  /// The numbers of entries that were appended at once, or that the log was asked to append.
  var appends: [Int] { state.withLock { $0.appends } }
  /// The number of appends that wait at the gate.
  var held: Int { state.withLock { $0.held.count } }

  func close() { state.withLock { $0.isClosed = true } }

  /// Lets those pass that wait, and keeps later ones waiting.
  func letPass() {
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    for append in held { append.resume() }
  }

  func open() {
    state.withLock { $0.isClosed = false }
    letPass()
  }

  /// Lets the log answer to some appends without making them.
  func answer(_ answer: @escaping @Sendable ([LogEntry]) -> RevisionLogError?) {
    state.withLock { $0.answer = answer }
  }

  func append(
    _ entries: [LogEntry], after revision: Revision
  ) async throws(RevisionLogError) -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let passes = state.withLock { state in
          state.appends.append(entries.count)
          guard state.isClosed, !Task.isCancelled else { return true }
          state.held.append(continuation)
          return false
        }
        if passes { continuation.resume() }
      }
    } onCancel: {
      letPass()
    }
    // A log that says that it has not done it says so to a task that was cancelled, too.
    if let error = state.withLock({ $0.answer })?(entries) { throw error }
    guard !Task.isCancelled else { throw .unavailable(reason: "the task was cancelled") }
    return try await log.append(entries, after: revision)
  }
}

extension ReplicatedSource {
  /// The number of writes that wait for the next append.
  var numberOfWaitingWrites: Int { writes.waiting.count }
  /// Whether tasks wait for what this participant reads next.
  var isWaitedFor: Bool { !waiting.isEmpty }

  /// Waits until something wakes those that wait, for whatever reason.
  func waitToBeWoken() async { _ = await waiting.wait() }
}
