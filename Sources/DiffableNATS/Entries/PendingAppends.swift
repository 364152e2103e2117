#if NATS
import CNATS
import Diffable
import Dispatch
import Synchronization

/// What became of an entry that was sent.
enum AppendOutcome: Sendable {
  case appended
  /// The log does not end where the writer thinks.
  case notNext
  /// No server took it: the stream has no leader, or there is no such stream.
  case noTaker
}

/// Entries that were sent, and whose answers have not come.
///
/// The limit of time is kept here. The library has one, too, but frees its timer after the lock that
/// the timer takes, when a context is destroyed: in 3.4.1 that damages the heap.
final class PendingAppends: Sendable {
  private struct Pending {
    var sequence: UInt64
    var answer: Answer<AppendOutcome>
    var deadline: DispatchTime
  }

  private struct State {
    /// By the address of the message, which the library keeps until the answer comes.
    var pending: [UInt: Pending] = [:]
    /// Whether there will be a look at the time.
    var isWatched = false
  }

  private let state = Mutex(State())
  private let watch: DispatchQueue
  private let timeout: DispatchTimeInterval

  /// Creates a table without entries.
  ///
  /// - Parameters:
  ///   - watch: Where the time is looked at.
  ///   - timeout: How long an answer may take, in milliseconds.
  init(watch: DispatchQueue, timeout: Int64) {
    (self.watch, self.timeout) = (watch, .milliseconds(Int(clamping: timeout)))
  }

  func add(
    _ answer: Answer<AppendOutcome>, for message: OpaquePointer, toMake sequence: UInt64
  ) {
    let deadline = DispatchTime.now() + timeout
    let isFirst = state.withLock { state in
      state.pending[UInt(bitPattern: message)] = Pending(
        sequence: sequence, answer: answer, deadline: deadline)
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if isFirst { look(at: deadline) }
  }

  /// Ends what takes too long, and looks again when the next one would.
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

  /// Gives the answer of the server, or what the library says in its place.
  func answered(
    _ message: OpaquePointer?, _ acknowledgment: UnsafePointer<jsPubAck>?,
    _ failure: UnsafePointer<jsPubAckErr>?
  ) {
    guard let (sequence, answer) = remove(message) else { return }
    if let acknowledgment = acknowledgment?.pointee {
      // A duplicate is an entry that an earlier call has appended, maybe after another revision.
      answer.give(.success(acknowledgment.Sequence == sequence ? .appended : .notNext))
    } else if let failure = failure?.pointee {
      if failure.ErrCode.isWrongLastSequence {
        answer.give(.success(.notNext))
      } else if failure.Err == NATS_NO_RESPONDERS {
        answer.give(.success(.noTaker))
      } else {
        let text = failure.ErrText.map { String(cString: $0) }
        answer.give(
          .failure(.failure(failure.Err, code: failure.ErrCode, text: text, "appending an entry")))
      }
    }
  }

  /// Gives a message up that the library has not taken.
  func failed(_ message: OpaquePointer, _ status: natsStatus) {
    remove(message)?.answer.give(.failure(.failure(status, "appending an entry")))
  }

  /// Gives one answer to all.
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

extension jsErrCode {
  /// The stream has another last message than was expected.
  ///
  /// Servers from 2.12 have a second code for it, which the library does not name.
  var isWrongLastSequence: Bool { self == JSStreamWrongLastSequenceErr || rawValue == 10164 }
}
#endif
