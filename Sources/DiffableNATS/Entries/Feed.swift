#if NATS
import CNATS
import Diffable
import Synchronization

/// What reads the log from one revision on: a consumer of the stream, and what it has sent.
///
/// The consumer keeps nothing on the server but its place. When something is missing, the feed ends,
/// and another one reads from there. So a reader sees each entry once and in order, whatever is lost
/// or repeated on the way.
final class Feed: Sendable {
  private struct State {
    var buffer: FeedBuffer
    var waiting: [Answer<[LogEntry]?>] = []
    var subscription: Handle?
  }

  let number = Feed.registry.number()
  private let state: Mutex<State>

  /// The feeds that callbacks are for.
  static let registry = Registry<Feed>()

  init(after last: UInt64) {
    state = Mutex(State(buffer: FeedBuffer(after: last)))
    Self.registry.register(self, as: number)
  }

  deinit {
    Self.registry.remove(number)
    end()
  }

  func keep(_ subscription: Handle) {
    state.withLock { $0.subscription = subscription }
  }

  /// Answers whether the next page is the one after a sequence number, or will be.
  func continues(after last: UInt64) -> Bool {
    state.withLock { state in
      state.buffer.last == last && !(state.buffer.isEmpty && state.buffer.isToRestart)
    }
  }

  /// The sequence number up to which all have come, if the feed has not ended and somebody waits.
  var awaited: UInt64? {
    state.withLock { state in
      state.buffer.end == nil && !state.waiting.isEmpty ? state.buffer.next - 1 : nil
    }
  }

  var hasEnded: Bool { state.withLock { $0.buffer.end != nil } }

  /// The page after a sequence number; `nil` if another feed has to read it.
  func page(after last: UInt64) async throws(RevisionLogError) -> [LogEntry]? {
    let answer = Answer<[LogEntry]?>()
    let outcome = state.withLock { state -> Result<[LogEntry]?, RevisionLogError>? in
      guard state.buffer.last == last else { return .success(nil) }
      if let outcome = state.buffer.outcome() { return outcome }
      state.waiting.append(answer)
      return nil
    }
    if let outcome { return try outcome.get() }
    defer { forget(answer) }
    return try await answer.value()
  }

  private func forget(_ answer: Answer<[LogEntry]?>) {
    state.withLock { $0.waiting.removeAll { $0 === answer } }
  }

  /// What the library calls with a message and the number of the feed, in the place of a pointer.
  static func receive(_ message: OpaquePointer?, _ closure: UnsafeMutableRawPointer?) {
    defer { natsMsg_Destroy(message) }
    guard let message, let feed = registry[closure] else { return }
    var place: UnsafeMutablePointer<jsMsgMetaData>?
    guard natsMsg_GetMetaData(&place, message) == NATS_OK, let place else { return }
    feed.receive(LogEntry(message), place.pointee.Sequence.Stream)
    jsMsgMetaData_Destroy(place)
  }

  private func receive(_ entry: LogEntry?, _ sequence: UInt64) {
    change { $0.receive(entry, sequence) }
  }

  /// Lets nothing more come.
  func end() {
    change { $0.finish(.restart) }
  }

  /// Changes the buffer, and hands a page to all who wait, if there is one.
  private func change(_ body: (inout FeedBuffer) -> Void) {
    let (waiting, outcome) = state.withLock {
      state -> ([Answer<[LogEntry]?>], Result<[LogEntry]?, RevisionLogError>?) in
      body(&state.buffer)
      guard !state.waiting.isEmpty, let outcome = state.buffer.outcome() else { return ([], nil) }
      defer { state.waiting = [] }
      return (state.waiting, outcome)
    }
    guard let outcome else { return }
    for answer in waiting { answer.give(outcome) }
  }
}

extension FeedBuffer {
  var isToRestart: Bool {
    if case .restart = end { true } else { false }
  }

  /// What there is to say now: a page, or the end, or nothing.
  mutating func outcome() -> Result<[LogEntry]?, RevisionLogError>? {
    if !isEmpty { return .success(takePage()) }
    return switch end {
    case nil: nil
    case .restart: .success(nil)
    case .failed(let error): .failure(error)
    }
  }
}
#endif
