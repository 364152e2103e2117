public import Diffable
public import DiffableSync
import Synchronization

/// A revision log in memory, with a network between it and each participant that tests can disturb.
///
/// ```swift
/// let log = MemoryLog()
/// let (near, far) = (log.participant(), log.participant())
/// let source = try await ReplicatedSource<UpdateBatch<String, Int>>(near, encode: …, decode: …)
/// far.disturb { request in request == .append ? .loseAnswer : nil }
/// far.cut()                          // nothing gets through any more
/// far.heal()
/// ```
///
/// The log itself is never wrong: it is the one thing on which participants rely. An operator can drop
/// its entries, see ``purge()``.
public final class MemoryLog: Sendable {
  struct State {
    var entries: [LogEntry] = []
    /// The number of entries that were dropped.
    var dropped = 0
    /// The newest two states, newest last.
    var states: [StoredState] = []
    var foreign: UInt64 = 0
    /// The tasks that wait for an entry.
    var readers: [Int: Reader] = [:]
    var lastReader = 0

    var end: Int { dropped + entries.count }

    /// Takes some of the tasks that wait, to be woken.
    mutating func take(where isWoken: (Reader) -> Bool) -> [Reader] {
      let woken = readers.filter { isWoken($0.value) }
      for number in woken.keys { readers[number] = nil }
      return Array(woken.values)
    }
  }

  struct Reader {
    /// What it knows.
    let base: Int
    let participant: ObjectIdentifier
    let continuation: CheckedContinuation<Void, Never>
  }

  let state = Lock(State())
  /// The epoch of the log.
  public let epoch: Epoch

  /// Creates an empty log.
  public init(epoch: Epoch = Epoch()) {
    self.epoch = epoch
  }

  /// A new way to this log, for one participant.
  public func participant() -> Participant {
    Participant(log: self)
  }

  /// The entries that the log has now, with the revision that the first one makes.
  public var contents: (first: Revision, entries: [LogEntry]) {
    state.withLock { (Revision($0.dropped + 1), $0.entries) }
  }

  /// The newest stored state.
  public var newestState: StoredState? { state.withLock { $0.states.last } }

  func append(_ entries: [LogEntry], after revision: Revision) -> Bool {
    change { state in
      guard state.end == revision.number else { return false }
      state.entries += entries
      return true
    }
  }

  /// Changes the state, and wakes the tasks that wait for an entry which is there then.
  func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, woken) = state.withLock { state in
      let result = body(&state)
      let end = state.end
      return (result, state.take { $0.base < end })
    }
    for reader in woken { reader.continuation.resume() }
    return result
  }

  /// What the log has after a revision; `nil` if that is its last one, or a later one.
  func page(after revision: Revision, limit: Int) -> LogPage? {
    state.withLock { state in
      if revision.number < state.dropped { return .cut }
      let first = revision.number - state.dropped
      guard first < state.entries.count else { return nil }
      return .entries(Array(state.entries[first...].prefix(limit)), after: revision)
    }
  }

  var lastRevision: Revision { Revision(state.withLock { $0.end }) }

  func state(before revision: Revision) -> StoredState? {
    state.withLock { $0.states.last { $0.revision < revision } }
  }

  /// Whether the newest state and the entries after it lead to the end.
  var isComplete: Bool {
    state.withLock { $0.states.last?.revision.number ?? 0 >= $0.dropped }
  }

  func store(_ new: StoredState, droppingEntriesThrough revision: Revision) {
    state.withLock { state in
      if new.revision > state.states.last?.revision ?? .empty {
        state.states = state.states.suffix(1) + [new]
      }
      let count = min(max(0, revision.number - state.dropped), state.entries.count)
      state.entries.removeFirst(count)
      state.dropped += count
    }
  }

  /// Waits until there is an entry after a revision, or the task is cancelled, or the participant cut.
  func waitForEntry(after revision: Revision, for participant: Participant) async {
    let number = state.withLock { state in
      state.lastReader += 1
      return state.lastReader
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          guard state.end <= revision.number, !Task.isCancelled, !participant.isCut else {
            return true
          }
          state.readers[number] = Reader(
            base: revision.number, participant: ObjectIdentifier(participant),
            continuation: continuation)
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.readers.removeValue(forKey: number) }?.continuation.resume()
    }
  }

  /// Wakes the tasks of a participant that wait for an entry.
  func wakeReaders(of participant: Participant) {
    let woken = state.withLock { $0.take { $0.participant == ObjectIdentifier(participant) } }
    for reader in woken { reader.continuation.resume() }
  }
}
