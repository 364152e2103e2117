#if NATS
import CNATS
import Diffable
import DiffableSync
import Dispatch
import Synchronization

/// What became of a sent entry.
enum AppendOutcome: Sendable {
  case appended
  /// The log has gone on since the writer's revision.
  case notNext
  /// No server took it: the stream has no leader or does not exist.
  case noTaker
}

/// Entries that were sent and not answered yet.
///
/// The time limit is kept here. The library has one, too, but its version 3.4.1 damages the heap when a
/// context is destroyed: it frees the lock before the timer that takes it.
final class PendingAppends: Sendable {
  private struct Pending {
    var sequence: UInt64
    var answer: Answer<AppendOutcome>
    var deadline: DispatchTime
  }

  private struct State {
    /// The key is the address of the message, which the library keeps until the answer.
    var pending: [UInt: Pending] = [:]
    /// The last entry that was sent.
    var last: WriteID?
    /// Whether a check of the time is scheduled.
    var isWatched = false
  }

  private let state = Lock(State())
  private let watch: DispatchQueue
  private let timeout: DispatchTimeInterval

  /// Creates an empty table.
  ///
  /// - Parameters:
  ///   - watch: The queue that checks the time.
  ///   - timeout: How long an answer may take, in milliseconds.
  init(watch: DispatchQueue, timeout: Int64) {
    (self.watch, self.timeout) = (watch, .milliseconds(Int(clamping: timeout)))
  }

  func add(
    _ answer: Answer<AppendOutcome>, to id: WriteID, for message: OpaquePointer,
    toMake sequence: UInt64
  ) {
    let deadline = DispatchTime.now() + timeout
    let (isFirst, former) = state.withLock { state in
      state.last = id
      let former = state.pending.updateValue(
        Pending(sequence: sequence, answer: answer, deadline: deadline),
        forKey: UInt(bitPattern: message))
      defer { state.isWatched = true }
      return (!state.isWatched, former)
    }
    // The library has let go of a message without an answer if another one has its address.
    former?.answer.give(.failure(.unavailable(reason: "appending an entry: it was dropped")))
    if isFirst { look(at: deadline) }
  }

  /// Whether an entry is the last one that was sent.
  func isLast(_ id: WriteID) -> Bool { state.withLock { $0.last == id } }

  /// Gives up entries that have waited too long, and schedules the next check.
  private func look(at deadline: DispatchTime) {
    watch.asyncAfter(deadline: deadline) { [weak self] in
      guard let self else { return }
      let now = DispatchTime.now()
      let (late, next) = state.withLock { state -> ([Pending], DispatchTime?) in
        let late = state.pending.filter { $0.value.deadline <= now }
        for address in late.keys { state.pending[address] = nil }
        let next = state.pending.values.lazy.map(\.deadline).min()
        state.isWatched = next != nil
        return (Array(late.values), next)
      }
      for pending in late {
        pending.answer.give(
          .failure(.unavailable(reason: "appending an entry: no answer has come in time")))
      }
      if let next { look(at: next) }
    }
  }

  /// Passes on the answer of the server, or the error of the library.
  func answered(
    _ message: OpaquePointer?, _ acknowledgment: UnsafePointer<jsPubAck>?,
    _ failure: UnsafePointer<jsPubAckErr>?
  ) {
    guard let (sequence, answer) = remove(message) else { return }
    if let acknowledgment = acknowledgment?.pointee {
      // A duplicate was appended by an earlier call, perhaps after another revision.
      answer.give(.success(acknowledgment.Sequence == sequence ? .appended : .notNext))
    } else if let failure = failure?.pointee {
      if failure.ErrCode.isWrongLastSequence {
        answer.give(Self.refusal(failure.text, expected: sequence - 1))
      } else if failure.Err == NATS_NO_RESPONDERS {
        answer.give(.success(.noTaker))
      } else {
        answer.give(
          .failure(
            .failure(failure.Err, code: failure.ErrCode, text: failure.text, "appending an entry")))
      }
    }
  }

  /// What the answer means that the stream does not end at the expected message.
  ///
  /// If it ends before that message, the server has lost the end of the stream: a killed server that
  /// starts again with damaged files may answer so, before or besides the real leader. So the fate of
  /// the entry is unknown.
  private static func refusal(
    _ text: String?, expected: UInt64
  ) -> Result<AppendOutcome, RevisionLogError> {
    // "wrong last sequence: 244"
    guard let last = text?.split(separator: " ").last.flatMap({ UInt64($0) }), last < expected
    else { return .success(.notNext) }
    return .failure(
      .unavailable(
        reason: "a server's stream ends at message \(last), before the expected \(expected)"))
  }

  /// Forgets a message that the library did not take.
  func failed(_ message: OpaquePointer, _ status: natsStatus) {
    let failure = RevisionLogError.failure(status, "appending an entry")
    remove(message)?.answer.give(
      .failure(status.isBeforeSending ? failure.ofNothingDone : failure))
  }

  /// Gives all entries the same answer.
  func end(with failure: RevisionLogError) {
    let all = state.withLock { state in
      defer { state.pending = [:] }
      return state.pending
    }
    for pending in all.values { pending.answer.give(.failure(failure)) }
  }

  private func remove(
    _ message: OpaquePointer?
  ) -> (sequence: UInt64, answer: Answer<AppendOutcome>)? {
    let pending = state.withLock { $0.pending.removeValue(forKey: UInt(bitPattern: message)) }
    return pending.map { ($0.sequence, $0.answer) }
  }
}

extension natsStatus {
  /// Whether the library returns it for a message of which it has sent nothing.
  ///
  /// Others may come from the connection, while the message is written to it.
  fileprivate var isBeforeSending: Bool {
    [NATS_CONNECTION_CLOSED, NATS_DRAINING, NATS_INSUFFICIENT_BUFFER, NATS_NOT_YET_CONNECTED]
      .contains(self)
  }
}

extension jsPubAckErr {
  fileprivate var text: String? { ErrText.map { String(cString: $0) } }
}

extension jsErrCode {
  /// The last message of the stream is not the expected one.
  ///
  /// Servers since version 2.12 have a second code for this, for which the library has no name.
  var isWrongLastSequence: Bool { self == JSStreamWrongLastSequenceErr || rawValue == 10164 }
}
#endif
