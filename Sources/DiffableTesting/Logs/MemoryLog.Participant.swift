public import Diffable
public import DiffableSync
import Synchronization

extension MemoryLog {
  /// A request of a participant to the log.
  public enum Request: Sendable, Hashable, CaseIterable {
    /// For the epoch.
    case epoch
    /// To append entries.
    case append
    /// For the entries after a revision, or for the last revision.
    case read
    /// To store a state.
    case store
    /// For a stored state.
    case load
    /// Whether a participant could start.
    case check
  }

  /// What goes wrong with one request.
  public enum Fault: Sendable, Hashable, CaseIterable {
    /// It does not arrive. The participant gets no answer.
    case loseRequest
    /// It is carried out, and the answer is lost.
    case loseAnswer
    /// It arrives twice; the participant gets the first answer. The second one would say of an append that
    /// was made that the request has appended nothing.
    case duplicate
    /// It is carried out after the participant was told that there is no answer, when
    /// ``Participant/deliverLate()`` is called.
    case delay
    /// The log rejects it.
    case refuse
  }

  /// One participant's way to a ``MemoryLog``.
  public final class Participant: RevisionLog {
    typealias Disturbance = @Sendable (Request) -> Fault?

    private struct State {
      var disturbance: Disturbance?
      var isCut = false
      var late: [@Sendable () -> Void] = []
    }

    /// The log.
    public let log: MemoryLog
    private let state = Lock(State())

    init(log: MemoryLog) {
      self.log = log
    }

    // MARK: Disturbing

    /// Decides from now on what goes wrong with each request.
    public func disturb(_ fault: @escaping @Sendable (Request) -> Fault?) {
      change { $0.disturbance = fault }
    }

    /// Cuts this participant off: no request arrives, and waiting ones end without an answer.
    public func cut() {
      state.withLock { $0.isCut = true }
      log.wakeReaders(of: self)
    }

    var isCut: Bool { state.withLock { $0.isCut } }

    /// Ends the cut and all other disturbances.
    public func heal() {
      change { ($0.isCut, $0.disturbance) = (false, nil) }
    }

    /// Changes the state, and releases what it held after the lock.
    private func change(_ body: (inout State) -> Void) {
      let former = state.withLock { state in
        defer { body(&state) }
        return state
      }
      withExtendedLifetime(former) {}
    }

    /// Carries out what was delayed, in the order in which it was sent.
    public func deliverLate() {
      let late = state.withLock { state in
        defer { state.late = [] }
        return state.late
      }
      for request in late { request() }
    }

    /// Carries out a request, unless it is disturbed.
    private func send<Result>(
      _ request: Request, _ body: @escaping @Sendable () -> Result
    ) throws(RevisionLogError) -> Result {
      let (isCut, disturbance) = state.withLock { ($0.isCut, $0.disturbance) }
      guard !isCut else { throw .unavailable(reason: "the participant is cut off") }
      switch disturbance?(request) {
      case nil:
        return body()
      case .loseRequest:
        throw .unavailable(reason: "the request was lost")
      case .loseAnswer:
        _ = body()
        throw .unavailable(reason: "the answer was lost")
      case .duplicate:
        let answer = body()
        _ = body()
        return answer
      case .delay:
        state.withLock { $0.late.append { _ = body() } }
        throw .unavailable(reason: "the request is late")
      case .refuse:
        throw .rejected(reason: "the log was told to")
      }
    }

    // MARK: RevisionLog

    /// The epoch of the log.
    public func epoch() async throws(RevisionLogError) -> Epoch {
      try send(.epoch) { [log] in log.epoch }
    }

    /// Appends entries, all of them or none.
    public func append(
      _ entries: [LogEntry], after revision: Revision
    ) async throws(RevisionLogError) -> Bool {
      try send(.append) { [log] in log.append(entries, after: revision) }
    }

    /// The entries that the participant does not know, at most 64 at a time.
    public func entries(
      after known: @escaping @Sendable () -> Revision
    ) async throws(RevisionLogError) -> LogPage {
      while true {
        let revision = known()
        guard !Task.isCancelled else { throw .unavailable(reason: "the task was cancelled") }
        let page = try send(.read) { [log] in log.page(after: revision, limit: 64) }
        if let page { return page }
        await log.waitForEntry(after: revision, for: self)
      }
    }

    /// The last revision in the log.
    public func lastRevision() async throws(RevisionLogError) -> Revision? {
      try send(.read) { [log] in log.lastRevision }
    }

    /// Stores a state.
    public func store(
      _ state: StoredState, droppingEntriesThrough revision: Revision
    ) async throws(RevisionLogError) {
      try send(.store) { [log] in log.store(state, droppingEntriesThrough: revision) }
    }

    /// The newest state.
    public func newestState() async throws(RevisionLogError) -> StoredState? {
      try send(.load) { [log] in log.newestState }
    }

    /// The newest state before a revision.
    public func state(before revision: Revision) async throws(RevisionLogError) -> StoredState? {
      try send(.load) { [log] in log.state(before: revision) }
    }

    /// Whether a participant that starts now can read all entries after the newest state.
    public func isComplete() async throws(RevisionLogError) -> Bool {
      try send(.check) { [log] in log.isComplete }
    }
  }
}
